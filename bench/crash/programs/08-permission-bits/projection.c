#include <stdlib.h>

int main(int argc, char **argv)
{
    int mask = 0;

    for (int i = 1; i < argc; i++) {
        int bit = atoi(argv[i]);
        mask |= 1 << bit;
    }
}
