#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>
using namespace std;

enum class Kind { number, plus, times, open, close };

struct Token {
    Kind kind;
    int value;
};

struct Node {
    virtual ~Node() {}
    virtual int eval(const map<string, int> &names) const = 0;
};
typedef unique_ptr<Node> NodePtr;

struct Number : Node {
    int value;
    Number(int v) : value(v) {}
    int eval(const map<string, int> &) const override { return value; }
};

struct Binary : Node {
    NodePtr left, right;
    char sign;
    Binary(NodePtr l, char s, NodePtr r) : left(move(l)), right(move(r)), sign(s) {}
    int eval(const map<string, int> &names) const override {
        int a = left->eval(names), b = right->eval(names);
        switch (sign) {
        case '+': return a + b;
        case '*': return a * b;
        default: return 0;
        }
    }
};

class Lexer {
    const string text;
    size_t at = 0;

public:
    explicit Lexer(const string &given) : text(given) {}
    vector<Token> all() {
        vector<Token> result;
        while (at < text.size()) {
            char c = text[at];
            if (isdigit(c)) {
                int value = 0;
                while (at < text.size() && isdigit(text[at]))
                    value = value * 10 + (text[at++] - '0');
                result.push_back({Kind::number, value});
                continue;
            }
            if (c == '+') result.push_back(Token{Kind::plus, 0});
            else if (c == '*') result.push_back(Token{Kind::times, 0});
            at++;
        }
        return result;
    }
};

template <class T, class Compare = less<T>>
struct Sorted {
    vector<T> items;
    Compare compare;
    void insert(T item) {
        auto place = lower_bound(items.begin(), items.end(), item, compare);
        items.insert(place, item);
    }
    typename vector<T>::const_iterator begin() const { return items.begin(); }
    typename vector<T>::const_iterator end() const { return items.end(); }
};

bool operator==(const Token &a, const Token &b) { return a.kind == b.kind && a.value == b.value; }

NodePtr parse(const vector<Token> &tokens) {
    NodePtr result = make_unique<Number>(0);
    for (size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].kind == Kind::number) {
            NodePtr number(new Number(tokens[i].value));
            result = make_unique<Binary>(move(result), '+', move(number));
        }
    }
    return result;
}

int main(int argc, char **argv) {
    Lexer lexer("1+22*3");
    auto tokens = lexer.all();
    Sorted<int> sorted;
    for (const Token &token : tokens)
        sorted.insert(token.value);
    int sum = 0;
    for (int value : sorted)
        sum += value;
    NodePtr tree = parse(tokens);
    map<string, int> names{{"a", 1}, {"b", 2}};
    auto plus = find(tokens.begin(), tokens.end(), Token{Kind::plus, 0});
    string text = to_string(tree->eval(names)) + " of " + string(argv[0]);
    transform(text.begin(), text.end(), text.begin(), [](char c) { return c == ' ' ? '_' : c; });
    return sum + int(text.size()) + (plus != tokens.end()) + argc;
}
