// expects: sound
package own_streams;

import java.io.*;

public class Main {
    static class Upper extends FilterWriter {
        Upper(Writer out) { super(out); }
        @Override public void write(String text, int from, int length) throws IOException {
            out.write(text.toUpperCase(), from, length);
        }
    }
    static class Ones extends InputStream {
        int left = 3;
        @Override public int read() { return left-- > 0 ? '1' : -1; }
    }

    public static void main(String[] args) throws IOException {
        StringWriter text = new StringWriter();
        try (PrintWriter out = new PrintWriter(new Upper(text))) { out.print("loud"); }
        System.out.println(text + new BufferedReader(new InputStreamReader(new Ones())).readLine());
    }
}
