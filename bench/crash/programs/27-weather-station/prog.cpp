// A weather station that tells its displays about every new measurement.
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

class Display {
public:
    virtual ~Display() {}
    virtual void update(int temperature) = 0;
};

class CurrentDisplay : public Display {
public:
    void update(int temperature) override { std::cout << "now " << temperature << '\n'; }
};

class AverageDisplay : public Display {
public:
    AverageDisplay() : sum(0), count(0) {}
    void update(int temperature) override
    {
        sum += temperature;
        count++;
        std::cout << "average " << sum / count << '\n';
    }

private:
    int sum, count;
};

class Station {
public:
    void attach(Display *display) { displays.push_back(display); }

    void detach(Display *display)
    {
        for (std::size_t i = 0; i < displays.size(); i++) {
            if (displays[i] == display)
                displays.erase(displays.begin() + i);
        }
    }

    void measure(int temperature)
    {
        measurements++;
        for (Display *display : displays)
            display->update(temperature);
    }

    int total() const { return measurements; }

private:
    std::vector<Display *> displays;
    int measurements = 0;
};

int main(int argc, char **argv)
{
    Station station;
    Display *current = new CurrentDisplay();
    Display *average = new AverageDisplay();
    station.attach(current);
    station.attach(average);

    for (int i = 1; i < argc; i++) {
        if (std::string(argv[i]) == "off") {
            delete average;
            continue;
        }
        station.measure(std::atoi(argv[i]));
    }

    std::cout << station.total() << " measurements\n";
    station.detach(current);
    delete current;
    return 0;
}
