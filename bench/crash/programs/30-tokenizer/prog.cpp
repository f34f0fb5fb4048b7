// Counts numbers, names and symbols in a formula.
#include <cctype>
#include <iostream>
#include <string>

class Reader {
public:
    explicit Reader(const std::string &text) : text(text), position(0) {}

    char current() const
    {
        return text.at(position);
    }

    void next() { position++; }
    bool finished() const { return position >= text.size(); }

private:
    std::string text;
    std::size_t position;
};

class Tokenizer {
public:
    explicit Tokenizer(const std::string &text) : reader(text), numbers(0), names(0), symbols(0) {}
    virtual ~Tokenizer() {}

    void run()
    {
        while (!reader.finished()) {
            if (std::isdigit(static_cast<unsigned char>(reader.current())))
                number();
            else if (std::isalpha(static_cast<unsigned char>(reader.current())))
                name();
            else
                symbol();
        }
    }

    void print() const
    {
        std::cout << numbers << " numbers, " << names << " names, " << symbols << " symbols\n";
    }

protected:
    virtual void symbol()
    {
        if (reader.current() != ' ')
            symbols++;
        reader.next();
    }

private:
    void number()
    {
        while (std::isdigit(static_cast<unsigned char>(reader.current())))
            reader.next();
        numbers++;
    }

    void name()
    {
        while (!reader.finished() && std::isalnum(static_cast<unsigned char>(reader.current())))
            reader.next();
        names++;
    }

    Reader reader;
    int numbers, names, symbols;
};

int main(int argc, char **argv)
{
    std::string formula = argc > 1 ? argv[1] : "a + 1 ";
    Tokenizer tokenizer(formula);
    tokenizer.run();
    tokenizer.print();
    if (formula.size() > 80)
        std::cout << "a long formula\n";
    return 0;
}
