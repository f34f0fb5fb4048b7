#!/bin/sh
# AddressSanitizer reports a read behind the end of a heap buffer in ttUSHORT, called from stbtt_FindGlyphIndex.
. "$(dirname "$0")/../common.sh"
timeout 10 gcc-12 -g -O0 $strict_c -fsanitize=address input.c -o "$private/a" -lm \
    2> /dev/null || exit 1
ASAN_OPTIONS=detect_leaks=0 timeout 3 "$private/a" < /dev/null > /dev/null 2> "$private/report"
[ $? = 1 ] || exit 1
grep -q 'AddressSanitizer: heap-buffer-overflow' "$private/report" || exit 1
grep -qE '^ *#0 0x[0-9a-f]+ in ttUSHORT ' "$private/report" || exit 1
grep -qE '^ *#1 0x[0-9a-f]+ in stbtt_FindGlyphIndex ' "$private/report"
