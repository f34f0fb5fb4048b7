#include <cassert>
#include <vector>
class Shape {
public:
    virtual double area() = 0;
};

class Triangle : public Shape {
    double area()
    {
        assert(a + b > c);
    }

    double a, b, c;
};

double total_area(std::vector<Shape *> shapes)
{
    for (Shape *shape : shapes)
        shape->area();
}

int main()
{
    std::vector<Shape *> shapes;
            shapes.push_back(new Triangle());
    total_area(shapes);
}
