#include <cassert>
class Member {
public:
    Member() : loans() {}

    void give_back()
    {
        loans--;
        assert(loans >= 0);
    }

    int loans;
};

class Library {
public:
    void handle()
    {
            members[0].give_back();
    }

    Member members[3];
};

int main()
{
    Library library;
            library.handle();
}
