#include "bank.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <stdexcept>

static const int FIRST_NUMBER = 1000;
static const int DAYS_OF_A_MONTH = 30;

Bank::Bank(const std::string &name) : name(name), today(1) {}

int Bank::add(Account *account)
{
    accounts.push_back(std::unique_ptr<Account>(account));
    return account->number();
}

int Bank::open_savings(const std::string &owner, int balance, int percent)
{
    int number = FIRST_NUMBER + static_cast<int>(accounts.size());
    return add(new SavingsAccount(number, owner, balance, percent));
}

int Bank::open_current(const std::string &owner, int balance, int fee)
{
    int number = FIRST_NUMBER + static_cast<int>(accounts.size());
    return add(new CurrentAccount(number, owner, balance, fee));
}

Account *Bank::find(int number) const
{
    for (const auto &account : accounts)
        if (account->number() == number)
            return account.get();
    throw std::out_of_range("no such account");
}

int Bank::balance(int number) const
{
    return find(number)->balance();
}

void Bank::transfer(int from, int to, int amount)
{
    Account *source = find(from);
    Account *target = find(to);
    source->withdraw(amount);
    target->deposit(amount);
    source->record(today, -amount, "to " + target->owner());
    target->record(today, amount, "from " + source->owner());
    transfers_by_owner[source->owner()]++;
}

void Bank::pay_in(int to, int amount)
{
    Account *target = find(to);
    target->deposit(amount);
    target->record(today, amount, "cash");
}

void Bank::next_day()
{
    today++;
    if (today % DAYS_OF_A_MONTH != 0)
        return;
    for (const auto &account : accounts)
        account->end_of_month();
}

int Bank::total() const
{
    int sum = 0;
    for (const auto &account : accounts)
        sum += account->balance();
    return sum;
}

void Bank::print_statement(int number) const
{
    const Account *account = find(number);
    std::cout << account->owner() << ", " << account->kind() << " account " << number << '\n';
    for (const Entry &entry : account->entries())
        std::cout << std::setw(4) << entry.day << std::setw(8) << entry.amount << "  " << entry.text << '\n';
    std::cout << "    " << std::setw(8) << account->balance() << '\n';
}

void Bank::print_summary() const
{
    std::cout << name << ", day " << today << ": " << accounts.size() << " accounts with " << total() << '\n';
    std::string busiest;
    int most = 0;
    for (const auto &owner : transfers_by_owner) {
        if (owner.second > most) {
            most = owner.second;
            busiest = owner.first;
        }
    }
    if (most > 0)
        std::cout << "most transfers: " << busiest << " with " << most << '\n';
}
