/* Reads commands for a cache from standard input:
 *
 *     put KEY VALUE
 *     forget KEY
 *     get KEY
 *     list
 *     statistics
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache.h"

#define LINE_LENGTH 200
#define COMMANDS 5

struct command {
    const char *name;
    int arguments;
    void (*run)(struct cache *cache, char *words[]);
};

static void run_put(struct cache *cache, char *words[])
{
    cache_put(cache, words[1], words[2]);
}

static void run_forget(struct cache *cache, char *words[])
{
    if (!cache_forget(cache, words[1]))
        printf("%s: not there\n", words[1]);
}

static void run_get(struct cache *cache, char *words[])
{
    const char *value = cache_get(cache, words[1]);
    if (value == NULL)
        printf("%s: not there\n", words[1]);
    else
        printf("%s: %s\n", words[1], value);
}

static void run_list(struct cache *cache, char *words[])
{
    (void)words;
    struct node *end = &cache->list.head;
    for (struct node *node = end->next; node != end; node = node->next)
        printf("  %s = %s\n", node->key, node->value);
}

static void run_statistics(struct cache *cache, char *words[])
{
    (void)words;
    const struct statistics *statistics = &cache->statistics;
    printf("%u hits, %u misses, %u evictions\n", statistics->hits, statistics->misses, statistics->evictions);
    printf("%zu keys, longest chain %zu\n", cache->table.used, table_longest_chain(&cache->table));
}

static const struct command commands[] = {
    {"put", 2, run_put},
    {"forget", 1, run_forget},
    {"get", 1, run_get},
    {"list", 0, run_list},
    {"statistics", 0, run_statistics},
};

/* Cuts the line at its spaces; no command has more than two arguments. */
static int split(char *line, char *words[], int limit)
{
    int count = 0;
    for (char *word = strtok(line, " \n"); word != NULL && count < limit; word = strtok(NULL, " \n"))
        words[count++] = word;
    return count;
}

static void execute(struct cache *cache, char *line)
{
    char *words[3] = {NULL, NULL, NULL};
    int count = split(line, words, 3);
    if (count == 0)
        return;
    for (int i = 0; i < COMMANDS; i++) {
        const struct command *command = &commands[i];
        if (strcmp(command->name, words[0]) != 0)
            continue;
        if (count - 1 < command->arguments)
            printf("%s needs %d words\n", command->name, command->arguments);
        else
            command->run(cache, words);
        return;
    }
    printf("unknown command: %s\n", words[0]);
}

int main(int argc, char **argv)
{
    size_t capacity = argc > 1 ? (size_t)atoi(argv[1]) : 8;
    if (capacity == 0) {
        fprintf(stderr, "the cache must have room for something\n");
        return 2;
    }
    struct cache *cache = cache_new(capacity);
    if (cache == NULL) {
        fprintf(stderr, "out of memory\n");
        return 1;
    }

    char line[LINE_LENGTH];
    while (fgets(line, sizeof(line), stdin) != NULL)
        execute(cache, line);

    cache_free(cache);
    return 0;
}
