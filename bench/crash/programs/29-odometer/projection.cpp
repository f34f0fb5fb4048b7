#include <cstdlib>

class Odometer {
public:
    Odometer(int start) : reading(start) {}

    void advance(int metres)
    {
        reading = reading + metres;
    }

    int reading;
};

class Vehicle {
public:
    Vehicle(int metres) : odometer(metres) {}

    void drive(int kilometres)
    {
        odometer.advance(1000 * kilometres);
    }

    Odometer odometer;
};

class Truck : public Vehicle {
public:
    Truck(int metres) : Vehicle(metres) {}
};

int main(int argc, char **argv)
{
    Truck truck(2147000000);
    for (int i = 1; i < argc; i++) {
        int kilometres = std::atoi(argv[i]);
        truck.drive(kilometres);
    }
}
