/* The stock of a small shop. Commands: +NAME adds an item, -NAME discards it, = prints what all is worth. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    int quantity;
    int price;
    char name[20];
};

struct item *shelf[16];
int shelf_count = 0;

static int price_of(const char *name)
{
    /* Long names sell better. */
    return 3 * (int)strlen(name) + 1;
}

static void add_item(const char *name)
{
    struct item *item = malloc(sizeof(struct item));
    item->quantity = 10;
    item->price = price_of(name);
    snprintf(item->name, sizeof(item->name), "%s", name);
    shelf[shelf_count] = item;
    shelf_count++;
}

static void discard_item(const char *name)
{
    for (int i = 0; i < shelf_count; i++) {
        struct item *item = shelf[i];
        if (strcmp(item->name, name) == 0) {
            printf("discarding %d of %s\n", item->quantity, item->name);
            free(item);
            return;
        }
    }
    printf("there is no %s\n", name);
}

static int stock_value(void)
{
    int total = 0;
    for (int i = 0; i < shelf_count; i++) {
        struct item *item = shelf[i];
        total += item->quantity * item->price;
    }
    return total;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i] + 1;
        switch (argv[i][0]) {
        case '+':
            add_item(name);
            break;
        case '-':
            discard_item(name);
            break;
        case '=':
            printf("worth %d\n", stock_value());
            break;
        default:
            fprintf(stderr, "what is %s?\n", argv[i]);
        }
    }
    return 0;
}
