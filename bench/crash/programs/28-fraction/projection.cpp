#include <cassert>
#include <cstdio>

class Fraction {
public:
    Fraction(long denominator) : denominator(denominator)
    {
        normalise();
    }

    void normalise()
    {
        assert(denominator > 0);
    }

    long denominator;
};

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        long numerator = 0, denominator = 1;
        if (std::sscanf(argv[i], "%ld/%ld", &numerator, &denominator) < 1)
            ;
        Fraction term(denominator);
    }
}
