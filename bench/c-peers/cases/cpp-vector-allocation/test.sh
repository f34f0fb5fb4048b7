#!/bin/sh
# g++ -O2 knows what triangle_perimeter returns, 12, but lets it allocate and free memory all the same.
. "$(dirname "$0")/../common.sh"
timeout 10 g++-12 -std=c++17 -O2 -S $strict_cpp input.cpp -o "$private/a.s" 2> /dev/null || exit 1
code_of _ZN5shape18triangle_perimeterEv "$private/a.s" > "$private/code"
grep -q 'call.*_Znwm' "$private/code" && grep -q 'call.*_ZdlPv' "$private/code" && grep -q 'movl.*\$12, %eax' "$private/code"
