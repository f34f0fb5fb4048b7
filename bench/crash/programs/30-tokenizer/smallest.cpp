#include <string>
class Reader {
public:
    Reader(std::string text) : text(text), position() {}

    char current()
    {
        return text.at(position);
    }

    void next() { position++; }

    std::string text;
    std::size_t position;
};

class Tokenizer {
public:
    Tokenizer(std::string text) : reader(text) {}

    void run()
    {
                number();
    }

    void number()
    {
        while (reader.current())
            reader.next();
    }

    Reader reader;
};

int main(int argc, char **argv)
{
    std::string formula = argv[1];
    Tokenizer tokenizer(formula);
    tokenizer.run();
}
