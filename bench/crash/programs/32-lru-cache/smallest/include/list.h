struct node {
    struct node *previous;
    struct node *next;
};

void list_move_to_front();
