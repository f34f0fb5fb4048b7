/* Checks that the brackets in the lines of standard input are balanced. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 64

struct checker {
    char open[MAX_DEPTH];
    int depth;
    int line;
    int pairs;
};

static void give_up(const struct checker *checker, const char *reason)
{
    fprintf(stderr, "line %d: %s\n", checker->line, reason);
    fflush(stdout);
    abort();
}

static char partner(char bracket)
{
    switch (bracket) {
    case ')': return '(';
    case ']': return '[';
    case '}': return '{';
    default: return 0;
    }
}

static void push(struct checker *checker, char bracket)
{
    if (checker->depth == MAX_DEPTH)
        give_up(checker, "too deep");
    checker->open[checker->depth++] = bracket;
}

static void pop(struct checker *checker, char bracket)
{
    if (checker->depth == 0)
        give_up(checker, "nothing is open");
    char last = checker->open[--checker->depth];
    if (last != partner(bracket))
        give_up(checker, "the wrong one is closed");
    checker->pairs++;
}

static void check_line(struct checker *checker, const char *text)
{
    checker->line++;
    for (const char *c = text; *c != '\0'; c++) {
        if (strchr("([{", *c) != NULL)
            push(checker, *c);
        else if (strchr(")]}", *c) != NULL)
            pop(checker, *c);
    }
}

int main(void)
{
    struct checker checker = {{0}, 0, 0, 0};
    char text[200];

    while (fgets(text, sizeof(text), stdin) != NULL)
        check_line(&checker, text);
    printf("%d lines, %d pairs\n", checker.line, checker.pairs);
    if (checker.depth > 0)
        printf("%d still open\n", checker.depth);
    return 0;
}
