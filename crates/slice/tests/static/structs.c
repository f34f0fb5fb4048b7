#include <stdlib.h> // kept
struct node { // kept
    int value; // kept
    int weight; // kept
    struct node *next; // kept
};
static struct node *push(struct node *list, int value) // kept
{
    struct node *fresh = malloc(sizeof *fresh); // kept
    fresh->value = value;
    fresh->weight = 2 * value;
    fresh->next = list; // kept
    return fresh; // kept
}
int main(void) // kept
{
    struct node *list = NULL; // kept
    list = push(list, 3); // kept
    list = push(list, 4); // kept
    int total = 0;
    for (struct node *at = list; at; at = at->next)
        total += at->weight;
    list->next->next->value = 1; // criterion
    return total;
}
