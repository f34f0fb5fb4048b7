#include <iostream>
class Plugin {
public:
    Plugin() { announce(); }

    virtual std::string name() = 0;

    void announce()
    {
        std::cout << "loading " << name() << '\n';
    }
};

class Shout : Plugin {
    std::string name() {}
};

int main()
{
    new Shout;
}
