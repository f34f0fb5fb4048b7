#include <cstdio>

class Board {
public:
    Board(int size) : size(size)
    {
        cells = new char[size * size];
    }

    void place(int row, int column, char mark)
    {
        char *cell = cells + row * size + column;
        *cell = mark;
    }

    int size;
    char *cells;
};

class Game {
public:
    Game(int size) : board(size), turn('X') {}

    void play(int row, int column)
    {
        board.place(row, column, turn);
    }

    Board board;
    char turn;
};

int main(int argc, char **argv)
{
    Game game(3);
    for (int i = 1; i < argc; i++) {
        int row = 0, column = 0;
        if (std::sscanf(argv[i], "%d,%d", &row, &column) != 2)
            ;
        game.play(row, column);
    }
}
