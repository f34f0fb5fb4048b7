/* The variable is on the line of a condition; what decides the condition stays. */
#include <stdio.h>
int main(int argc, char **argv) // kept
{
    int limit = 1;              // kept
    int total = 0;              // kept
    int unused = 5;
    limit = limit + argc;       // kept
    for (int i = 0; i < 3; i++) { // kept
        if (total < limit)      // criterion total
            total += i;         // kept
        unused += total;
    }
    printf("%d %d\n", total, unused);
    return 0;
}
