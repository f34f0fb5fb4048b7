int main(int argc, char **argv) // kept
{
    unsigned hash = 1, noise = 0; // kept
    (void)argv;
    for (int i = 0; i < 3000000; i++) { // kept
        hash = hash * 31 + (unsigned)argc; // kept
        noise += hash;
    }
    return 1 / (int)(hash - hash); // criterion
}
