#include <assert.h>
struct account {
    int balance;
};

struct account accounts[];

struct account *find_account()
{
            return accounts;
}

void withdraw(struct account *account, int amount)
{
    account->balance -= amount;
    assert(account->balance >= 0);
}

void transfer(struct account *from)
{
    withdraw(from, 5);
}

int main()
{
        struct account *from = find_account();
        transfer(from);
}
