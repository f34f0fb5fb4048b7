// expects: sound
package visitor;

public class Main {
    interface Visitor<R> { R number(int value); R sum(Node left, Node right); }
    interface Node { <R> R accept(Visitor<R> visitor); }
    static class Number implements Node {
        @Override public <R> R accept(Visitor<R> visitor) { return visitor.number(3); }
    }
    static class Sum implements Node {
        @Override public <R> R accept(Visitor<R> visitor) { return visitor.sum(new Number(), new Number()); }
    }
    static class Evaluate implements Visitor<Integer> {
        @Override public Integer number(int value) { return value; }
        @Override public Integer sum(Node left, Node right) { return left.accept(this) + right.accept(this); }
    }

    public static void main(String[] args) { System.out.println(new Sum().accept(new Evaluate())); }
}
