#include <map>
#include <string>
#include <vector> // kept
int main(int argc, char **argv) // kept
{
    std::vector<int> numbers; // kept
    std::map<std::string, int> seen;
    for (int i = 0; i < argc; i++) { // kept
        numbers.push_back(i); // kept
        seen[argv[i]]++;
    }
    numbers[0] = 4; // kept
    seen.clear();
    return numbers.at(9); // criterion
}
