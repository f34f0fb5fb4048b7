/* A small inventory, and somewhere in it a division that a compiler complains about. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ITEMS 64
#define SHELVES 8
#define RESERVED_SHELVES 8

struct item {
    char name[32];
    int quantity;
    double price;
    int shelf;
};

struct inventory {
    struct item items[MAX_ITEMS];
    int count;
};

static void inventory_init(struct inventory *inv)
{
    inv->count = 0;
    memset(inv->items, 0, sizeof inv->items);
}

static int inventory_add(struct inventory *inv, const char *name, int quantity, double price)
{
    struct item *it;
    if (inv->count >= MAX_ITEMS)
        return -1;
    it = &inv->items[inv->count];
    strncpy(it->name, name, sizeof it->name - 1);
    it->quantity = quantity;
    it->price = price;
    it->shelf = inv->count % SHELVES;
    inv->count++;
    return inv->count - 1;
}

static double inventory_value(const struct inventory *inv)
{
    double total = 0.0;
    int i;
    for (i = 0; i < inv->count; i++)
        total += inv->items[i].quantity * inv->items[i].price;
    return total;
}

static int items_per_free_shelf(const struct inventory *inv)
{
    int total = 0;
    int i;
    for (i = 0; i < inv->count; i++) {
        if (inv->items[i].quantity > 0)
            total += inv->items[i].quantity;
        else
            fprintf(stderr, "%s is out of stock\n", inv->items[i].name);
    }
    return total / (SHELVES - RESERVED_SHELVES);
}

static int compare_by_value(const void *a, const void *b)
{
    const struct item *x = a;
    const struct item *y = b;
    double difference = x->quantity * x->price - y->quantity * y->price;
    return difference < 0 ? -1 : difference > 0;
}

static void inventory_print(struct inventory *inv)
{
    int i;
    qsort(inv->items, inv->count, sizeof inv->items[0], compare_by_value);
    for (i = 0; i < inv->count; i++) {
        const struct item *it = &inv->items[i];
        printf("%-32s %5d x %8.2f (shelf %d)\n", it->name, it->quantity, it->price, it->shelf);
    }
    printf("%-32s %16.2f\n", "total", inventory_value(inv));
}

int main(int argc, char **argv)
{
    struct inventory inv;
    inventory_init(&inv);
    inventory_add(&inv, "bolt", 1200, 0.02);
    inventory_add(&inv, "washer", 4000, 0.01);
    inventory_add(&inv, "hammer", 12, 14.95);
    if (argc > 1 && strcmp(argv[1], "--shelves") == 0)
        printf("%d items per shelf\n", items_per_free_shelf(&inv));
    inventory_print(&inv);
    return EXIT_SUCCESS;
}
