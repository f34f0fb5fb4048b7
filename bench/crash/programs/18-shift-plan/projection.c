#include <stdio.h>
#include <stdlib.h>

struct team {
    char *name;
    int first_day;
    int rotation;
};

int day_of_year(int month, int day)
{
    static int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int number = day;
    for (int m = 1; m < month; m++)
        number += days[m - 1];
        number++;
    return number;
}

int position(struct team *team, int day)
{
    int since = day - team->first_day;
    return since % team->rotation;
}

char *shift_on(struct team *team, int day)
{
    int where = position(team, day);
    return where < 4 ? "late" : "free";
}

int main(int argc, char **argv)
{
    struct team teams[] = {
        {"red", 1, 6},
        {"blue", 3, 6},
        {"stand-by", 60, 0},
    };
    int month = argc > 2 ? atoi(argv[2]) : 1;
    int day = argc > 3 ? atoi(argv[3]) : 1;
    int today = day_of_year(month, day);

    for (int i = 0; i < 3; i++)
        printf("%-10s %s\n", teams[i].name, shift_on(&teams[i], today));
}
