#include <string>
class EmptyStack {
public:
    EmptyStack(std::string) {}
};

class Stack {
public:
    std::string pop()
    {
            throw EmptyStack(name);
    }

    std::string name;
};

class Editor {
public:
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
