// Areas of shapes that are given on the command line as r:W:H, c:R or t:A:B:C.
#include <cassert>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

class Shape {
public:
    virtual ~Shape() {}
    virtual double area() const = 0;
    virtual std::string name() const { return "shape"; }
};

class Rectangle : public Shape {
public:
    Rectangle(double width, double height) : width(width), height(height) {}
    double area() const override { return width * height; }
    std::string name() const override { return "rectangle"; }

private:
    double width, height;
};

class Circle : public Shape {
public:
    explicit Circle(double radius) : radius(radius) {}
    double area() const override { return 3.14159265 * radius * radius; }
    std::string name() const override { return "circle"; }

private:
    double radius;
};

class Triangle : public Shape {
public:
    Triangle(double a, double b, double c) : a(a), b(b), c(c) {}
    double area() const override
    {
        // No side may be longer than the way along the other two.
        assert(a + b > c);
        double s = (a + b + c) / 2;
        return std::sqrt(s * (s - a) * (s - b) * (s - c));
    }

private:
    double a, b, c;
};

static double total_area(const std::vector<Shape *> &shapes)
{
    double total = 0;
    for (Shape *shape : shapes) {
        std::cout << shape->name() << '\n';
        total += shape->area();
    }
    return total;
}

int main(int argc, char **argv)
{
    std::vector<Shape *> shapes;
    for (int i = 1; i < argc; i++) {
        double x = 0, y = 0, z = 0;
        if (std::sscanf(argv[i], "r:%lf:%lf", &x, &y) == 2)
            shapes.push_back(new Rectangle(x, y));
        else if (std::sscanf(argv[i], "c:%lf", &x) == 1)
            shapes.push_back(new Circle(x));
        else if (std::sscanf(argv[i], "t:%lf:%lf:%lf", &x, &y, &z) == 3)
            shapes.push_back(new Triangle(x, y, z));
    }
    std::cout << "total " << total_area(shapes) << '\n';
    for (Shape *shape : shapes)
        delete shape;
    return 0;
}
