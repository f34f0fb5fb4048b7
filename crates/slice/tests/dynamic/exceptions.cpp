#include <stdexcept> // kept
static void check(int value) // kept
{
    if (value > 2) // kept
        throw std::runtime_error("too large"); // kept
}
int main(int argc, char **) // kept
{
    int state = 1; // kept
    int noise = 0;
    try { // kept
        check(argc); // kept
        state = 2;
    } catch (const std::logic_error &) { // kept
        state = 3;
    } catch (const std::runtime_error &) { // kept
        state = 0; // kept
        noise = 1;
    }
    noise++;
    return 1 / state; // criterion
}
