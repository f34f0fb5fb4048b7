#include <iostream>

class Value {
};

class Parser {
public:
    Parser(std::string text) : text(text), position() {}

    Value document()
    {
        skip_spaces();
        value();
    }

    char peek() { return text[position]; }

    void skip_spaces()
    {
            position++;
    }

    Value value()
    {
            number();
    }

    int number()
    {
        int result = 0;
        while (peek()) {
            int digit = peek() - '0';
            result = result * 10 + digit;
            position++;
        }
    }

    std::string text;
    std::size_t position;
};

int main()
{
    std::string text;
    std::getline(std::cin, text);

    Parser parser(text);
    parser.document();
}
