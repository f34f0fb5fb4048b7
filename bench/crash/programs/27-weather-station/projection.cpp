#include <string>
#include <vector>

class Display {
public:
    virtual void update(int temperature) = 0;
};

class AverageDisplay : public Display {
public:
    AverageDisplay() {}
    void update(int temperature)
    {
    }
};

class Station {
public:
    void attach(Display *display) { displays.push_back(display); }

    void measure(int temperature)
    {
        for (Display *display : displays)
            display->update(temperature);
    }

    std::vector<Display *> displays;
};

int main(int argc, char **argv)
{
    Station station;
    Display *average = new AverageDisplay();
    station.attach(average);

    for (int i = 1; i < argc; i++) {
        if (std::string(argv[i]) == "off") {
            delete average;
            continue;
        }
        station.measure(std::atoi(argv[i]));
    }
}
