#ifndef TABLE_H
#define TABLE_H

/* A hash table from keys to nodes of a list. The nodes belong to somebody else. */

#include <stddef.h>

struct node;

struct slot {
    const char *key;
    struct node *node;
    struct slot *next;
};

struct table {
    struct slot **buckets;
    size_t size;
    size_t used;
};

int table_init(struct table *table, size_t size);
struct node *table_find(const struct table *table, const char *key);
int table_insert(struct table *table, const char *key, struct node *node);
void table_remove(struct table *table, const char *key);
size_t table_longest_chain(const struct table *table);
void table_destroy(struct table *table);

#endif
