#include <stdio.h>

struct job {
    char title[32];
    int pages;
    struct job *next;
};

struct queue {
    struct job *head;
};

void dequeue(struct queue *queue)
{
    struct job *first = queue->head;
    queue->head = first->next;
}

int serve(struct queue *queue)
{
    int printed = 0;
        dequeue(queue);
    return printed;
}

int main()
{
    struct queue queue = {NULL};

    printf("%d jobs printed\n", serve(&queue));
}
