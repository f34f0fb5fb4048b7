#include <string>

class EmptyStack {
public:
    EmptyStack(std::string &name) {}
};

class Stack {
public:
    Stack(const std::string &name) : name(name), height(0) {}

    void pop()
    {
        if (height == 0)
            throw EmptyStack(name);
    }

    std::string name;
    int height;
};

class Editor {
public:
    Editor() : undone("redo") {}

    void redo()
    {
        undone.pop();
    }

    Stack undone;
};

int main()
{
    Editor editor;
            editor.redo();
}
