#include <stdio.h> // kept
int main(void) // kept
{
    int skipped, wanted, noise = 0; // kept
    scanf("%d", &skipped); // kept
    scanf("%d", &wanted); // kept
    noise = skipped;
    printf("%d\n", noise);
    return 100 / wanted; // criterion
}
