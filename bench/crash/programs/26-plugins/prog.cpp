// Filters for text, each of them a plug-in that announces itself when it is made.
#include <cctype>
#include <iostream>
#include <string>
#include <vector>

class Plugin {
public:
    explicit Plugin(int priority) : priority(priority) { announce(); }
    virtual ~Plugin() {}

    virtual std::string name() const = 0;
    virtual std::string apply(const std::string &text) const { return text; }

    int rank() const { return priority; }

protected:
    void announce() const
    {
        std::cout << "loading " << name() << '\n';
    }

private:
    int priority;
};

class Shout : public Plugin {
public:
    Shout() : Plugin(2) {}
    std::string name() const override { return "shout"; }
    std::string apply(const std::string &text) const override
    {
        std::string loud;
        for (char c : text)
            loud += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        return loud;
    }
};

class Mirror : public Plugin {
public:
    Mirror() : Plugin(1) {}
    std::string name() const override { return "mirror"; }
    std::string apply(const std::string &text) const override { return std::string(text.rbegin(), text.rend()); }
};

int main(int argc, char **argv)
{
    std::string text = argc > 1 ? argv[1] : "hello";
    std::vector<Plugin *> plugins;
    plugins.push_back(new Shout());
    plugins.push_back(new Mirror());

    int highest = 0;
    for (Plugin *plugin : plugins) {
        text = plugin->apply(text);
        if (plugin->rank() > highest)
            highest = plugin->rank();
    }
    std::cout << text << " (" << highest << ")\n";
    for (Plugin *plugin : plugins)
        delete plugin;
    return 0;
}
