// A board for noughts and crosses of any size; moves are given as ROW,COLUMN.
#include <cstdio>
#include <cstdlib>
#include <iostream>

class Board {
public:
    explicit Board(int size) : size(size), moves(0)
    {
        cells = new char[size * size];
        for (int i = 0; i < size * size; i++)
            cells[i] = '.';
    }
    ~Board() { delete[] cells; }

    void place(int row, int column, char mark)
    {
        char *cell = cells + row * size + column;
        *cell = mark;
        moves++;
    }

    bool full() const { return moves == size * size; }

    void print() const
    {
        for (int row = 0; row < size; row++) {
            for (int column = 0; column < size; column++)
                std::cout << cells[row * size + column];
            std::cout << '\n';
        }
    }

private:
    int size;
    int moves;
    char *cells;
};

class Game {
public:
    explicit Game(int size) : board(size), turn('X') {}

    void play(int row, int column)
    {
        board.place(row, column, turn);
        turn = turn == 'X' ? 'O' : 'X';
    }

    void show() const
    {
        board.print();
        if (board.full())
            std::cout << "the board is full\n";
        else
            std::cout << "next: " << turn << '\n';
    }

private:
    Board board;
    char turn;
};

int main(int argc, char **argv)
{
    Game game(3);
    for (int i = 1; i < argc; i++) {
        int row = 0, column = 0;
        if (std::sscanf(argv[i], "%d,%d", &row, &column) != 2) {
            std::cerr << "not a move: " << argv[i] << '\n';
            return 2;
        }
        game.play(row, column);
    }
    game.show();
    return 0;
}
