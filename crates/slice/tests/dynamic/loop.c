int main(int argc, char **argv) // kept
{
    int values[4] = {3, 2, 1, 0}; // kept
    int sum = 0, skipped = 0; // kept
    (void)argv;
    for (int i = 0; i < 4; i++) { // kept
        if (values[i] == argc) { // kept
            skipped++;
            continue; // kept
        }
        if (values[i] > 5)
            break;
        sum += values[i]; // kept
    }
    return 1 / (sum - 3); // criterion
}
