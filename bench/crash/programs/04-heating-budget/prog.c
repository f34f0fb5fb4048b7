/* Simulates a day of heating, a quarter of an hour at a time. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int budget = argc > 1 ? atoi(argv[1]) : 600;
    int target = argc > 2 ? atoi(argv[2]) : 20;
    int inside = 14;
    int outside = 2;
    int heated = 0;
    int switches = 0;
    int heating = 0;

    printf("budget %d minutes, target %d degrees\n", budget, target);
    for (int quarter = 0; quarter < 96; quarter++) {
        /* It is warmer in the afternoon. */
        outside = quarter > 40 && quarter < 72 ? 9 : 2;

        if (inside < target && !heating) {
            heating = 1;
            switches++;
        } else if (inside > target + 1 && heating) {
            heating = 0;
            switches++;
        }

        if (heating) {
            inside += 2;
            heated++;
        }
        if (quarter % 3 == 0 && inside > outside)
            inside--;
        if (quarter % 24 == 0)
            printf("%02d:00 inside %d\n", quarter / 4, inside);
    }

    int used = 15 * heated;
    printf("heated for %d minutes, switched %d times\n", used, switches);
    assert(used <= budget);

    if (budget - used > 60)
        printf("more than an hour to spare\n");
    return 0;
}
