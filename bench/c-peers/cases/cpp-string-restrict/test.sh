#!/bin/sh
# g++ -O2 warns, wrongly, that a copy of impossible size inlined into ledger::amount may overlap, and of nothing else.
. "$(dirname "$0")/../common.sh"
timeout 10 g++-12 -std=c++20 -O2 -S $strict_cpp -Wrestrict input.cpp -o /dev/null 2> "$private/messages" || exit 1
grep 'warning:' "$private/messages" | grep -qv 'Wrestrict' && exit 1
awk '/^In / { inside = 0 }
    /inlined from .*ledger::amount\(/ { inside = 1 }
    /warning: .*__builtin_memcpy.* accessing 9223372036854775810 or more bytes .* may overlap/ && inside { found = 1 }
    END { exit !found }' "$private/messages"
