static int limit = 3; // kept
static int noise = 1;
static void raise_limit(int by) // kept
{
    limit += by; // kept
    noise += by;
}
static void make_noise(void)
{
    noise++;
}
int main(void) // kept
{
    raise_limit(2); // kept
    make_noise();
    int a[4] = {0}; // kept
    a[limit] = 1; // criterion
    return noise;
}
