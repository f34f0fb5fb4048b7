/* Prints statistics about the grades given on the command line. */
#include <stdio.h>
#include <stdlib.h>

#define MAX_GRADES 50
#define PASS_MARK 60

int main(int argc, char **argv)
{
    int grades[MAX_GRADES];
    int entered = 0;
    int passed = 0, passed_total = 0;
    int highest = 0, lowest = 100;
    int i;

    printf("Grade book\n");
    for (i = 1; i < argc && entered < MAX_GRADES; i++) {
        int grade = atoi(argv[i]);
        if (grade < 0 || grade > 100) {
            fprintf(stderr, "ignoring grade %d\n", grade);
            continue;
        }
        grades[entered++] = grade;
    }

    for (i = 0; i < entered; i++) {
        if (grades[i] > highest)
            highest = grades[i];
        if (grades[i] < lowest)
            lowest = grades[i];
        if (grades[i] >= PASS_MARK) {
            passed++;
            passed_total += grades[i];
        }
    }

    printf("%d grades from %d to %d\n", entered, lowest, highest);

    /* Only those who passed count here. */
    int passing_average = passed_total / passed;
    printf("%d passed, average %d\n", passed, passing_average);

    return 0;
}
