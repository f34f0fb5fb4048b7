#include "cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cache *cache_new(size_t capacity)
{
    struct cache *cache = calloc(1, sizeof(struct cache));
    if (cache == NULL)
        return NULL;
    list_init(&cache->list);
    if (!table_init(&cache->table, capacity / 2 + 1)) {
        free(cache);
        return NULL;
    }
    cache->capacity = capacity;
    return cache;
}

const char *cache_get(struct cache *cache, const char *key)
{
    struct node *node = table_find(&cache->table, key);
    if (node == NULL) {
        cache->statistics.misses++;
        return NULL;
    }
    cache->statistics.hits++;
    list_move_to_front(&cache->list, node);
    return node->value;
}

static void drop(struct cache *cache, struct node *node)
{
    list_unlink(&cache->list, node);
    table_remove(&cache->table, node->key);
    free(node);
}

static void make_room(struct cache *cache)
{
    while (cache->list.length >= cache->capacity) {
        drop(cache, list_last(&cache->list));
        cache->statistics.evictions++;
    }
}

void cache_put(struct cache *cache, const char *key, const char *value)
{
    struct node *known = table_find(&cache->table, key);
    if (known != NULL) {
        snprintf(known->value, sizeof(known->value), "%s", value);
        list_move_to_front(&cache->list, known);
        return;
    }
    make_room(cache);
    struct node *node = calloc(1, sizeof(struct node));
    snprintf(node->key, sizeof(node->key), "%s", key);
    snprintf(node->value, sizeof(node->value), "%s", value);
    list_push_front(&cache->list, node);
    table_insert(&cache->table, key, node);
}

int cache_forget(struct cache *cache, const char *key)
{
    struct node *node = table_find(&cache->table, key);
    if (node == NULL)
        return 0;
    drop(cache, node);
    return 1;
}

void cache_free(struct cache *cache)
{
    while (cache->list.length > 0)
        drop(cache, list_last(&cache->list));
    table_destroy(&cache->table);
    free(cache);
}
