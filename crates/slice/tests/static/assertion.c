// An assertion that fails ends the program, and with it all later turns of the loop.
#include <assert.h> // kept
#include <stdio.h> // kept
#include <stdlib.h> // kept

int main(int argc, char **argv) // kept
{
    int step = atoi(argv[1]); // kept
    int unused = atoi(argv[1]);
    for (int i = 0; i < 6; i++) { // kept
        int value = i * step; // kept
        printf("%d\n", value); // criterion
        assert(i < 3); // kept
    }
    return unused;
}
