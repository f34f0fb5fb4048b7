/** Code that is partly unreachable. */
public class Coverage {
    static int grade(int points) {
        if (points < 0) {
            return -1;
        }
        int bounded = points % 10;
        if (bounded > 20) {
            return unreachable(bounded);
        }
        switch (bounded) {
            case 3:
                return 1;
            case 30:
                return 2;
            default:
                return 0;
        }
    }

    static int unreachable(int number) {
        return number + 1;
    }

    static int neverCalled() {
        return 7;
    }
}
