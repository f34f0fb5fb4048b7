// expects: bug no-static-fields (direct call)
package static_field;

public class Main {
    static Engine engine;

    static class Engine {
        String start() { return "started"; }
    }

    public static void main(String[] args) {
        engine = new Engine();
        System.out.println(engine.start());
    }
}
