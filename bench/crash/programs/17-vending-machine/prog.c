/* A vending machine as a table of states. Events: c a coin, p the button, r the return lever, o out of order. */
#include <stdio.h>
#include <string.h>

enum state { IDLE, PAID, SOLD, BROKEN, STATES };

typedef enum state (*handler)(char event);

static int coins = 0;
static int cans = 5;

static enum state when_idle(char event)
{
    if (event == 'c') {
        coins++;
        return PAID;
    }
    return event == 'o' ? BROKEN : IDLE;
}

static enum state when_paid(char event)
{
    if (event == 'p' && cans > 0) {
        cans--;
        return SOLD;
    }
    if (event == 'r') {
        coins--;
        return IDLE;
    }
    return PAID;
}

static enum state when_sold(char event)
{
    (void)event;
    return IDLE;
}

/* There is nothing to do about a broken machine. */
static handler handlers[STATES] = {when_idle, when_paid, when_sold};

static enum state step(enum state state, char event)
{
    return handlers[state](event);
}

static const char *name_of(enum state state)
{
    static const char *names[STATES] = {"idle", "paid", "sold", "broken"};
    return names[state];
}

int main(int argc, char **argv)
{
    const char *events = argc > 1 ? argv[1] : "cp";
    enum state state = IDLE;

    for (size_t i = 0; i < strlen(events); i++) {
        state = step(state, events[i]);
        printf("%c -> %s\n", events[i], name_of(state));
    }
    printf("%d coins, %d cans left\n", coins, cans);
    return 0;
}
