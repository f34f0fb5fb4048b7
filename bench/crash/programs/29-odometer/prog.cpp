// Vehicles of a hire firm, with their odometers in metres.
#include <cstdlib>
#include <iostream>
#include <string>

class Odometer {
public:
    explicit Odometer(int start) : reading(start) {}

    void advance(int metres)
    {
        reading = reading + metres;
    }

    int kilometres() const { return reading / 1000; }

private:
    int reading;
};

class Vehicle {
public:
    Vehicle(const std::string &plate, int metres) : plate(plate), odometer(metres), trips(0) {}
    virtual ~Vehicle() {}

    virtual void drive(int kilometres)
    {
        odometer.advance(1000 * kilometres);
        trips++;
    }

    virtual int fee() const { return 40 * trips; }

    void print() const
    {
        std::cout << plate << ": " << odometer.kilometres() << " km, " << trips << " trips, fee " << fee() << '\n';
    }

protected:
    std::string plate;
    Odometer odometer;
    int trips;
};

class Truck : public Vehicle {
public:
    Truck(const std::string &plate, int metres, int load) : Vehicle(plate, metres), load(load) {}

    int fee() const override { return 90 * trips + 2 * load; }

private:
    int load;
};

int main(int argc, char **argv)
{
    Vehicle car("KA 10", 51200000);
    Truck truck("KA 77", 2147000000, 12);
    car.drive(120);
    for (int i = 1; i < argc; i++) {
        int kilometres = std::atoi(argv[i]);
        if (kilometres > 400)
            std::cout << "a long trip\n";
        truck.drive(kilometres);
    }
    car.print();
    truck.print();
    return 0;
}
