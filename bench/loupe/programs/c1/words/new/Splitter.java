package words;

/** Finds words: letters, and apostrophes between them. */
public class Splitter {
    private final Counter counter;
    private int length;
    private boolean apostrophe;

    public Splitter(Counter counter) {
        this.counter = counter;
    }

    public void split(String text) {
        for (char letter : text.toCharArray()) {
            step(letter);
        }
        end();
    }

    private void step(char letter) {
        char small = (char) (letter | 0x20);
        if (small >= 'a' && small <= 'z') {
            length += apostrophe ? 2 : 1;
            apostrophe = false;
        } else if (letter == '\'' && length > 0 && !apostrophe) {
            apostrophe = true;
        } else {
            end();
        }
    }

    private void end() {
        if (length > 0) {
            counter.word(length);
        }
        length = 0;
        apostrophe = false;
    }
}
