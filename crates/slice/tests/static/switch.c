int main(int argc, char **argv) // kept
{
    int kind = 0; // kept
    int noise = 0;
    (void)argv;
    switch (argc) { // kept
    case 1: // kept
        kind = 1; // kept
        break; // kept
    case 2: // kept
        noise = 2;
        break; // kept
    default: // kept
        kind = 3; // kept
        noise++;
    }
    return kind; // criterion
}
