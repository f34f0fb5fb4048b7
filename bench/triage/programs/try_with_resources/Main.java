// expects: sound
package try_with_resources;

public class Main {
    static class Door implements AutoCloseable {
        Door() { System.out.println("open"); }
        @Override public void close() { System.out.println("closed"); }
    }

    public static void main(String[] args) { try (Door door = new Door(); Door other = new Door()) { use(door); } }

    static void use(Door door) { }
}
