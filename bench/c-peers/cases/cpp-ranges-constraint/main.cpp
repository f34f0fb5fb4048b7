#include <algorithm>
#include <cstdio>
#include <list>
#include <ranges>
#include <string>
#include <vector>

namespace fleet {

struct Ship {
    std::string name;
    int crew;
};

std::vector<std::string> names_by_crew(std::list<Ship>& ships, int least) {
    auto large = ships | std::views::filter([least](const Ship& ship) { return ship.crew >= least; });
    std::ranges::sort(large, {}, &Ship::crew);
    std::vector<std::string> names;
    std::ranges::transform(large, std::back_inserter(names), &Ship::name);
    return names;
}

}  // namespace fleet

int main() {
    std::list<fleet::Ship> ships{{"heron", 12}, {"gannet", 31}, {"tern", 4}};
    for (const std::string& name : fleet::names_by_crew(ships, 10) | std::views::reverse) {
        std::puts(name.c_str());
    }
}
