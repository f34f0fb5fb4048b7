#include <assert.h> // kept
#define LIMIT 4 // kept
#define UNUSED 5
#define NEXT(x) ((x) + STEP) // kept
#define STEP 2 // kept
int main(void) // kept
{
    int value = 1; // kept
    int noise = UNUSED;
    value = NEXT(value); // kept
    noise++;
    assert(value > LIMIT); // criterion
    return noise;
}
