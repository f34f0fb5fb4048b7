struct team {
    int rotation;
};

int position(struct team *team)
{
    int since;
    return since % team->rotation;
}

char shift_on(struct team *team)
{
    position(team);
}

int main()
{
    struct team teams[] = {0};
        shift_on(teams);
}
