/** A class without a package, and with the name of an annotation of JUnit. */
class Test {
    static class Inner {
        int n;
    }

    int run(Inner inner) {
        if (inner.n == 1) {
            throw new IllegalStateException();
        }
        System.out.print(inner.n > 2);
        return inner.n > 2 ? 1 : 2;
    }
}
