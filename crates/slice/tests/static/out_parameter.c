#include <stdio.h> // kept
static void measure(const char *text, int *length, int *words) // kept
{
    *length = 0; // kept
    *words = 0;
    for (; *text; text++) { // kept
        (*length)++; // kept
        if (*text == ' ')
            (*words)++;
    }
}
int main(void) // kept
{
    int length, words; // kept
    char line[20]; // kept
    fgets(line, sizeof line, stdin); // kept
    measure(line, &length, &words); // kept
    return 10 / length; // criterion
}
