enum state { IDLE };

typedef enum state (*handler)();

handler handlers[];

enum state step(enum state state, char event)
{
    return handlers[state](event);
}

int main()
{
        step(0, 0);
}
