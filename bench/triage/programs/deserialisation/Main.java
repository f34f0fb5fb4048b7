// expects: feature (deserialisation)
package deserialisation;

import java.io.*;

public class Main {
    static class Note implements Serializable {
        private void readObject(ObjectInputStream in) throws Exception { in.defaultReadObject(); }
    }

    public static void main(String[] args) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) { out.writeObject(new Note()); }
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    }
}
