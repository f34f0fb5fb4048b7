#!/bin/sh
# The program prints the changed document, which it can only have parsed: its numbers are not spelt like that in the source.
. "$(dirname "$0")/../common.sh"
grep -qF '25e-1, -3e2' input.cpp && ! grep -qE -- '2[.]5,|-300|-296' input.cpp || exit 1
timeout 10 g++-12 -std=c++17 -O0 $strict_cpp -fsanitize=address input.cpp -o "$private/a" 2> /dev/null || exit 1
timeout 3 "$private/a" < /dev/null > "$private/out" 2> /dev/null || exit 1
grep -qF '"sizes":[1,2.5,-300.0,4096],"tags":{"fragile":null},"total":-296.5}' "$private/out"
