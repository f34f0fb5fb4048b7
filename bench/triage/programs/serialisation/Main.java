// expects: feature (serialisation)
package serialisation;

import java.io.*;

public class Main {
    static class Note implements Serializable {
        private Object writeReplace() { return "replaced"; }
    }

    public static void main(String[] args) throws Exception {
        new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(new Note());
    }
}
