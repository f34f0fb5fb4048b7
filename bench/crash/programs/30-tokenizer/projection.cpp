#include <string>

class Reader {
public:
    Reader(std::string &text) : text(text), position(0) {}

    char current()
    {
        return text.at(position);
    }

    void next() { position++; }
    bool finished() { return position >= text.size(); }

    std::string text;
    std::size_t position;
};

class Tokenizer {
public:
    Tokenizer(std::string &text) : reader(text) {}

    void run()
    {
        while (!reader.finished())
            if (std::isdigit(static_cast<unsigned char>(reader.current())))
                number();
            else if (std::isalpha(static_cast<unsigned char>(reader.current())))
                name();
            else
                symbol();
    }

    void symbol()
    {
        reader.next();
    }

    void number()
    {
        while (std::isdigit(static_cast<unsigned char>(reader.current())))
            reader.next();
    }

    void name()
    {
        while (!reader.finished() && std::isalnum(static_cast<unsigned char>(reader.current())))
            reader.next();
    }

    Reader reader;
};

int main(int argc, char **argv)
{
    std::string formula = argc > 1 ? argv[1] : "a + 1 ";
    Tokenizer tokenizer(formula);
    tokenizer.run();
}
