#include <stdio.h>
#define LIMIT 10
#ifdef DEBUG
static int debug = 1;
#else
static int debug;
#endif

typedef struct node { int value; struct node *next, *previous; unsigned flags : 3; } node_t;
enum color { RED, GREEN = 4, BLUE, };

/* The sum of a list. */
static inline int sum(const node_t *list, int start)
{
    int total = start, count = 0;
    for (int i = 0; i < LIMIT && list != NULL; i++, list = list->next) {
        if (list->value > 3) // large
            total += list->value * 2;
        else if (list->value < 0)
            continue;
        else {
            total -= (list->value + count) % 7;
            count++;
        }
    }
    switch (total) {
    case 1:
        return 1;
    case 2: {
        total = -total;
        break;
    }
    default:
        goto end;
    }
    do { total--; } while (total > 100);
    while (count) count = count - 1;
end:
    return total ? total : (int)sizeof(node_t);
}

int table[3][2] = { { 1, 2 }, { 3, 4 }, { [0] = 5, [1] = 6 } };

int main(int argc, char **argv)
{
    node_t last = { .value = 42, .next = NULL };
    int (*function)(const node_t *, int) = &sum;
    printf("%d %s\n", function(&last, argc), argv[0]);
    return 0;
}
