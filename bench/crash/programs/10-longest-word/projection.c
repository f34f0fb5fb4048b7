#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;

    char *first = malloc(strlen(argv[1]) + 1);
    char *longest = first;

    free(first);
    free(longest);
}
