/* Prints the mean and the highest temperature of each weather station. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATIONS 8
#define READINGS 32

struct station {
    char name[16];
    double reading[READINGS];
    int count;
};

static struct station stations[STATIONS];
static int station_count;

static struct station *find(const char *name)
{
    for (int i = 0; i < station_count; i++)
        if (strcmp(stations[i].name, name) == 0)
            return &stations[i];
    return NULL;
}

static struct station *add(const char *name)
{
    struct station *station = &stations[station_count++];
    strncpy(station->name, name, sizeof station->name - 1);
    return station;
}

/* Readings above the limit are errors of the instrument. */
static void record(struct station *station, double value, double limit)
{
    if (value > limit) {
        fprintf(stderr, "%s: %.1f is not possible\n", station->name, value);
        return;
    }
    station->reading[station->count] = value;
    station->count++;
}

static double mean(const double *values, int count)
{
    assert(count > 0);
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

static double warmest(const double *values, int count)
{
    double best = values[0];
    for (int i = 1; i < count; i++)
        if (values[i] > best)
            best = values[i];
    return best;
}

int main(int argc, char **argv)
{
    char name[16];
    double value;
    double limit = argc > 1 ? atof(argv[1]) : 60;
    while (scanf("%15s %lf", name, &value) == 2) {
        struct station *station = find(name);
        if (station == NULL)
            station = add(name);
        record(station, value, limit);
    }
    for (int i = 0; i < station_count; i++) {
        struct station *station = &stations[i];
        printf("%-15s %5.1f", station->name, mean(station->reading, station->count));
        printf(" %5.1f\n", warmest(station->reading, station->count));
    }
    return 0;
}
