struct job {
    struct job *next;
};

struct queue {
    struct job *head;
};

struct job dequeue(struct queue *queue)
{
    struct job *first = 0;
    queue->head = first->next;
}

int serve()
{
        dequeue(0);
}

int main()
{
    serve();
}
