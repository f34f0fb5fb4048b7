#include <algorithm>
#include <iostream>
#include <map>
#include <queue>

std::map<std::string, std::vector<std::string>> flights;
std::map<std::string, int> fares;

void add_flight(const std::string &from, const std::string &to)
{
    flights[from].push_back(to);
}

void load_network()
{
    add_flight("Oslo", "Paris");
    add_flight("Paris", "Rome");
    add_flight("Rome", "Athens");
    fares["Oslo-Paris"] = 120;
    fares["Paris-Rome"] = 90;
}

std::vector<std::string> find_route(std::string &from, std::string &to)
{
    std::map<std::string, std::string> came_from;
    std::queue<std::string> waiting;
    waiting.push(from);
    while (!waiting.empty()) {
        std::string city = waiting.front();
        waiting.pop();
        for (std::string &next : flights[city]) {
                came_from[next] = city;
                waiting.push(next);
        }
    }
    std::vector<std::string> route;
    for (std::string city = to; !city.empty(); city = came_from[city])
        route.push_back(city);
    std::reverse(route.begin(), route.end());
    return route;
}

int price(std::vector<std::string> &route)
{
    int total = 0;
    for (std::size_t i = 0; i + 1 < route.size(); i++) {
        std::string leg = route[i] + "-" + route[i + 1];
        total += fares.at(leg);
    }
    return total;
}

int main(int argc, char **argv)
{
    std::string from = argc > 1 ? argv[1] : "Oslo";
    std::string to = argc > 2 ? argv[2] : "Rome";
    load_network();
    std::vector<std::string> route = find_route(from, to);
    std::cout << "costs " << price(route) << '\n';
}
