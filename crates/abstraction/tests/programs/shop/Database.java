package shop;

import java.io.IOException;

public class Database {
    public Database(String address) throws IOException {
        if (address.isEmpty()) {
            throw new IOException("no address");
        }
    }

    public boolean next() throws IOException {
        return false;
    }

    public String text(int column) throws IOException {
        return "";
    }

    public int number(int column) throws IOException {
        return 0;
    }
}
