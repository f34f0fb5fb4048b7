#include <algorithm> // kept
#include <array> // kept
#include <memory>
#include <vector> // kept
constexpr int square(int value) { return value * value; } // kept
template <int N, class T> struct Ring { // kept
    std::array<T, N> items{}; // kept
    int next = 0; // kept
    void put(T item) { items[next++ % N] = item; } // kept
    T &at(int index) { return items[index % N]; } // kept
};
enum class Mode { fast, slow }; // kept
static auto pair_of(int value) { struct Both { int left, right; }; return Both{value, value - 3}; } // kept
int main(int argc, char **) // kept
{
    constexpr int size = square(2); // kept
    Ring<size, int> ring; // kept
    std::vector<int> numbers{3, 1, 2}; // kept
    auto [left, right] = pair_of(argc); // kept
    std::sort(numbers.begin(), numbers.end(), [](int a, int b) { return a > b; }); // kept
    for (const auto &number : numbers) // kept
        ring.put(number); // kept
    auto owned = std::make_unique<int>(right);
    Mode mode = Mode::slow; // kept
    if (int extra = *owned; extra > 7)
        mode = Mode::fast;
    const int &first = ring.at(0); // kept
    auto result = mode == Mode::slow ? [first, right] { return first * right; }() : left; // kept
    return 1 / result; // criterion
}
