#include <stdlib.h> // kept
struct node { // kept
    int value; // kept
    struct node *next; // kept
};
static struct node *push(struct node *list, int value) // kept
{
    struct node *fresh = malloc(sizeof *fresh); // kept
    fresh->value = value;
    fresh->next = list; // kept
    return fresh; // kept
}
static struct node *reversed(struct node *list)
{
    struct node *result = NULL;
    for (; list; list = list->next)
        result = push(result, list->value);
    return result;
}
int main(int argc, char **argv) // kept
{
    (void)argv;
    struct node *list = push(NULL, 1); // kept
    if (argc > 5)
        list = reversed(list);
    int noise = list->value;
    noise++;
    list->next->value = 3; // criterion
    return noise;
}
