package logs;

/** Log files on eight boards. The board follows from the name, so that equal names meet. */
public class Shelf {
    private static final int BOARDS = 8;

    private final LogFile[] boards = new LogFile[BOARDS];

    public LogFile file(String name) {
        int board = board(name);
        if (boards[board] == null) {
            boards[board] = new LogFile("board " + board);
        }
        return boards[board];
    }

    public void list() {
        for (LogFile file : boards) {
            if (file != null) {
                System.out.println(file.describe());
            }
        }
    }

    private int board(String name) {
        int even = 0;
        int odd = 1;
        for (int index = 0; index < name.length(); index++) {
            char letter = name.charAt(index);
            if ((letter & 1) == 0) {
                even = even * 3 + letter;
            } else {
                odd = odd * 5 + letter;
            }
        }
        return (even ^ odd) & (BOARDS - 1);
    }
}
