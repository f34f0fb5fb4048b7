class TextBuffer {
public:
    TextBuffer()
    {
        characters = new char[0];
    }

    ~TextBuffer()
    {
        delete[] characters;
    }

    char *characters;
};

int count_words(TextBuffer buffer)
{
}

int main()
{
    TextBuffer buffer;
    count_words(buffer);
}
