// expects: sound
package template_method;

public class Main {
    static abstract class Report {
        final String write() { return head() + body(); }
        String head() { return "head "; }
        abstract String body();
    }
    static class Daily extends Report {
        @Override String head() { return super.head() + "daily "; }
        @Override String body() { return "news"; }
    }

    public static void main(String[] args) { System.out.println(new Daily().write()); }
}
