#include <cassert>
#include <iostream>

class Book {
public:
    Book() : copies(0), lent(0) {}

    void add(int new_copies)
    {
        copies += new_copies;
    }

    bool available() { return lent < copies; }
    void lend() { lent++; }

    int copies;
    int lent;
};

class Member {
public:
    Member() : loans(0) {}

    void borrow(Book &book)
    {
        book.lend();
        loans++;
    }

    void give_back()
    {
        loans--;
        assert(loans >= 0);
    }

    int loans;
};

class Library {
public:
    Library()
    {
        books[0].add(1);
    }

    void handle(std::string &action, int member, int book)
    {
        if (action == "return")
            members[member].give_back();
        else if (books[book].available())
            members[member].borrow(books[book]);
    }

    Book books[2];
    Member members[3];
};

int main()
{
    Library library;
    std::string action;
    int member, book;
    while (std::cin >> action >> member >> book)
            library.handle(action, member, book);
}
