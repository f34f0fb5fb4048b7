#include "cache.h"

#include <stdlib.h>

struct cache *cache_new()
{
    struct cache *cache = calloc(1, sizeof(struct cache));
    table_init(cache);
    return cache;
}

char cache_get(struct cache *cache)
{
    struct node *node = table_find(cache);
    list_move_to_front(node);
}

void drop(struct node *node)
{
    free(node);
}

void cache_put(struct cache *cache)
{
    struct node *node = calloc(0, 0);
    table_insert(cache, node);
}

int cache_forget(struct cache *cache)
{
    struct node *node = table_find(cache);
    drop(node);
}
