/* The Mine: a text adventure. Commands come from standard input, one to a line. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_LENGTH 120
#define MAX_ROOMS 12
#define MAX_ITEMS 12

enum direction { NORTH, EAST, SOUTH, WEST, UP, DOWN, DIRECTIONS };

static const char *direction_names[DIRECTIONS] = {"north", "east", "south", "west", "up", "down"};

struct item {
    const char *name;
    const char *description;
    int weight;
    int value;
    struct item *next;
};

struct room {
    const char *name;
    const char *description;
    int dark;
    int visits;
    struct room *exits[DIRECTIONS];
    struct item *items;
};

struct game {
    struct room rooms[MAX_ROOMS];
    int room_count;
    struct item items[MAX_ITEMS];
    int item_count;
    struct room *here;
    struct item *carried;
    int lamp_is_on;
    int lamp_oil;
    int moves;
    int score;
    int over;
};

/* ---------------------------------------------------------------- building the world */

static struct room *add_room(struct game *game, const char *name, const char *description, int dark)
{
    if (game->room_count == MAX_ROOMS) {
        fprintf(stderr, "too many rooms\n");
        exit(1);
    }
    struct room *room = &game->rooms[game->room_count++];
    room->name = name;
    room->description = description;
    room->dark = dark;
    return room;
}

static enum direction opposite(enum direction direction)
{
    switch (direction) {
    case NORTH:
        return SOUTH;
    case SOUTH:
        return NORTH;
    case EAST:
        return WEST;
    case WEST:
        return EAST;
    case UP:
        return DOWN;
    default:
        return UP;
    }
}

static void connect(struct room *from, enum direction direction, struct room *to)
{
    from->exits[direction] = to;
    to->exits[opposite(direction)] = from;
}

static void put_item(struct game *game, struct room *room, const char *name, const char *description, int weight,
                     int value)
{
    if (game->item_count == MAX_ITEMS) {
        fprintf(stderr, "too many items\n");
        exit(1);
    }
    struct item *item = &game->items[game->item_count++];
    item->name = name;
    item->description = description;
    item->weight = weight;
    item->value = value;
    item->next = room->items;
    room->items = item;
}

static void build_world(struct game *game)
{
    struct room *gate = add_room(game, "Gate", "Rusty rails lead into the hill.", 0);
    struct room *hut = add_room(game, "Hut", "Somebody has slept here, long ago.", 0);
    struct room *tunnel = add_room(game, "Tunnel", "The rails end in a heap of stones.", 1);
    struct room *shaft = add_room(game, "Shaft", "A ladder goes down. It has seen better days.", 1);
    struct room *gallery = add_room(game, "Gallery", "Pillars of stone hold up the roof.", 1);
    struct room *lake = add_room(game, "Lake", "Black water, without a sound.", 1);
    struct room *vault = add_room(game, "Vault", "The walls glitter.", 1);

    connect(gate, EAST, hut);
    connect(gate, NORTH, tunnel);
    connect(tunnel, NORTH, shaft);
    connect(shaft, DOWN, gallery);
    connect(gallery, WEST, lake);
    connect(gallery, EAST, vault);

    put_item(game, hut, "lamp", "An oil lamp. It is half full.", 2, 0);
    put_item(game, hut, "rope", "Twenty metres of it.", 4, 0);
    put_item(game, tunnel, "pick", "Heavy, but useful.", 6, 1);
    put_item(game, lake, "pearl", "It shines by itself.", 1, 15);
    put_item(game, vault, "ruby", "As large as an egg.", 1, 50);
    put_item(game, vault, "quartz", "Pretty, and there is a lot of it.", 5, 2);

    game->here = gate;
    game->lamp_oil = 40;
}

/* ---------------------------------------------------------------- things */

static struct item **find_item(struct item **list, const char *name)
{
    while (*list != NULL && strcmp((*list)->name, name) != 0)
        list = &(*list)->next;
    return list;
}

static int carries(struct game *game, const char *name)
{
    return *find_item(&game->carried, name) != NULL;
}

static int total_weight(const struct item *list)
{
    int weight = 0;
    for (; list != NULL; list = list->next)
        weight += list->weight;
    return weight;
}

static void move_item(struct item **from, struct item **to)
{
    struct item *item = *from;
    *from = item->next;
    item->next = *to;
    *to = item;
}

/* ---------------------------------------------------------------- looking and moving */

static int can_see(struct game *game)
{
    return !game->here->dark || (game->lamp_is_on && carries(game, "lamp"));
}

static void look(struct game *game)
{
    if (!can_see(game)) {
        printf("It is too dark to see anything.\n");
        return;
    }
    printf("%s\n%s\n", game->here->name, game->here->description);
    for (struct item *item = game->here->items; item != NULL; item = item->next)
        printf("There is a %s here.\n", item->name);
    for (int direction = 0; direction < DIRECTIONS; direction++)
        if (game->here->exits[direction] != NULL)
            printf("A way leads %s.\n", direction_names[direction]);
}

static void enter(struct game *game, struct room *room)
{
    room->visits++;
    game->here = room;
    if (room->visits == 1) {
        game->score += 5;
        look(game);
    } else {
        printf("%s\n", room->name);
    }
}

static int parse_direction(const char *word)
{
    for (int direction = 0; direction < DIRECTIONS; direction++)
        if (strcmp(direction_names[direction], word) == 0)
            return direction;
    return -1;
}

static void go(struct game *game, const char *word)
{
    int direction = parse_direction(word);
    if (direction < 0) {
        printf("Where is %s?\n", word);
        return;
    }
    if (game->here->exits[direction] == NULL) {
        printf("There is no way.\n");
        return;
    }
    if (direction == DOWN && total_weight(game->carried) > 8) {
        printf("With all that on your back the ladder would break.\n");
        return;
    }
    enter(game, game->here->exits[direction]);
}

/* Quicker than the ladder. */
static void jump(struct game *game)
{
    printf("You close your eyes and jump.\n");
    enter(game, game->here->exits[DOWN]);
    game->score--;
}

/* ---------------------------------------------------------------- doing */

static void take(struct game *game, const char *name)
{
    struct item **place = find_item(&game->here->items, name);
    if (!can_see(game) || *place == NULL) {
        printf("You see no %s.\n", name);
        return;
    }
    if (total_weight(game->carried) + (*place)->weight > 14) {
        printf("You cannot carry any more.\n");
        return;
    }
    game->score += (*place)->value;
    move_item(place, &game->carried);
    printf("Taken.\n");
}

static void drop(struct game *game, const char *name)
{
    struct item **place = find_item(&game->carried, name);
    if (*place == NULL) {
        printf("You have no %s.\n", name);
        return;
    }
    game->score -= (*place)->value;
    move_item(place, &game->here->items);
    printf("Dropped.\n");
}

static void examine(struct game *game, const char *name)
{
    struct item **place = find_item(&game->carried, name);
    if (*place == NULL)
        place = find_item(&game->here->items, name);
    if (*place == NULL)
        printf("You see no %s.\n", name);
    else
        printf("%s\n", (*place)->description);
}

static void light(struct game *game, const char *name)
{
    if (strcmp(name, "lamp") != 0 || !carries(game, "lamp")) {
        printf("You cannot light that.\n");
        return;
    }
    if (game->lamp_oil == 0) {
        printf("There is no oil left.\n");
        return;
    }
    game->lamp_is_on = 1;
    printf("The lamp is on.\n");
}

static void inventory(struct game *game)
{
    if (game->carried == NULL)
        printf("You carry nothing.\n");
    for (struct item *item = game->carried; item != NULL; item = item->next)
        printf("  %s\n", item->name);
}

static void burn_oil(struct game *game)
{
    if (!game->lamp_is_on)
        return;
    game->lamp_oil--;
    if (game->lamp_oil == 5)
        printf("The lamp flickers.\n");
    if (game->lamp_oil == 0) {
        printf("The lamp goes out.\n");
        game->lamp_is_on = 0;
    }
}

/* ---------------------------------------------------------------- commands */

static void clean(char *line)
{
    line[strcspn(line, "\n")] = '\0';
    for (char *c = line; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
}

static void obey(struct game *game, char *line)
{
    clean(line);
    char *verb = strtok(line, " ");
    char *noun = strtok(NULL, " ");
    if (verb == NULL)
        return;
    if (noun == NULL)
        noun = "";
    game->moves++;

    if (strcmp(verb, "look") == 0)
        look(game);
    else if (strcmp(verb, "go") == 0)
        go(game, noun);
    else if (strcmp(verb, "jump") == 0)
        jump(game);
    else if (strcmp(verb, "take") == 0)
        take(game, noun);
    else if (strcmp(verb, "drop") == 0)
        drop(game, noun);
    else if (strcmp(verb, "examine") == 0)
        examine(game, noun);
    else if (strcmp(verb, "light") == 0)
        light(game, noun);
    else if (strcmp(verb, "inventory") == 0)
        inventory(game);
    else if (strcmp(verb, "quit") == 0)
        game->over = 1;
    else
        printf("You do not know how to %s.\n", verb);
    burn_oil(game);
}

int main(int argc, char **argv)
{
    static struct game game;
    char line[LINE_LENGTH];
    int echo = argc > 1 && strcmp(argv[1], "--echo") == 0;

    build_world(&game);
    look(&game);
    while (!game.over && fgets(line, sizeof(line), stdin) != NULL) {
        if (echo)
            printf("> %s", line);
        obey(&game, line);
    }
    printf("You scored %d points in %d moves.\n", game.score, game.moves);
    return 0;
}
