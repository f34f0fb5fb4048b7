#include <stdlib.h>
int main(int argc, char **argv)
{
    int mask;
    for (int i = 1; ; i++) {
        int bit = atoi(argv[i]);
        mask |= 1 << bit;
    }
}
