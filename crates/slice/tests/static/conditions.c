#include <stdio.h> // kept
#define WIDE // kept
#define INNER(s) { puts(s); }
#define FLUSH(s) { INNER(s); if (total > 5) return 1; }
int total, half; // kept
int flushed(int n)
{
    while (n-- > 0) {
        if (n) FLUSH("x");
    }
    return 0;
}
int doubled(int n) // kept
{
    if (n == 1) {
        half = 2;
    }
#ifdef WIDE // kept
    else if (n == 2) {
        half = 3;
    }
#else // kept
    half = 4; // kept
#endif // kept
    total = n; // kept
    return total; // kept
}
int main(int argc, char **argv) // kept
{
    flushed(argc);
    doubled(argc); // kept
    int *p = NULL; // kept
    *p = total; // criterion
}
