// expects: feature (service loader)
package service_loader;

import java.util.*;

public class Main {
    public interface Codec { String name(); }

    public static class Zip implements Codec {
        public Zip() { }
        @Override public String name() { return "zip"; }
    }

    public static void main(String[] args) {
        for (Codec codec : ServiceLoader.load(Codec.class)) System.out.println(codec.name());
    }
}
