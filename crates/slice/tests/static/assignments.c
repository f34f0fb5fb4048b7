#include <stdio.h>
int main(void) // kept
{
    int a = 1; // kept
    int b = 2;
    int c = a + 1; // kept
    b = c;
    a = 7;
    printf("%d %d\n", a, b);
    int d = 10 / c; // criterion
    return d;
}
