#!/bin/sh
# gcc finds a condition with identical branches in unixShmSystemLock.
. "$(dirname "$0")/../common.sh"
timeout 10 gcc-12 -fsyntax-only $strict_c -Wduplicated-branches input.c 2> "$private/messages" || exit 1
grep -q "In function 'unixShmSystemLock'" "$private/messages" || exit 1
grep -q 'warning: this condition has identical branches' "$private/messages"
