#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STB_TRUETYPE_IMPLEMENTATION
#include "stb/stb_truetype.h"

#define FONT_SIZE 256

static void put(unsigned char *at, unsigned value, int bytes) {
    for (int index = 0; index < bytes; index++) at[index] = (unsigned char)(value >> (8 * (bytes - 1 - index)));
}

static void put_table(unsigned char *font, int number, const char *tag, unsigned offset, unsigned length) {
    unsigned char *entry = font + 12 + 16 * number;
    memcpy(entry, tag, 4);
    put(entry + 8, offset, 4);
    put(entry + 12, length, 4);
}

/* A font of seven tables; the last record of its character map says that it lies behind the end of the file. */
static unsigned char *make_font(void) {
    unsigned char *font = calloc(1, FONT_SIZE);
    if (!font) exit(3);
    put(font, 0x00010000, 4);
    put(font + 4, 7, 2);
    put_table(font, 0, "cmap", 128, 20);
    put_table(font, 1, "loca", 150, 8);
    put_table(font, 2, "head", 160, 54);
    put_table(font, 3, "glyf", 214, 8);
    put_table(font, 4, "hhea", 216, 36);
    put_table(font, 5, "hmtx", 252, 4);
    put_table(font, 6, "maxp", 240, 6);
    put(font + 128 + 2, 1, 2);
    put(font + 132, 3, 2);
    put(font + 134, 1, 2);
    put(font + 136, FONT_SIZE, 4);
    return font;
}

int main(void) {
    unsigned char *font = make_font();
    stbtt_fontinfo info;
    int width = 0, height = 0;
    if (!stbtt_InitFont(&info, font, stbtt_GetFontOffsetForIndex(font, 0))) return 2;
    float scale = stbtt_ScaleForPixelHeight(&info, 24);
    unsigned char *bitmap = stbtt_GetCodepointBitmap(&info, scale, scale, 'g', &width, &height, 0, 0);
    printf("%d x %d\n", width, height);
    stbtt_FreeBitmap(bitmap, 0);
    free(font);
    return 0;
}
