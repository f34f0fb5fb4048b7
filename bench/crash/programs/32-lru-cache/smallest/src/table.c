#include "table.h"

#include <stdlib.h>

struct slot **bucket_of(struct table *table)
{
    return table->buckets;
}

int table_init(struct table *table)
{
    table->buckets = malloc(sizeof(struct slot *));
}

struct node *table_find(struct table *table)
{
    struct slot *slot = *bucket_of(table);
    return slot->node;
}

int table_insert(struct table *table, struct node *node)
{
    struct slot **bucket = bucket_of(table);
    struct slot *slot = malloc(sizeof(struct slot));
    slot->node = node;
    *bucket = slot;
}
