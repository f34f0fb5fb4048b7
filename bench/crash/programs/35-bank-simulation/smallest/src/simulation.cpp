#include "simulation.h"

void Simulation::run()
{
        step();
}

void Simulation::step()
{
            spend();
}

void Simulation::spend()
{
    bank.transfer();
}
