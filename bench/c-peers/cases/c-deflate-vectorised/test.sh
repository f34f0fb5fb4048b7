#!/bin/sh
# gcc -O3 vectorises a loop that slides a hash table from its end, and fill_window has vector code.
. "$(dirname "$0")/../common.sh"
timeout 10 gcc-12 -O3 -S $strict_c -fopt-info-vec="$private/loops" input.c -o "$private/a.s" 2> /dev/null || exit 1
lines=$(sed -n 's/^input.c:\([0-9]*\):.*: loop vectorized using .*/\1p/p' "$private/loops" | sort -u)
[ -n "$lines" ] || exit 1
sed -n "$lines" input.c | grep -qE 'while *\( *-- *n *\)' || exit 1
code_of fill_window "$private/a.s" | grep -q '%xmm'
