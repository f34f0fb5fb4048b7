#include "list.h"

void list_unlink(struct node *node)
{
    node->previous->next = node->next;
}

void list_move_to_front(struct node *node)
{
    list_unlink(node);
}
