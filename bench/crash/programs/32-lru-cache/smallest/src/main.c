#include "cache.h"

struct command {
    void (*run)();
};

void run_put(struct cache *cache)
{
    cache_put(cache);
}

void run_forget(struct cache *cache)
{
    cache_forget(cache);
}

void run_get(struct cache *cache)
{
    cache_get(cache);
}

struct command commands[] = {
    run_put,
    run_forget,
    run_get,
};

void execute(struct cache *cache)
{
    for (int i = 0; ; i++) {
        struct command *command = &commands[i];
            command->run(cache);
    }
}

int main()
{
    struct cache *cache = cache_new();

        execute(cache);
}
