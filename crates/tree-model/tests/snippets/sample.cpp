#include <vector>
namespace shop {
template <typename T, int N = 3>
class Basket : public Base<T>, private Other {
public:
    explicit Basket(int size) : size_(size), name_("basket") {}
    virtual ~Basket() = default;
    T get(int index) const noexcept { return items_[index]; }
    static constexpr bool is_empty = false;
    Basket& operator=(const Basket& other) = delete;
    friend class Market;
private:
    std::vector<T> items_;
    int size_ = 0;
    const char* name_;
};

enum class Mode : unsigned char { Fast, Slow = 2 };

struct Price { long cents; bool operator<(const Price& other) const { return cents < other.cents; } };

template <typename... Args>
auto apply(Args&&... args) -> decltype(auto) {
    auto add = [&args..., total = 0](int x, int y) mutable -> int { total += x; return x + y; };
    try {
        for (const auto& item : {1, 2, 3}) add(item, 4);
    } catch (const std::exception& error) {
        throw;
    } catch (...) {
        return 1;
    }
    if (auto* p = new int[5]; p != nullptr) delete[] p;
    return static_cast<int>(sizeof...(args));
}
}
using shop::Price;
int main() {
    Price a{3}, b = {4};
    return a < b ? 0 : shop::apply(1, "x");
}
