#include <functional>
#include <memory>
#include <numeric>
#include <vector>

namespace shape {

class Polygon {
public:
    explicit Polygon(std::vector<int> sides) : sides_(std::move(sides)) {}
    int perimeter() const { return std::accumulate(sides_.begin(), sides_.end(), 0); }
    bool matches(const std::function<bool(int)>& wanted) const {
        for (int side : sides_) {
            if (wanted(side)) return true;
        }
        return false;
    }

private:
    std::vector<int> sides_;
};

int triangle_perimeter() {
    Polygon triangle({3, 4, 5});
    return triangle.perimeter();
}

int boxed(int side) {
    auto polygon = std::make_unique<Polygon>(std::vector<int>(4, side));
    return polygon->matches([side](int other) { return other > side; }) ? 1 : polygon->perimeter();
}

}  // namespace shape

int main() { return shape::triangle_perimeter() - shape::boxed(3); }
