/* The queue of a printer: jobs come in, are served in order, and can be listed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
    char title[32];
    int pages;
    struct job *next;
};

struct queue {
    struct job *head;
    struct job *tail;
    int length;
};

static void enqueue(struct queue *queue, const char *title, int pages)
{
    struct job *job = malloc(sizeof(struct job));
    strncpy(job->title, title, sizeof(job->title) - 1);
    job->title[sizeof(job->title) - 1] = '\0';
    job->pages = pages;
    job->next = NULL;
    if (queue->head == NULL)
        queue->head = job;
    else
        queue->tail->next = job;
    queue->tail = job;
    queue->length++;
}

static struct job *dequeue(struct queue *queue)
{
    struct job *first = queue->head;
    queue->head = first->next;
    if (queue->head == NULL)
        queue->tail = NULL;
    queue->length--;
    return first;
}

static void list(const struct queue *queue)
{
    for (struct job *job = queue->head; job != NULL; job = job->next)
        printf("  %s (%d pages)\n", job->title, job->pages);
}

static int serve(struct queue *queue, int sheets)
{
    int printed = 0;
    while (sheets > 0) {
        struct job *job = dequeue(queue);
        printf("printing %s\n", job->title);
        sheets -= job->pages;
        printed++;
        free(job);
    }
    return printed;
}

int main(int argc, char **argv)
{
    struct queue queue = {NULL, NULL, 0};
    int sheets = argc > 1 ? atoi(argv[1]) : 10;

    enqueue(&queue, "letter", 2);
    enqueue(&queue, "thesis", 88);
    enqueue(&queue, "invoice", 1);
    list(&queue);

    printf("%d jobs printed\n", serve(&queue, sheets));
    printf("%d jobs left\n", queue.length);
    return 0;
}
