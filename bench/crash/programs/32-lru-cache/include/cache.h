#ifndef CACHE_H
#define CACHE_H

/* A cache that forgets what was not used for longest. */

#include <stddef.h>

#include "list.h"
#include "table.h"

struct statistics {
    unsigned hits;
    unsigned misses;
    unsigned evictions;
};

struct cache {
    struct list list;
    struct table table;
    size_t capacity;
    struct statistics statistics;
};

struct cache *cache_new(size_t capacity);
const char *cache_get(struct cache *cache, const char *key);
void cache_put(struct cache *cache, const char *key, const char *value);
int cache_forget(struct cache *cache, const char *key);
void cache_free(struct cache *cache);

#endif
