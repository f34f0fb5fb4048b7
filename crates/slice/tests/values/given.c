#include <stdlib.h>
#include <string.h>
enum colour { RED, GREEN };
struct point { int x, y; };
static double half(int n) { return n / 2.0; }          // n / 2.0 is 1.5
static int length(const char *text) { return text ? (int)strlen(text) : -1; } // text ? (int)strlen(text) : -1 is at last -1 // text is "2"
int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 0; i < argc; i++)
        sum = sum + i;                                 // sum + i is at last 3
    char letter = argv[1][0];                          // argv[1][0] is '1'
    char *word = argv[2];                              // argv[2] is "2"
    enum colour colour = argc > 2 ? GREEN : RED;       // argc > 2 ? GREEN : RED is 1
    unsigned large = ~(unsigned)argc;                  // ~(unsigned)argc is 4294967292u
    struct point point = {sum + 1, argc};              // sum + 1 is 4 // argc is 3
    char *nothing = length(word) > 5 ? word : NULL;    // word is "2"
    double middle = half(argc);                        // half(argc) is 1.5 // argc is 3
    length(nothing);                                   // nothing is 0
    static int never = 3;
    if (argc > 9)
        sum = letter + colour + never + (large > 3);   // letter + colour + never + (large > 3) is 0
    return point.x + (int)middle;                      // point.x + (int)middle is 5
}
