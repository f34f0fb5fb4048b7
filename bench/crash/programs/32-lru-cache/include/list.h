#ifndef LIST_H
#define LIST_H

/* A list with links in both directions, most recently used first. */

#include <stddef.h>

struct node {
    struct node *previous;
    struct node *next;
    char key[32];
    char value[64];
};

struct list {
    struct node head; /* a sentinel: its next is the first node, its previous the last */
    size_t length;
};

void list_init(struct list *list);
void list_unlink(struct list *list, struct node *node);
void list_push_front(struct list *list, struct node *node);
void list_move_to_front(struct list *list, struct node *node);
struct node *list_last(struct list *list);

#endif
