// A text that grows, and a few things to do with texts.
#include <cctype>
#include <cstring>
#include <iostream>

class TextBuffer {
public:
    explicit TextBuffer(const char *text)
    {
        length = std::strlen(text);
        capacity = length + 16;
        characters = new char[capacity];
        std::strcpy(characters, text);
    }

    ~TextBuffer()
    {
        delete[] characters;
    }

    void append(const char *text)
    {
        std::size_t added = std::strlen(text);
        if (length + added + 1 > capacity) {
            capacity = 2 * (length + added + 1);
            char *larger = new char[capacity];
            std::strcpy(larger, characters);
            delete[] characters;
            characters = larger;
        }
        std::strcpy(characters + length, text);
        length += added;
    }

    char at(std::size_t index) const { return characters[index]; }
    std::size_t size() const { return length; }
    const char *text() const { return characters; }

private:
    char *characters;
    std::size_t length;
    std::size_t capacity;
};

static int count_words(TextBuffer buffer)
{
    int words = 0;
    for (std::size_t i = 0; i < buffer.size(); i++)
        if (buffer.at(i) != ' ' && (i == 0 || buffer.at(i - 1) == ' '))
            words++;
    return words;
}

static int count_capitals(const TextBuffer &buffer)
{
    int capitals = 0;
    for (std::size_t i = 0; i < buffer.size(); i++)
        if (std::isupper(static_cast<unsigned char>(buffer.at(i))))
            capitals++;
    return capitals;
}

int main(int argc, char **argv)
{
    TextBuffer buffer("Summary:");
    for (int i = 1; i < argc; i++) {
        buffer.append(" ");
        buffer.append(argv[i]);
    }
    int capitals = count_capitals(buffer);
    int words = count_words(buffer);
    std::cout << words << " words, " << capitals << " capitals\n";
    std::cout << buffer.size() << " characters\n";
    return 0;
}
