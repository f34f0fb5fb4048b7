/** Reads and computes expressions such as 1+(2*x). */
public class Expressions {
    private final String text;
    private final int x;
    private int at;

    Expressions(String text, int x) {
        this.text = text;
        this.x = x;
    }

    static int compute(String text, int x) {
        if (text == null) {
            return 0;
        }
        Expressions reader = new Expressions(text, x);
        int result = reader.sum();
        if (reader.at < text.length()) {
            throw new IllegalArgumentException("more than expected");
        }
        return result;
    }

    private int sum() {
        int result = product();
        while (next('+') || next('-')) {
            boolean isSum = text.charAt(at) == '+';
            at++;
            int right = product();
            result = isSum ? result + right : result - right;
        }
        return result;
    }

    private int product() {
        int result = factor();
        while (next('*') || next('/')) {
            boolean isProduct = text.charAt(at) == '*';
            at++;
            int right = factor();
            result = isProduct ? result * right : result / right;
        }
        return result;
    }

    private int factor() {
        if (next('-')) {
            at++;
            return -factor();
        }
        if (next('(')) {
            at++;
            int inner = sum();
            if (!next(')')) {
                throw new IllegalArgumentException("a bracket is open");
            }
            at++;
            return inner;
        }
        if (next('x')) {
            at++;
            return x;
        }
        return number();
    }

    private int number() {
        int start = at;
        int result = 0;
        while (at < text.length() && Character.isDigit(text.charAt(at))) {
            result = result * 10 + (text.charAt(at) - '0');
            at++;
        }
        if (at == start) {
            throw new IllegalArgumentException("a number is missing");
        }
        return result;
    }

    private boolean next(char expected) {
        return at < text.length() && text.charAt(at) == expected;
    }
}
