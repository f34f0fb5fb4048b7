// expects: sound
package char_sequences;

public class Main {
    static class Stars implements CharSequence {
        @Override public int length() { return 3; }
        @Override public char charAt(int index) { return '*'; }
        @Override public CharSequence subSequence(int from, int to) { return this; }
        @Override public String toString() { return "***"; }
    }

    public static void main(String[] args) { System.out.println(new StringBuilder().append(new Stars(), 0, 2).append(String.join("-", new Stars()))); }
}
