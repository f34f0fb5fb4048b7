#include <assert.h> // kept
#include <stdio.h>
#define SWAP(x, y) do { int kept_ = x; x = y; y = kept_; } while (0) // kept
enum { SIZE = 3 }; // kept
struct flags { // kept
    unsigned ready : 1; // kept
    unsigned count : 4; // kept
};
static int (*chosen)(int);
static int same(int value)
{
    return value;
}
int main(int argc, char **argv) // kept
{
    struct flags flags = {0}; // kept
    register int quick = 2; // kept
    int length = argc + 1, cells[SIZE], dynamic[length]; // kept
    static const int table[] = {SIZE, SIZE + 1};
    int low = 1, high = 0; // kept
    (void)argv;
    chosen = same;
    for (;;) { // kept
        flags.count++; // kept
        if (flags.count > 3) // kept
            break; // kept
    }
    do // kept
        quick--; // kept
    while (quick > 0); // kept
    for (int i = 0; i < SIZE; i++) // kept
        cells[i] = i, dynamic[i] = i; // kept
    switch (argc) // kept
    case 3: // kept
        low = cells[1] + dynamic[1] + quick + (int)flags.count - 5; // kept
    SWAP(low, high); // kept
    assert(low == 0); // kept
    printf("%d %zu %d\n", table[0], sizeof cells[argc], chosen(3));
    high = high ? high : low; // kept
    return 1 / high; // criterion
}
