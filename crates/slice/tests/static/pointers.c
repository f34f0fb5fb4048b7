int main(void) // kept
{
    int a = 1, *p = &a; // kept
    int b = 2;
    int *q = &b;
    *q = 5;
    *p = 0; // kept
    int c = 10 / a; // criterion
    return c + b;
}
