struct contact {
    long phone;
};

long phone_of()
{
    struct contact *contact = 0;
    return contact->phone;
}

int main()
{
        phone_of();
}
