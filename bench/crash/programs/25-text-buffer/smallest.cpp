class TextBuffer {
public:
    TextBuffer()
    {
        characters = new char;
    }

    ~TextBuffer()
    {
        delete[] characters;
    }

    char *characters;
};

int count_words(TextBuffer)
{
}

int main()
{
    TextBuffer buffer;
    count_words(buffer);
}
