#include <stdexcept> // kept
static int parse(int value) // kept
{
    if (value > 2) // kept
        throw std::runtime_error("too large"); // kept
    return value; // kept
}
int main(int argc, char **) // kept
{
    int state = 1; // kept
    int noise = 0; // kept
    try { // kept
        parse(argc); // kept
        noise = 2;
    } catch (const std::runtime_error &) { // kept
        state = 0; // kept
    }
    return noise + 1 / state; // criterion state
}
