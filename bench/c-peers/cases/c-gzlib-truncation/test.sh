#!/bin/sh
# gcc -O2 warns in gz_error that the second of three strings may be truncated, in a file that has no other kind of problem.
. "$(dirname "$0")/../common.sh"
timeout 10 gcc-12 -O2 -S -Wall -Wextra -Wno-unused -Wno-unused-parameter $strict_c -Wformat-truncation=2 input.c \
    -o /dev/null 2> "$private/messages" || exit 1
grep 'warning:' "$private/messages" | grep -qv 'Wformat-truncation=' && exit 1
awk '/: In function / { inside = /gz_error/ }
    /warning: .%s. directive output may be truncated writing likely 1 or more bytes/ && inside { found = 1 }
    END { exit !found }' "$private/messages"
