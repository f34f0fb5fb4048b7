// An editor for one line of text that can undo: words are appended, "undo" and "redo" do what they say.
#include <iostream>
#include <string>

class EmptyStack {
public:
    explicit EmptyStack(const std::string &name) : name(name) {}
    const std::string &which() const { return name; }

private:
    std::string name;
};

class Stack {
public:
    explicit Stack(const std::string &name) : name(name), height(0) {}

    void push(const std::string &text)
    {
        if (height < 50)
            items[height++] = text;
    }

    std::string pop()
    {
        if (height == 0)
            throw EmptyStack(name);
        return items[--height];
    }

    void clear() { height = 0; }
    int size() const { return height; }

private:
    std::string name;
    std::string items[50];
    int height;
};

class Editor {
public:
    Editor() : done("undo"), undone("redo") {}

    void append(const std::string &word)
    {
        done.push(text);
        undone.clear();
        text += text.empty() ? word : " " + word;
    }

    void undo()
    {
        undone.push(text);
        text = done.pop();
    }

    void redo()
    {
        done.push(text);
        text = undone.pop();
    }

    void print() const { std::cout << '"' << text << "\" after " << done.size() << " steps\n"; }

private:
    std::string text;
    Stack done, undone;
};

int main(int argc, char **argv)
{
    Editor editor;
    for (int i = 1; i < argc; i++) {
        std::string word = argv[i];
        if (word == "undo")
            editor.undo();
        else if (word == "redo")
            editor.redo();
        else
            editor.append(word);
        editor.print();
    }
    return 0;
}
