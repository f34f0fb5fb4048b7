int main(int argc, char **argv) // kept
{
    int value = 1; // kept
    int noise = 0;
    (void)argv;
    if (argc > 2) // kept
        value = 0; // kept
    else
        value = 5;
    if (argc > 10)
        value = 7;
    if (argc > 20)
        return 1;
    noise++;
    return 10 / value; // criterion
}
