#include <stdio.h>
#include <stdlib.h>

struct item {
    int quantity;
    int price;
};

struct item *shelf[16];
int shelf_count = 0;

void add_item()
{
    struct item *item = malloc(sizeof(struct item));
    shelf[shelf_count] = item;
    shelf_count++;
}

void discard_item()
{
    for (int i = 0; i < shelf_count; i++) {
        struct item *item = shelf[i];
            free(item);
            return;
    }
}

int stock_value()
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
    for (int i = 1; i < argc; i++)
        switch (argv[i][0]) {
        case '+':
            add_item();
            break;
        case '-':
            discard_item();
            printf("worth %d\n", stock_value());
        }
}
