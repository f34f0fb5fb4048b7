#include <iostream>
class Account { // kept
public: // kept
    explicit Account(int start) : balance(start), visits(0) {} // kept
    void deposit(int amount) // kept
    {
        balance += amount; // kept
        visits++;
    }
    void greet() { std::cout << "hello " << visits << '\n'; }
    int rate() const { return 100 / balance; } // criterion
private: // kept
    int balance; // kept
    int visits; // kept
};
int main() // kept
{
    Account account(3); // kept
    account.greet();
    account.deposit(-3); // kept
    return account.rate(); // kept
}
