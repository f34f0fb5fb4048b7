#include <cassert>
#include <cmath>
#include <iostream>
#include <vector>

class Shape {
public:
    virtual double area() = 0;
};

class Triangle : public Shape {
public:
    Triangle(double a, double b, double c) : a(a), b(b), c(c) {}
    double area()
    {
        assert(a + b > c);
        double s = (a + b + c) / 2;
        return std::sqrt(s * (s - a) * (s - b) * (s - c));
    }

    double a, b, c;
};

double total_area(std::vector<Shape *> &shapes)
{
    double total = 0;
    for (Shape *shape : shapes)
        total += shape->area();
    return total;
}

int main(int argc, char **argv)
{
    std::vector<Shape *> shapes;
    for (int i = 1; i < argc; i++) {
        double x = 0, y = 0, z = 0;
        if (std::sscanf(argv[i], "r:%lf:%lf", &x, &y) == 2)
            ;
        else if (std::sscanf(argv[i], "c:%lf", &x) == 1)
            ;
        else if (std::sscanf(argv[i], "t:%lf:%lf:%lf", &x, &y, &z) == 3)
            shapes.push_back(new Triangle(x, y, z));
    }
    std::cout << "total " << total_area(shapes) << '\n';
}
