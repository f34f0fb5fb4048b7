int main(int argc, char **argv) // kept
{
    int sum = 0, steps = 0; // kept
    (void)argv;
    for (int i = 0; i < 10; i++) { // kept
        steps++;
        if (i == argc) // kept
            continue; // kept
        if (sum > 20) // kept
            break; // kept
        if (steps > 5)
            steps = 0;
        sum += i; // kept
    }
    return sum; // criterion
}
