static int total = 8; // kept
static int halve(void) // kept
{
    total = total / 2; // kept
    return total; // kept
}
int main(void) // kept
{
    total = total - halve() - halve() - 2; // kept
    return 1 / total; // criterion
}
