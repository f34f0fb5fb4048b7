/* Tables of powers, factorials and binomial coefficients. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int last = 10;
    int show_powers = 1;

    if (argc > 1)
        last = atoi(argv[1]);
    if (argc > 2 && argv[2][0] == 'q')
        show_powers = 0;

    if (show_powers) {
        printf("powers of two:");
        long power = 1;
        for (int exponent = 0; exponent <= last; exponent++) {
            printf(" %ld", power);
            power *= 2;
        }
        printf("\n");
    }

    printf("factorials:\n");
    int factorial = 1;
    for (int i = 2; i <= last; i++) {
        factorial = factorial * i;
        printf("%3d! = %d\n", i, factorial);
        if (i == 5)
            printf("----\n");
    }

    /* The middle row of Pascal's triangle. */
    long coefficient = 1;
    for (int k = 1; k <= last; k++) {
        coefficient = coefficient * (last - k + 1) / k;
        printf("%ld ", coefficient);
    }
    printf("\n");
    return 0;
}
