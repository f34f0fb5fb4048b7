#include <cstring>

class TextBuffer {
public:
    TextBuffer(const char *text)
    {
        length = std::strlen(text);
        capacity = length + 16;
        characters = new char[capacity];
    }

    ~TextBuffer()
    {
        delete[] characters;
    }

    char *characters;
    std::size_t length;
    std::size_t capacity;
};

void count_words(TextBuffer buffer)
{
}

int main()
{
    TextBuffer buffer("Summary:");
    count_words(buffer);
}
