/* The line reads what it wrote in the round before: all that it adds matters. */
#include <stdio.h>
int main(int argc, char **argv) // kept
{
    int sum = 0;                // kept
    int step;                   // kept
    step = argc;                // kept
    int unused = 1;
    for (int i = 0; i < 3; i++) { // kept
        unused *= 2;
        sum = sum + step;       // criterion sum
    }
    printf("%d %d\n", sum, unused);
    return 0;
}
