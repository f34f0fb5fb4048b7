// Exact sums of fractions: the arguments are numbers like 3/4.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <iostream>

class Fraction {
public:
    Fraction(long numerator, long denominator) : numerator(numerator), denominator(denominator)
    {
        normalise();
    }

    Fraction operator+(const Fraction &other) const
    {
        return Fraction(numerator * other.denominator + other.numerator * denominator,
                        denominator * other.denominator);
    }

    bool operator<(const Fraction &other) const
    {
        return numerator * other.denominator < other.numerator * denominator;
    }

    double value() const { return static_cast<double>(numerator) / denominator; }

    void print() const { std::cout << numerator << '/' << denominator << '\n'; }

private:
    static long divisor(long a, long b)
    {
        while (b != 0) {
            long rest = a % b;
            a = b;
            b = rest;
        }
        return a < 0 ? -a : a;
    }

    void normalise()
    {
        long common = divisor(numerator, denominator);
        if (common > 1) {
            numerator /= common;
            denominator /= common;
        }
        assert(denominator > 0);
    }

    long numerator;
    long denominator;
};

int main(int argc, char **argv)
{
    Fraction sum(0, 1);
    Fraction smallest(1000, 1);
    for (int i = 1; i < argc; i++) {
        long numerator = 0, denominator = 1;
        if (std::sscanf(argv[i], "%ld/%ld", &numerator, &denominator) < 1) {
            std::cerr << "not a fraction: " << argv[i] << '\n';
            return 2;
        }
        Fraction term(numerator, denominator);
        if (term < smallest)
            smallest = term;
        sum = sum + term;
        sum.print();
    }
    std::cout << "about " << sum.value() << '\n';
    std::cout << "smallest term: ";
    smallest.print();
    return 0;
}
