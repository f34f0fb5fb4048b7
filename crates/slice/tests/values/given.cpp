#include <string>
#include <vector>
enum class State { Off, On };
struct Account {
    Account(const std::string &owner, int cents) : owner(owner), cents(cents + 1) {} // cents + 1 is 3 // owner is "dear \"1\""
    std::string owner;
    int cents;
};
static bool is_open(const Account *account) { return account != nullptr; } // account != nullptr is true
static std::string greeting(std::string name)
{
    return "dear \"" + name + "\"";                    // "dear \"" + name + "\"" is "dear \"1\""
}
static std::vector<int> counted(int n)
{
    std::vector<int> all;
    for (int i = 0; i < n; i++)
        all.push_back(-i);                             // -i is at last -2
    return all;                                        // all is {0, -1, -2}
}
int &first(int *numbers) { return numbers[0]; }
int main(int argc, char **argv)
{
    std::string name = greeting(argv[1]);              // argv[1] is "1" // greeting(argv[1]) is "dear \"1\""
    Account account(name, argc - 1);                   // argc - 1 is 2 // name is "dear \"1\""
    auto state = argc > 2 ? State::On : State::Off;    // argc > 2 ? State::On : State::Off is State(1)
    bool open = is_open(&account);                     // is_open(&account) is true
    int numbers[] = {1, argc * 2};                     // argc * 2 is 6
    first(numbers) = numbers[1];                       // numbers[1] is 6
    std::vector<std::string> names = {name, "x"};      // name is "dear \"1\""
    std::vector<std::string> copied = names;           // names is {"dear \"1\"", "x"}
    auto all = counted(argc);                          // counted(argc) is {0, -1, -2} // argc is 3
    constexpr int fixed = sizeof numbers;
    long wide = fixed + argc;                          // fixed + argc is 11
    return open && state == State::On ? int(wide) : 0; // open && state == State::On ? int(wide) : 0 is 11
}
