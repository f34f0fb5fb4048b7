int main(int argc, char **argv) // kept
{
    int kind = 1; // kept
    (void)argv;
    switch (argc) { // kept
    case 1:
        kind = 4;
        break;
    case 3: // kept
        kind = 0; // kept
        break;
    default:
        kind = 3;
    }
    return 1 / kind; // criterion
}
