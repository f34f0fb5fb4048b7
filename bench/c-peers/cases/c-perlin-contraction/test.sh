#!/bin/sh
# The program prints something else at -O2 -mfma than at -O0, only because gcc contracts floating-point operations, and neither
# run has undefined behaviour that a sanitizer sees. (Needs a processor with FMA.)
. "$(dirname "$0")/../common.sh"
result_of() {
    timeout 10 gcc-12 $strict_c "$@" input.c -o "$private/a" -lm 2> /dev/null || exit 1
    timeout 2 "$private/a" < /dev/null > "$private/out" 2> /dev/null || exit 1
    grep -q 'p' "$private/out" || exit 1
    cksum < "$private/out"
}
plain=$(result_of -O0) && contracted=$(result_of -O2 -mfma) || exit 1
[ "$plain" != "$contracted" ] || exit 1
uncontracted=$(result_of -O2 -mfma -ffp-contract=off) || exit 1
[ "$plain" = "$uncontracted" ] || exit 1
checked=$(result_of -O0 -fsanitize=address,undefined -fno-sanitize-recover=all) && [ "$plain" = "$checked" ]
