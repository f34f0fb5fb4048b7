static int depth_of(int n) // kept
{
    if (n == 0) // kept
        return 0; // kept
    if (n > 100)
        return -1;
    return depth_of(n - 1) + 1; // kept
}
static int other(int n)
{
    return n * 2;
}
int main(int argc, char **argv) // kept
{
    (void)argv;
    int depth = depth_of(argc); // kept
    int noise = other(depth);
    noise--;
    return 1 / (depth - 3); // criterion
}
