#include "simulation.h"

int main()
{
    Simulation simulation;
    simulation.run();
}
