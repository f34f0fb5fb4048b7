#include <stdio.h>

#define STB_PERLIN_IMPLEMENTATION
#include "stb/stb_perlin.h"

static void print_row(float y, float z) {
    for (int column = 0; column < 12; column++) {
        float x = column * 0.37f + 0.11f;
        printf(" %a", stb_perlin_ridge_noise3(x, y, z, 2.0f, 0.5f, 1.0f, 6));
        printf(" %a", stb_perlin_fbm_noise3(x, y, z, 2.0f, 0.5f, 6));
        printf(" %a", stb_perlin_turbulence_noise3(x, y, z, 2.1f, 0.45f, 5));
    }
    printf("\n");
}

int main(void) {
    for (int row = 0; row < 12; row++) print_row(row * 0.23f - 1.7f, row * 0.19f);
    printf("%a\n", stb_perlin_noise3_wrap_nonpow2(1.3f, 2.6f, 3.9f, 3, 5, 7, 11));
    return 0;
}
