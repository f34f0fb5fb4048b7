#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace market {

struct Order {
    std::string owner;
    int price;
    int amount;
};

class Book {
public:
    void add(Order order) {
        index_[order.owner].push_back(orders_.size());
        orders_.push_back(std::move(order));
    }

    /* Splits the cheapest order; `cheapest` refers to memory that `add` may give back. */
    int split_cheapest() {
        Order& cheapest = *std::min_element(orders_.begin(), orders_.end(), [](const Order& left, const Order& right) {
            return left.price < right.price;
        });
        int half = cheapest.amount / 2;
        add({cheapest.owner, cheapest.price, half});
        cheapest.amount -= half;
        return cheapest.amount;
    }

    std::size_t orders_of(const std::string& owner) const {
        auto found = index_.find(owner);
        return found == index_.end() ? 0 : found->second.size();
    }

private:
    std::vector<Order> orders_;
    std::map<std::string, std::vector<std::size_t>> index_;
};

}  // namespace market

int main() {
    market::Book book;
    book.add({"ada", 12, 40});
    book.add({"ben", 9, 10});
    book.add({"ada", 11, 30});
    book.add({"cyd", 15, 8});
    std::printf("%d %zu\n", book.split_cheapest(), book.orders_of("ben"));
    return 0;
}
