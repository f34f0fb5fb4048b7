#include <map>
#include <string>
std::map<std::string, int> fares;

int price()
{
    int total;
        std::string leg;
        total += fares.at(leg);
}

int main()
{
    price();
}
