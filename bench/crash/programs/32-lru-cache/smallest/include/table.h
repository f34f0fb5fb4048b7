struct slot {
    struct node *node;
};

struct table {
    struct slot **buckets;
};

int table_init();
struct node *table_find();
int table_insert();
