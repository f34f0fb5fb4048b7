// Smooths a series of measurements with a window of three and marks the peaks.
#include <stdio.h>
#include <string.h>

int main(int argc, char *argv[])
{
    int samples[] = {12, 15, 11, 18, 25, 31, 22, 17};
    int smoothed[8];
    int count = sizeof(samples) / sizeof(samples[0]);
    int verbose = argc > 1 && strcmp(argv[1], "-v") == 0;

    int minimum = samples[0];
    int maximum = samples[0];
    for (int k = 1; k < count; k++) {
        if (samples[k] < minimum)
            minimum = samples[k];
        if (samples[k] > maximum)
            maximum = samples[k];
    }
    printf("%d samples between %d and %d\n", count, minimum, maximum);

    // The ends have only one neighbour.
    smoothed[0] = samples[0];
    smoothed[count - 1] = samples[count - 1];

    int i = 1;
    while (i < count) {
        int sum = samples[i - 1] + samples[i] + samples[i + 1];
        smoothed[i] = sum / 3;
        if (verbose)
            printf("%2d: %d -> %d\n", i, samples[i], smoothed[i]);
        i++;
    }

    int peaks = 0;
    for (int k = 1; k < count - 1; k++)
        if (smoothed[k] > smoothed[k - 1] && smoothed[k] > smoothed[k + 1])
            peaks++;

    printf("%d peaks\n", peaks);
    return 0;
}
