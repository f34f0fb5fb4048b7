/* Evaluates sums and products of numbers, with parentheses, the way the grammar says:
 *
 *     expression = expression ("+" | "-") term | term
 *     term       = factor { "*" factor }
 *     factor     = number | "(" expression ")"
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static const char *cursor;
static int errors = 0;

static void skip_spaces(void)
{
    while (*cursor == ' ')
        cursor++;
}

static int accept(char symbol)
{
    skip_spaces();
    if (*cursor != symbol)
        return 0;
    cursor++;
    return 1;
}

static int expression(void);

static int factor(void)
{
    int value = 0;
    if (accept('(')) {
        value = expression();
        if (!accept(')'))
            errors++;
        return value;
    }
    if (!isdigit((unsigned char)*cursor))
        errors++;
    while (isdigit((unsigned char)*cursor))
        value = 10 * value + (*cursor++ - '0');
    return value;
}

static int term(void)
{
    int product = factor();
    while (accept('*'))
        product *= factor();
    return product;
}

static int expression(void)
{
    int left = expression();
    if (accept('+'))
        return left + term();
    if (accept('-'))
        return left - term();
    return left;
}

int main(int argc, char **argv)
{
    cursor = argc > 1 ? argv[1] : "1 + 1";
    if (argc > 2)
        printf("%s = ", cursor);
    int value = expression();
    skip_spaces();
    if (*cursor != '\0' || errors > 0) {
        fprintf(stderr, "cannot read: %s\n", cursor);
        return 1;
    }
    printf("%d\n", value);
    return 0;
}
