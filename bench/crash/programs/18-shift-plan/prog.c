/* Who works when: teams rotate through their shifts from a given day on. */
#include <stdio.h>
#include <stdlib.h>

struct team {
    const char *name;
    int first_day;
    int rotation; /* days until everything repeats */
};

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int day_of_year(int year, int month, int day)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int number = day;
    for (int m = 1; m < month; m++)
        number += days[m - 1];
    if (month > 2 && is_leap(year))
        number++;
    return number;
}

static int position(const struct team *team, int day)
{
    int since = day - team->first_day;
    if (since < 0)
        return -1;
    return since % team->rotation;
}

static const char *shift_on(const struct team *team, int day)
{
    int where = position(team, day);
    if (where < 0)
        return "not yet";
    if (where < 2)
        return "early";
    return where < 4 ? "late" : "free";
}

int main(int argc, char **argv)
{
    struct team teams[] = {
        {"red", 1, 6},
        {"blue", 3, 6},
        {"stand-by", 60, 0}, /* the rotation is not decided yet */
    };
    int year = argc > 1 ? atoi(argv[1]) : 2024;
    int month = argc > 2 ? atoi(argv[2]) : 1;
    int day = argc > 3 ? atoi(argv[3]) : 1;
    int today = day_of_year(year, month, day);

    printf("day %d of %d\n", today, year);
    for (int i = 0; i < 3; i++)
        printf("%-10s %s\n", teams[i].name, shift_on(&teams[i], today));
    return 0;
}
