#include <memory> // kept
#include <stdexcept> // kept
struct Bad : std::runtime_error { // kept
    using std::runtime_error::runtime_error; // kept
};
struct Number { // kept
    double value; // kept
    explicit Number(double given) : value(given) {} // kept
    double twice() const { return 2 * value; }
};
int main() // kept
{
    int unused = 3;
    auto number = std::make_unique<Number>(1.5); // kept
    if (number->value > 1) // kept
        throw Bad("large"); // criterion
}
