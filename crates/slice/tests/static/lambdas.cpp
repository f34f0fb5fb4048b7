int main(int argc, char **) // kept
{
    int total = 0; // kept
    int calls = 0;
    auto add = [&total](int value) { // kept
        total += value; // kept
    };
    auto count = [&calls]() { calls++; };
    add(argc); // kept
    count();
    return 10 / (total - 1); // criterion
}
