#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int budget = argc > 1 ? atoi(argv[1]) : 600;
    int target = argc > 2 ? atoi(argv[2]) : 20;
    int inside = 14;
    int outside = 2;
    int heated = 0;
    int heating = 0;

    for (int quarter = 0; quarter < 96; quarter++) {
        if (inside < target && !heating)
            heating = 1;
        else if (inside > target + 1 && heating)
            heating = 0;

        if (heating) {
            inside += 2;
            heated++;
        }
        if (quarter % 3 == 0 && inside > outside)
            inside--;
    }

    int used = 15 * heated;
    assert(used <= budget);
}
