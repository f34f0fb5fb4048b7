#ifndef BANK_H
#define BANK_H

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "account.h"

class Bank {
public:
    explicit Bank(const std::string &name);

    int open_savings(const std::string &owner, int balance, int percent);
    int open_current(const std::string &owner, int balance, int fee);

    void transfer(int from, int to, int amount);
    void pay_in(int to, int amount);
    void next_day();

    Account *find(int number) const;
    int balance(int number) const;
    int total() const;
    int day() const { return today; }
    std::size_t size() const { return accounts.size(); }
    void print_statement(int number) const;
    void print_summary() const;

private:
    int add(Account *account);

    std::string name;
    std::vector<std::unique_ptr<Account>> accounts;
    std::map<std::string, int> transfers_by_owner;
    int today;
};

#endif
