// expects: bug no-string-concatenation (string concatenation)
package string_concatenation;

public class Main {
    static class Part {
        @Override public String toString() { return "part"; }
    }

    public static void main(String[] args) {
        String text = "whole and " + new Part();
        System.out.println(text);
    }
}
