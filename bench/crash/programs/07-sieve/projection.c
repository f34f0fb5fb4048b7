#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int limit = argc > 1 ? atoi(argv[1]) : 100;

    char *composite = malloc(limit);
    memset(composite, 0, limit);

    int number = 2;
        int multiple = 2 * number;
        while (multiple <= limit) {
            composite[multiple] = 1;
            multiple += number;
        }
}
