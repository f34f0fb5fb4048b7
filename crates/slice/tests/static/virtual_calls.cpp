struct Shape { // kept
    virtual ~Shape() {} // kept
    virtual int size() const = 0; // kept
    virtual int colour() const { return 1; }
};
struct Dot : Shape { // kept
    int size() const override { return 0; } // kept
};
struct Box : Shape { // kept
    int width = 2; // kept
    int size() const override { return width; } // kept
    int colour() const override { return 2; }
};
int main(int argc, char **) // kept
{
    Dot dot; // kept
    Box box; // kept
    Shape &shape = argc > 1 ? static_cast<Shape &>(box) : dot; // kept
    int paint = shape.colour();
    int part = 10 / shape.size(); // criterion
    return part + paint;
}
