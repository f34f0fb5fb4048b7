// Adds up expenses from standard input, one "name;amount" to a line.
#include <iostream>
#include <map>
#include <string>

int main()
{
    std::map<std::string, int> totals;
    std::string line;
    int lines = 0, skipped = 0, sum = 0;

    while (std::getline(std::cin, line)) {
        lines++;
        if (line.empty() || line[0] == '#') {
            skipped++;
            continue;
        }
        std::string::size_type semicolon = line.find(';');
        if (semicolon == std::string::npos) {
            std::cerr << "line " << lines << ": no semicolon\n";
            skipped++;
            continue;
        }
        std::string name = line.substr(0, semicolon);
        std::string field = line.substr(semicolon + 1);
        int amount = std::stoi(field);
        totals[name] += amount;
        sum += amount;
    }

    std::cout << lines - skipped << " expenses\n";
    std::string largest;
    for (const auto &entry : totals) {
        std::cout << entry.first << ": " << entry.second << '\n';
        if (largest.empty() || entry.second > totals[largest])
            largest = entry.first;
    }
    std::cout << "total " << sum << ", most for " << largest << '\n';
    return 0;
}
