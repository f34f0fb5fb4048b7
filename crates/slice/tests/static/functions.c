static int twice(int value) // kept
{
    return 2 * value; // kept
}
static int thrice(int value)
{
    return 3 * value;
}
int main(void) // kept
{
    int a = twice(2); // kept
    int b = thrice(a);
    b = twice(b);
    return a; // criterion
}
