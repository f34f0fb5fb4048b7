#include <cassert>
class Fraction {
public:
    Fraction() : denominator()
    {
        normalise();
    }

    void normalise()
    {
        assert(denominator > 0);
    }

    long denominator;
};

int main()
{
    Fraction sum;
}
