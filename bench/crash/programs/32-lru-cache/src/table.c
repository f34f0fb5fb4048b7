#include "table.h"

#include <stdlib.h>
#include <string.h>

static size_t hash(const char *key)
{
    size_t value = 5381;
    for (; *key != '\0'; key++)
        value = value * 33 + (unsigned char)*key;
    return value;
}

static struct slot **bucket_of(const struct table *table, const char *key)
{
    return &table->buckets[hash(key) % table->size];
}

int table_init(struct table *table, size_t size)
{
    table->buckets = malloc(size * sizeof(struct slot *));
    if (table->buckets == NULL)
        return 0;
    for (size_t i = 0; i < size; i++)
        table->buckets[i] = NULL;
    table->size = size;
    table->used = 0;
    return 1;
}

struct node *table_find(const struct table *table, const char *key)
{
    struct slot *slot = *bucket_of(table, key);
    while (slot != NULL && strcmp(slot->key, key) != 0)
        slot = slot->next;
    return slot == NULL ? NULL : slot->node;
}

int table_insert(struct table *table, const char *key, struct node *node)
{
    struct slot **bucket = bucket_of(table, key);
    struct slot *slot = malloc(sizeof(struct slot));
    if (slot == NULL)
        return 0;
    char *copy = malloc(strlen(key) + 1);
    if (copy == NULL) {
        free(slot);
        return 0;
    }
    strcpy(copy, key);
    slot->key = copy;
    slot->node = node;
    slot->next = *bucket;
    *bucket = slot;
    table->used++;
    return 1;
}

/* Takes the key out of its bucket. */
void table_remove(struct table *table, const char *key)
{
    struct slot **bucket = bucket_of(table, key);
    struct slot *slot = *bucket;
    if (slot != NULL && strcmp(slot->key, key) == 0) {
        *bucket = slot->next;
        free((char *)slot->key);
        free(slot);
        table->used--;
    }
}

size_t table_longest_chain(const struct table *table)
{
    size_t longest = 0;
    for (size_t i = 0; i < table->size; i++) {
        size_t length = 0;
        for (struct slot *slot = table->buckets[i]; slot != NULL; slot = slot->next)
            length++;
        if (length > longest)
            longest = length;
    }
    return longest;
}

void table_destroy(struct table *table)
{
    for (size_t i = 0; i < table->size; i++) {
        struct slot *slot = table->buckets[i];
        while (slot != NULL) {
            struct slot *next = slot->next;
            free((char *)slot->key);
            free(slot);
            slot = next;
        }
    }
    free(table->buckets);
}
