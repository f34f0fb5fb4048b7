#include "bank.h"

class Simulation {
public:
    void run();

    void step();
    void spend();

    Bank bank;
};
