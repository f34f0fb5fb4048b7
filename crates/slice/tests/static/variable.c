int main(int argc, char **argv) // kept
{
    int a = argc; // kept
    int b = argc + 1; // kept
    b = b * 2;
    a = a - 1; // kept
    (void)argv;
    return b / a; // criterion a
}
