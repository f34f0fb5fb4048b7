#include <stdlib.h>
int main()
{
    char *composite = malloc(0);
        int multiple = 2;
            composite[multiple] = 1;
}
