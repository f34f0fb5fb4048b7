#ifndef ACCOUNT_H
#define ACCOUNT_H

#include <string>
#include <vector>

// What happened to an account.
struct Entry {
    int day;
    int amount;
    std::string text;
};

class Account {
public:
    Account(int number, const std::string &owner, int balance);
    virtual ~Account();

    virtual void deposit(int amount);
    virtual void withdraw(int amount);
    virtual void end_of_month() = 0;
    virtual std::string kind() const = 0;

    void record(int day, int amount, const std::string &text);

    int number() const { return account_number; }
    int balance() const { return current_balance; }
    const std::string &owner() const { return owner_name; }
    const std::vector<Entry> &entries() const { return journal; }

protected:
    void change_balance(int amount) { current_balance += amount; }

private:
    int account_number;
    std::string owner_name;
    int current_balance;
    std::vector<Entry> journal;
};

// Earns interest, but not every withdrawal is free.
class SavingsAccount : public Account {
public:
    SavingsAccount(int number, const std::string &owner, int balance, int percent);

    void withdraw(int amount) override;
    void end_of_month() override;
    std::string kind() const override { return "savings"; }

private:
    int percent;
    int withdrawals;
};

// Has a fee for every withdrawal and one for every month.
class CurrentAccount : public Account {
public:
    CurrentAccount(int number, const std::string &owner, int balance, int fee);

    void withdraw(int amount) override;
    void end_of_month() override;
    std::string kind() const override { return "current"; }

private:
    int fee;
};

#endif
