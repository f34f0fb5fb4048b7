/* A jump that ran decides about what comes after a jump that did not. */
#include <stdio.h> // kept
int main(int argc, char **argv) // kept
{
    int count = 0;              // kept
    for (int i = 0; i < 3; i++) { // kept
        switch (i) {            // kept
        case 0:                 // kept
            if (argc > 1)       // kept
                continue;       // kept
            break;
        case 7:
            if (argc > 50)
                continue;
            printf("never\n");
        }
        count++;                // kept
    }
    printf("%d\n", count);      // criterion
    return 0;
}
