open module m.sample {
    requires transitive java.logging;
    requires static java.xml;
    exports p to java.logging, java.xml;
    uses java.util.function.Supplier;
}
