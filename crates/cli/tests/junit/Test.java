/** A class without a package, and with the name of an annotation of JUnit. */
class Test {
    static class Inner {
        int n;
        Größe size;
    }

    /** Its name is not ASCII. */
    static class Größe {
        char unit;
    }

    int run(Inner inner) {
        if (inner.n == 1) {
            throw new IllegalStateException();
        }
        if (inner.size != null && inner.size.unit == 'ß') {
            return 3;
        }
        System.out.print(inner.n > 2);
        return inner.n > 2 ? 1 : 2;
    }
}
