int source(void);
int source(void)
{
    return 4;
}
int main(void) // kept
{
    int x; // kept
    x = source();
    x = 3; // kept
    int y = x; // criterion
    return y;
}
