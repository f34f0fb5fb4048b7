#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 64

struct checker {
    char open[MAX_DEPTH];
    int depth;
};

void give_up()
{
    abort();
}

char partner(char bracket)
{
    switch (bracket) {
    case ')': return '(';
    case ']': return '[';
    default: return 0;
    }
}

void push(struct checker *checker, char bracket)
{
    checker->open[checker->depth++] = bracket;
}

void pop(struct checker *checker, char bracket)
{
    char last = checker->open[--checker->depth];
    if (last != partner(bracket))
        give_up();
}

void check_line(struct checker *checker, char *text)
{
    for (char *c = text; *c != '\0'; c++)
        if (strchr("([{", *c) != NULL)
            push(checker, *c);
        else if (strchr(")]}", *c) != NULL)
            pop(checker, *c);
}

int main()
{
    struct checker checker = {{0}, 0};
    char text[200];

    while (fgets(text, sizeof(text), stdin) != NULL)
        check_line(&checker, text);
}
