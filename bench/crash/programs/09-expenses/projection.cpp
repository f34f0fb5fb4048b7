#include <iostream>

int main()
{
    std::string line;

    while (std::getline(std::cin, line)) {
        if (line.empty() || line[0] == '#')
            continue;
        std::string::size_type semicolon = line.find(';');
        std::string field = line.substr(semicolon + 1);
        int amount = std::stoi(field);
    }
}
