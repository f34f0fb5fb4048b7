#include <stdlib.h>
struct item {
    int quantity;
    int price;
};

struct item *shelf[];

void add_item()
{
    struct item *item = malloc(0);
    shelf[0] = item;
}

void discard_item()
{
        struct item *item = shelf[0];
            free(item);
}

int stock_value()
{
    int total;
        struct item *item = shelf[0];
        total += item->quantity * item->price;
}

int main()
{
            add_item();
            discard_item();
            stock_value();
}
