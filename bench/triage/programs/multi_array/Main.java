// expects: bug no-multi-arrays (array of arrays)
package multi_array;

public class Main {
    static class Cell {
        int value() { return 7; }
    }

    public static void main(String[] args) {
        Cell[][] board = new Cell[2][2];
        board[1][0] = make();
        System.out.println(board[1][0].value());
    }

    static Cell make() { return new Cell(); }
}
