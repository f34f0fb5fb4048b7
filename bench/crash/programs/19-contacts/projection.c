#include <stdlib.h>

struct contact {
    char *name;
    long phone;
};

struct contact *book = NULL;

struct contact *find()
{
    struct contact *contact = book;
    return contact;
}

long phone_of()
{
    struct contact *contact = find();
    return contact->phone;
}

int main()
{
        phone_of();
}
