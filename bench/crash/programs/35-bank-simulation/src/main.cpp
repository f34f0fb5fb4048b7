// Simulates the customers of a bank: bank-simulation DAYS [SEED]
#include <cstdlib>
#include <iostream>

#include "bank.h"
#include "simulation.h"

int main(int argc, char **argv)
{
    int days = argc > 1 ? std::atoi(argv[1]) : 30;
    unsigned seed = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
    if (days <= 0) {
        std::cerr << "usage: " << argv[0] << " DAYS [SEED]\n";
        return 2;
    }

    Bank bank("First Stone Bank");
    Simulation simulation(bank, seed);
    simulation.add_customer("Ann", 900);
    simulation.add_customer("Bert", 640);
    simulation.add_customer("Carla", 300);
    simulation.add_customer("Dirk", 120);

    int before = bank.total();
    simulation.run(days);
    std::cout << "from " << before << " to " << bank.total() << '\n';
    simulation.report();
    return 0;
}
