#include <stdlib.h> // kept
static void check(int value) // kept
{
    if (value < 0) // kept
        exit(2); // kept
}
int main(int argc, char **argv) // kept
{
    int unused = 0;
    (void)argv;
    if (argc > 5) // kept
        return 1; // kept
    check(argc); // kept
    unused++;
    return 100 / argc; // criterion
}
