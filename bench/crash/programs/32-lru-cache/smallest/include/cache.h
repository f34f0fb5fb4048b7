#include "list.h"
#include "table.h"

struct cache {
    struct table table;
};

struct cache *cache_new();
char cache_get();
void cache_put();
int cache_forget();
