// A lending library: members borrow books and bring them back. Input: "borrow MEMBER BOOK" or "return MEMBER BOOK".
#include <cassert>
#include <iostream>
#include <string>

class Book {
public:
    Book() : copies(0), lent(0) {}

    void add(const std::string &new_title, int new_copies)
    {
        title = new_title;
        copies += new_copies;
    }

    bool available() const { return lent < copies; }
    void lend() { lent++; }
    void take_back() { lent--; }
    const std::string &name() const { return title; }

private:
    std::string title;
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

    void give_back(Book &book)
    {
        book.take_back();
        loans--;
        assert(loans >= 0);
    }

    int count() const { return loans; }

private:
    int loans;
};

class Library {
public:
    Library()
    {
        books[0].add("Emma", 1);
        books[1].add("Faust", 2);
    }

    void handle(const std::string &action, int member, int book)
    {
        if (action == "return")
            members[member].give_back(books[book]);
        else if (books[book].available())
            members[member].borrow(books[book]);
        else
            std::cout << books[book].name() << " is out\n";
    }

    void report() const
    {
        for (int i = 0; i < 3; i++)
            std::cout << "member " << i << " has " << members[i].count() << '\n';
    }

private:
    Book books[2];
    Member members[3];
};

int main()
{
    Library library;
    std::string action;
    int member, book;
    while (std::cin >> action >> member >> book)
        if (member >= 0 && member < 3 && book >= 0 && book < 2)
            library.handle(action, member, book);
    library.report();
    return 0;
}
