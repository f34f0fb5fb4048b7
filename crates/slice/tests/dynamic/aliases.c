static void set(int *place, int value) // kept
{
    *place = value; // kept
}
int main(int argc, char **argv) // kept
{
    int a = 1, b = 2, *p = argc > 5 ? &b : &a; // kept
    (void)argv;
    int *q = &b;
    *q = 4;
    set(p, 0); // kept
    a = 10 / a; // criterion
    return b;
}
