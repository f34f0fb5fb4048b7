// expects: bug no-clones (direct call)
package clone;

public class Main {
    static class Sheep implements Cloneable {
        Sheep copy() throws CloneNotSupportedException { return (Sheep) super.clone(); }
        String baa() { return "baa"; }
    }

    public static void main(String[] args) throws Exception { System.out.println(new Sheep().copy().baa()); }
}
