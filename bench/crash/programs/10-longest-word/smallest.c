#include <stdlib.h>
int main()
{
    char *first = malloc(0);
    char *longest = first;
    free(first);
    free(longest);
}
