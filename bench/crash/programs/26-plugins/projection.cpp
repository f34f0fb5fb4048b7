#include <iostream>
#include <vector>

class Plugin {
public:
    Plugin() { announce(); }

    virtual std::string name() = 0;

    void announce()
    {
        std::cout << "loading " << name() << '\n';
    }
};

class Shout : public Plugin {
public:
    Shout() {}
    std::string name() { return "shout"; }
};

int main()
{
    std::vector<Plugin *> plugins;
    plugins.push_back(new Shout());
}
