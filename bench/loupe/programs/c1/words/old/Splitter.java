package words;

/** Finds words: letters, and apostrophes between them. */
public class Splitter {
    private final Counter counter;

    public Splitter(Counter counter) {
        this.counter = counter;
    }

    public void split(String text) {
        int index = 0;
        while (index < text.length()) {
            if (!isLetter(text.charAt(index))) {
                index++;
                continue;
            }
            int end = index + 1;
            while (end < text.length() && continues(text, end)) {
                end++;
            }
            counter.word(end - index);
            index = end;
        }
    }

    private boolean continues(String text, int index) {
        if (isLetter(text.charAt(index))) {
            return true;
        }
        return text.charAt(index) == '\'' && index + 1 < text.length() && isLetter(text.charAt(index + 1));
    }

    private boolean isLetter(char letter) {
        return letter >= 'a' && letter <= 'z' || letter >= 'A' && letter <= 'Z';
    }
}
