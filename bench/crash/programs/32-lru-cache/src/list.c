#include "list.h"

void list_init(struct list *list)
{
    list->head.previous = &list->head;
    list->head.next = &list->head;
    list->length = 0;
}

void list_unlink(struct list *list, struct node *node)
{
    node->previous->next = node->next;
    node->next->previous = node->previous;
    list->length--;
}

void list_push_front(struct list *list, struct node *node)
{
    node->previous = &list->head;
    node->next = list->head.next;
    list->head.next->previous = node;
    list->head.next = node;
    list->length++;
}

void list_move_to_front(struct list *list, struct node *node)
{
    list_unlink(list, node);
    list_push_front(list, node);
}

struct node *list_last(struct list *list)
{
    return list->length == 0 ? NULL : list->head.previous;
}
