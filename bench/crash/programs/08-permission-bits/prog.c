/* Turns a list of permission numbers into a mask and prints it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *names[] = {"read", "write", "execute", "share", "delete", "own"};
    int known = sizeof(names) / sizeof(names[0]);
    int mask = 0;
    int unknown = 0;

    if (argc > 1 && strcmp(argv[1], "--list") == 0) {
        for (int k = 0; k < known; k++)
            printf("%d %s\n", k, names[k]);
        return 0;
    }

    for (int i = 1; i < argc; i++) {
        int bit = atoi(argv[i]);
        if (bit >= known)
            unknown++;
        mask |= 1 << bit;
    }

    printf("mask: 0x%x\n", mask);
    for (int k = 0; k < known; k++) {
        if (mask & (1 << k))
            printf("may %s\n", names[k]);
    }
    if (unknown > 0)
        printf("%d unknown permissions\n", unknown);

    /* Somebody who owns a file may do everything with it. */
    if (mask & 32)
        printf("full control\n");
    return 0;
}
