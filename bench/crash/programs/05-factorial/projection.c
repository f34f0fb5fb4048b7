#include <stdlib.h>

int main(int argc, char **argv)
{
    int last = 10;

        last = atoi(argv[1]);

    int factorial = 1;
    for (int i = 2; i <= last; i++)
        factorial = factorial * i;
}
