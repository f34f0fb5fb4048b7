/* Finds the longest of the words on the command line. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int capitals = 0;
    size_t letters = 0;

    if (argc < 2) {
        fprintf(stderr, "usage: %s WORD...\n", argv[0]);
        return 2;
    }

    char *first = malloc(strlen(argv[1]) + 1);
    strcpy(first, argv[1]);
    char *longest = first;

    for (int i = 2; i < argc; i++) {
        if (strlen(argv[i]) > strlen(longest)) {
            longest = malloc(strlen(argv[i]) + 1);
            strcpy(longest, argv[i]);
        }
    }

    for (int i = 1; i < argc; i++) {
        letters += strlen(argv[i]);
        if (isupper((unsigned char)argv[i][0]))
            capitals++;
    }

    printf("%d words, %zu letters, %d capitalised\n", argc - 1, letters, capitals);
    printf("first: %s\n", first);
    printf("longest: %s\n", longest);

    free(first);
    free(longest);
    return 0;
}
