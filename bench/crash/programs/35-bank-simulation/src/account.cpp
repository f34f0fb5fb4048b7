#include "account.h"

#include <stdexcept>

static const int FREE_WITHDRAWALS = 3;
static const int WITHDRAWAL_FEE = 2;

Account::Account(int number, const std::string &owner, int balance)
    : account_number(number), owner_name(owner), current_balance(balance)
{
    record(0, balance, "opened");
}

Account::~Account() {}

void Account::deposit(int amount)
{
    if (amount <= 0)
        throw std::invalid_argument("a deposit must be positive");
    current_balance += amount;
}

void Account::withdraw(int amount)
{
    if (amount <= 0)
        throw std::invalid_argument("a withdrawal must be positive");
    if (amount > current_balance)
        throw std::runtime_error("insufficient funds");
    current_balance -= amount;
}

void Account::record(int day, int amount, const std::string &text)
{
    journal.push_back({day, amount, text});
}

SavingsAccount::SavingsAccount(int number, const std::string &owner, int balance, int percent)
    : Account(number, owner, balance), percent(percent), withdrawals(0)
{
}

void SavingsAccount::withdraw(int amount)
{
    withdrawals++;
    if (withdrawals > FREE_WITHDRAWALS)
        Account::withdraw(amount + WITHDRAWAL_FEE);
    else
        Account::withdraw(amount);
}

void SavingsAccount::end_of_month()
{
    change_balance(balance() * percent / 1200);
    withdrawals = 0;
}

CurrentAccount::CurrentAccount(int number, const std::string &owner, int balance, int fee)
    : Account(number, owner, balance), fee(fee)
{
}

void CurrentAccount::withdraw(int amount)
{
    Account::withdraw(amount + 1);
}

void CurrentAccount::end_of_month()
{
    if (balance() >= fee)
        change_balance(-fee);
}
