class Board {
public:
    void place(char mark)
    {
        char *cell = 0;
        *cell = mark;
    }
};

class Game {
public:
    void play()
    {
        board.place(0);
    }

    Board board;
};

int main()
{
    Game game;
        game.play();
}
