#include <iostream>
#include <vector> // kept
struct Shape { // kept
    virtual ~Shape() {} // kept
    virtual int size() const = 0; // kept
};
struct Dot : Shape { // kept
    int size() const override { return 0; } // kept
};
struct Box : Shape {
    int width = 2;
    int size() const override { return width; }
};
int main(int argc, char **) // kept
{
    std::vector<Shape *> shapes; // kept
    if (argc > 1) // kept
        shapes.push_back(new Dot); // kept
    else
        shapes.push_back(new Box);
    std::cout << shapes.size() << '\n';
    return 10 / shapes[0]->size(); // criterion
}
