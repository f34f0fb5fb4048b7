#ifndef DICE_H
#define DICE_H

// Numbers that look random and are the same in every run.
class Dice {
public:
    explicit Dice(unsigned seed) : state(seed) {}

    int below(int limit)
    {
        state = state * 1103515245u + 12345u;
        return static_cast<int>((state >> 16) % static_cast<unsigned>(limit));
    }

private:
    unsigned state;
};

#endif
