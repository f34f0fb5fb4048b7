#include <vector>
class Display {
public:
    virtual void update(int) = 0;
};

class AverageDisplay : public Display {
    void update(int) {}
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

int main()
{
    Station station;
    Display *average = new AverageDisplay;
    station.attach(average);
            delete average;
        station.measure(0);
}
