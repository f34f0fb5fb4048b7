// expects: feature (Constructor.newInstance)
package indirect_reflection;

public class Main {
    interface Plugin { String name(); }

    static class Hidden implements Plugin {
        public Hidden() { }
        @Override public String name() { return "hidden"; }
    }

    public static void main(String[] args) throws Exception {
        Plugin plugin = (Plugin) Class.forName(Main.class.getName() + "$Hidden").getConstructor().newInstance();
        System.out.println(plugin.name());
    }
}
