#include "simulation.h"

#include <iostream>

static const int PAY_DAY = 3;

Simulation::Simulation(Bank &bank, unsigned seed) : bank(bank), dice(seed), skipped(0) {}

void Simulation::add_customer(const std::string &name, int salary)
{
    Customer customer;
    customer.name = name;
    customer.account = bank.open_current(name, salary / 2, 4);
    customer.savings = bank.open_savings(name, 100, 3);
    customer.salary = salary;
    customers.push_back(customer);
}

void Simulation::run(int days)
{
    for (int day = 0; day < days; day++) {
        step();
        bank.next_day();
    }
}

void Simulation::step()
{
    if (bank.day() % 30 == PAY_DAY)
        pay_salaries();
    for (const Customer &customer : customers) {
        if (dice.below(6) == 0)
            save(customer);
        else
            spend(customer);
    }
}

void Simulation::pay_salaries()
{
    for (const Customer &customer : customers)
        bank.pay_in(customer.account, customer.salary);
}

void Simulation::save(const Customer &customer)
{
    int spare = bank.balance(customer.account) - customer.salary / 2;
    if (spare > 0)
        bank.transfer(customer.account, customer.savings, spare);
}

void Simulation::spend(const Customer &customer)
{
    const Customer &other = customers[dice.below(static_cast<int>(customers.size()))];
    int amount = 10 + dice.below(90);
    if (other.account == customer.account || bank.balance(customer.account) < amount) {
        skipped++;
        return;
    }
    bank.transfer(customer.account, other.account, amount);
}

void Simulation::report() const
{
    bank.print_summary();
    for (const Customer &customer : customers) {
        bank.print_statement(customer.account);
        bank.print_statement(customer.savings);
    }
    std::cout << skipped << " payments skipped\n";
}
