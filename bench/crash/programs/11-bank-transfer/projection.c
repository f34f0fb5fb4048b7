#include <assert.h>
#include <stdlib.h>

struct account {
    int number;
    int balance;
};

struct account accounts[3] = {
    {100, 250},
    {101, 40},
    {102, 980},
};

struct account *find_account(int number)
{
    for (int i = 0; i < 3; i++)
        if (accounts[i].number == number)
            return &accounts[i];
    return NULL;
}

void withdraw(struct account *account, int amount)
{
    account->balance -= amount;
    assert(account->balance >= 0);
}

void transfer(struct account *from, int amount)
{
    withdraw(from, amount + 5);
}

int main(int argc, char **argv)
{
    for (int i = 1; i + 2 < argc; i += 3) {
        struct account *from = find_account(atoi(argv[i]));
        transfer(from, atoi(argv[i + 2]));
    }
}
