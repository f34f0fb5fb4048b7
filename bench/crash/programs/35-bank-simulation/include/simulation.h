#ifndef SIMULATION_H
#define SIMULATION_H

#include <string>
#include <vector>

#include "bank.h"
#include "dice.h"

// Customers who get their salary once a month and send each other money.
class Simulation {
public:
    Simulation(Bank &bank, unsigned seed);

    void add_customer(const std::string &name, int salary);
    void run(int days);
    void report() const;

private:
    struct Customer {
        std::string name;
        int account;
        int savings;
        int salary;
    };

    void step();
    void pay_salaries();
    void save(const Customer &customer);
    void spend(const Customer &customer);

    Bank &bank;
    Dice dice;
    std::vector<Customer> customers;
    int skipped;
};

#endif
