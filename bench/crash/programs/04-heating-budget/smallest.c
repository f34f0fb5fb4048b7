#include <assert.h>
int main()
{
    int budget = 0;
    int used = 15;
    assert(used <= budget);
}
