static int add(int left, int right) // kept
{
    return left + right; // kept
}
static int divide(int left, int right) // kept
{
    return left / right; // criterion
}
static int unused(int left)
{
    return left;
}
static int (*const operations[])(int, int) = {add, divide}; // kept
int main(int argc, char **argv) // kept
{
    (void)argv;
    int result = 0; // kept
    for (int i = 0; i < 2; i++) // kept
        result += operations[i](argc, argc - 1); // kept
    return unused(result);
}
