int main(int argc, char **argv) // kept
{
    int sign = 0; // kept
    int other = 0;
    (void)argv;
    if (argc > 1) // kept
        sign = 1; // kept
    else if (argc == 1) // kept
        sign = -1; // kept
    else
        other = 1;
    if (other > 3)
        other--;
    while (argc-- > 0) // kept
        ;
    return sign + argc; // criterion
}
