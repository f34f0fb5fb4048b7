/* Finds prime numbers and twin primes with the sieve of Eratosthenes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int limit = argc > 1 ? atoi(argv[1]) : 100;
    if (limit < 2) {
        fprintf(stderr, "the limit must be at least 2\n");
        return 2;
    }

    char *composite = malloc(limit);
    if (composite == NULL) {
        fprintf(stderr, "out of memory\n");
        return 1;
    }
    memset(composite, 0, limit);

    int number = 2;
    while (number < limit) {
        int multiple = 2 * number;
        while (multiple <= limit) {
            composite[multiple] = 1;
            multiple += number;
        }
        number++;
    }

    int primes = 0;
    int twins = 0;
    int previous = 0;
    for (number = 2; number < limit; number++) {
        if (composite[number])
            continue;
        primes++;
        if (number - previous == 2)
            twins++;
        previous = number;
    }

    printf("%d primes below %d, the last is %d\n", primes, limit, previous);
    printf("%d pairs of twins\n", twins);
    free(composite);
    return 0;
}
