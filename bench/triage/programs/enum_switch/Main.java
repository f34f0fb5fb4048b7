// expects: sound
package enum_switch;

public class Main {
    enum Light { RED, GREEN }

    public static void main(String[] args) {
        for (Light light : Light.values()) {
            switch (light) { case RED: stop(); break; case GREEN: go(); break; }
        }
    }

    static void stop() { System.out.println("stop"); }
    static void go() { System.out.println("go"); }
}
