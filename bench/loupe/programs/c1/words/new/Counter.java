package words;

/** How many words there were, and how long the longest was. */
public class Counter {
    private int words;
    private int longest;

    public void word(int length) {
        words++;
        if (length > longest) {
            longest = length;
        }
    }

    public int words() {
        return words;
    }

    public int longest() {
        return longest;
    }
}
