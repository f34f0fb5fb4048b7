int main()
{
    int samples[] = {12, 15, 11, 18, 25, 31, 22, 17};
    int count = sizeof(samples) / sizeof(samples[0]);

    int i = 1;
    while (i < count) {
        int sum = samples[i - 1] + samples[i] + samples[i + 1];
        i++;
    }
}
