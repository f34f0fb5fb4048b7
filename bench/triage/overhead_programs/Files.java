import java.io.*;
import java.nio.file.*;

/** Reads and writes and little else. */
public class Files {
    public static void main(String[] args) throws IOException {
        Path path = java.nio.file.Files.createTempFile("overhead", null);
        long lines = 0;
        for (int round = 0; round < 40; round++) {
            try (BufferedWriter out = java.nio.file.Files.newBufferedWriter(path)) {
                for (int i = 0; i < 50_000; i++) out.write(line(i));
            }
            try (BufferedReader in = java.nio.file.Files.newBufferedReader(path)) {
                while (in.readLine() != null) lines++;
            }
        }
        java.nio.file.Files.delete(path);
        System.out.println(lines);
    }

    static String line(int number) { return "this is line " + number + "\n"; }
}
