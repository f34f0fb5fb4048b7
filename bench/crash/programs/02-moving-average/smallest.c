int main()
{
    int samples[] = {12};
    int i = 1;
        int sum = samples[i - 1] + samples[i] + samples[i + 1];
}
