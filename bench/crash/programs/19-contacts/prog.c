/* A telephone book as a sorted list. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct contact {
    const char *name;
    long phone;
    struct contact *next;
};

static struct contact *book = NULL;

static void insert(const char *name, long phone)
{
    struct contact **place = &book;
    while (*place != NULL && strcmp((*place)->name, name) < 0)
        place = &(*place)->next;
    struct contact *contact = malloc(sizeof *contact);
    contact->name = name;
    contact->phone = phone;
    contact->next = *place;
    *place = contact;
}

static struct contact *find(const char *name)
{
    struct contact *contact = book;
    while (contact != NULL && strcmp(contact->name, name) != 0)
        contact = contact->next;
    return contact;
}

static long phone_of(const char *name)
{
    struct contact *contact = find(name);
    return contact->phone;
}

static int count(void)
{
    int contacts = 0;
    for (struct contact *contact = book; contact != NULL; contact = contact->next)
        contacts++;
    return contacts;
}

int main(int argc, char **argv)
{
    insert("Erna", 4711);
    insert("Ole", 1234567);
    insert("Anton", 998877);
    printf("%d contacts\n", count());

    for (int i = 1; i < argc; i++) {
        long phone = phone_of(argv[i]);
        printf("%s: %ld\n", argv[i], phone);
    }
    return 0;
}
