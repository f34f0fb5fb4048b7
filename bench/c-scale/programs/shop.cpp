#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace shop {

struct Price {
    long cents = 0;
    Price() = default;
    explicit Price(long given) : cents(given) {}
    bool operator<(const Price &other) const { return cents < other.cents; }
    Price operator+(const Price &other) const { return Price(cents + other.cents); }
};

class Article {
public:
    Article(std::string name, Price price) : name_(std::move(name)), price_(price) {}
    virtual ~Article() = default;
    const std::string &name() const { return name_; }
    virtual Price price() const { return price_; }

private:
    std::string name_;
    Price price_;
};

class Discounted : public Article {
public:
    using Article::Article;
    Price price() const override { return Price(Article::price().cents * 9 / 10); }
};

template <typename Key, typename Value>
class Index {
public:
    void add(const Key &key, Value value) { entries_[key].push_back(std::move(value)); }
    const std::vector<Value> *find(const Key &key) const {
        auto found = entries_.find(key);
        return found == entries_.end() ? nullptr : &found->second;
    }
    std::size_t size() const { return entries_.size(); }

private:
    std::map<Key, std::vector<Value>> entries_;
};

using Stock = std::vector<std::shared_ptr<Article>>;

Price total(const Stock &stock) {
    Price sum;
    for (const auto &article : stock)
        sum = sum + article->price();
    return sum;
}

} // namespace shop

static bool cheaper(const std::shared_ptr<shop::Article> &a, const std::shared_ptr<shop::Article> &b) {
    return a->price() < b->price();
}

int main() {
    using namespace shop;
    Stock stock;
    stock.push_back(std::make_shared<Article>("tea", Price(300)));
    stock.push_back(std::make_shared<Discounted>("coffee", Price(500)));
    std::sort(stock.begin(), stock.end(), cheaper);
    Index<std::string, Price> index;
    for (auto &article : stock) {
        index.add(article->name(), article->price());
    }
    auto all = total(stock);
    std::map<std::string, int> counts;
    for (const auto &article : stock)
        ++counts[article->name().substr(0, 1)];
    int most = 0;
    for (auto &[letter, count] : counts) {
        if (count > most)
            most = count;
    }
    auto expensive = std::count_if(stock.begin(), stock.end(), [&](const auto &a) { return Price(400) < a->price(); });
    std::unique_ptr<Article> gift = std::make_unique<Discounted>("cup", Price(100));
    const auto *found = index.find("tea");
    return static_cast<int>(all.cents) + most + static_cast<int>(expensive) + (found ? 1 : 0) + static_cast<int>(gift->price().cents);
}
