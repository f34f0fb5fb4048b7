enum state { IDLE, STATES };

typedef enum state (*handler)();

handler handlers[STATES];

enum state step(enum state state, char event)
{
    return handlers[state](event);
}

int main()
{
        step(0, 0);
}
