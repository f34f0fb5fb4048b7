#include <string.h>

enum state { IDLE, PAID, SOLD, BROKEN, STATES };

typedef enum state (*handler)(char event);

int cans = 5;

enum state when_idle(char event)
{
    if (event == 'c')
        return PAID;
    return event == 'o' ? BROKEN : IDLE;
}

enum state when_paid(char event)
{
    if (event == 'p' && cans > 0)
        return SOLD;
        return IDLE;
}

enum state when_sold(char event)
{
    return IDLE;
}

handler handlers[STATES] = {when_idle, when_paid, when_sold};

enum state step(enum state state, char event)
{
    return handlers[state](event);
}

int main(int argc, char **argv)
{
    char *events = argc > 1 ? argv[1] : "cp";
    enum state state = IDLE;

    for (size_t i = 0; i < strlen(events); i++)
        state = step(state, events[i]);
}
