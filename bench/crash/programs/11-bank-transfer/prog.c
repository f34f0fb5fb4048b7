/* A few bank accounts and transfers between them. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct account {
    int number;
    const char *owner;
    int balance;
};

struct account accounts[3] = {
    {100, "Ann", 250},
    {101, "Bert", 40},
    {102, "Carla", 980},
};

static struct account *find_account(int number)
{
    for (int i = 0; i < 3; i++)
        if (accounts[i].number == number)
            return &accounts[i];
    return NULL;
}

static void deposit(struct account *account, int amount)
{
    account->balance += amount;
}

static void withdraw(struct account *account, int amount)
{
    account->balance -= amount;
    /* Nobody may owe the bank money. */
    assert(account->balance >= 0);
}

static void transfer(struct account *from, struct account *to, int amount)
{
    withdraw(from, amount + 5); /* the fee */
    deposit(to, amount);
}

static void print_accounts(void)
{
    for (int i = 0; i < 3; i++)
        printf("%d %-8s %6d\n", accounts[i].number, accounts[i].owner, accounts[i].balance);
}

int main(int argc, char **argv)
{
    print_accounts();
    for (int i = 1; i + 2 < argc; i += 3) {
        struct account *from = find_account(atoi(argv[i]));
        struct account *to = find_account(atoi(argv[i + 1]));
        if (from == NULL || to == NULL) {
            fprintf(stderr, "no such account\n");
            return 1;
        }
        transfer(from, to, atoi(argv[i + 2]));
    }
    print_accounts();
    return 0;
}
