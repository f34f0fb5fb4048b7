package words;

/** Counts the words of two texts. */
public class Main {
    public static int run(String first, String second) {
        if (first == null || second == null) {
            return -1;
        }
        Counter counter = new Counter();
        Splitter splitter = new Splitter(counter);
        splitter.split(first);
        splitter.split(second);
        return counter.words() * 100 + counter.longest();
    }
}
