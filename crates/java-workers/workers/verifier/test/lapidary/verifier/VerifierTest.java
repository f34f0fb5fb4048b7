package lapidary.verifier;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** Each test damages a valid program in one way and expects exactly the problems that follow. */
final class VerifierTest {
    private static final String CALLER = "package p; class Caller { int run() { return new Callee().give(1); } }";
    private static final String CALLEE = "package p; class Callee { int give(int x) { return x; } }";

    public static void main(String[] arguments) throws IllegalAccessException {
        int failures = 0;
        Method[] tests = VerifierTest.class.getDeclaredMethods();
        Arrays.sort(tests, Comparator.comparing(Method::getName));
        for (Method test : tests) {
            if (test.getParameterCount() > 0 || test.isSynthetic()) {
                continue;
            }
            try {
                test.invoke(new VerifierTest());
                System.out.println("ok      " + test.getName());
            } catch (InvocationTargetException failed) {
                failures++;
                System.out.println("FAILED  " + test.getName());
                failed.getCause().printStackTrace(System.out);
            }
        }
        System.exit(failures == 0 ? 0 : 1);
    }

    private static void expect(Scenario scenario, String... problems) throws IOException {
        try (scenario) {
            expectEqual(List.of(problems), scenario.problems());
        }
    }

    private static void expectEqual(Object expected, Object actual) {
        if (!Objects.equals(expected, actual)) {
            throw new AssertionError("\n  expected " + expected + "\n  found    " + actual);
        }
    }

    void validProgramHasNoProblem() throws IOException {
        expect(new Scenario(CALLER, CALLEE,
                "package p; interface Shape { default int area() { return 0; } static Shape of() { return () -> {}; } void draw(); }",
                "package p; record Point<T extends Comparable<T>>(T x, T[] y) implements Shape { public void draw() { new Object() { T z = x; }; } }",
                "package p; enum Colour { RED { int n() { return 1; } }; abstract int n(); }"));
    }

    void brokenBodyIsRejectedByTheVerifier() throws IOException {
        expect(new Scenario("package p; class A extends B { B self() { return this; } } ", "package p; class B { }",
                        "package p; class User { B use() { return new A(); } }")
                .replacedBy("package p; class A { }"),
                "p/User.use()Lp/B;: VerifyError: Bad return type: Type 'p/A' (current frame, stack[0]) is not assignable to "
                + "'p/B' (from method signature) (areturn at 7)");
    }

    void brokenBodyIsRejectedByTheOldVerifier() throws IOException {
        expect(new Scenario("package p; class A extends B { }", "package p; class B { }",
                        "package p; class User { B use() { return new A(); } }")
                .replacedBy("package p; class A { }").withVersion(48, "p/User"),
                "p/User.use()Lp/B;: VerifyError: Wrong return type in function");
    }

    void removedClassIsMissedWhereverItIsNamed() throws IOException {
        expect(new Scenario(CALLER, CALLEE).without("p/Callee"),
                "p/Caller.run()I: NoClassDefFoundError: p/Callee");
    }

    void removedSuperclassIsMissed() throws IOException {
        expect(new Scenario("package p; class A extends B { }", "package p; class B { }").without("p/B"),
                "p/A: NoClassDefFoundError: p/B",
                "p/A.<init>()V: NoClassDefFoundError: p/B");
    }

    void removedMethodIsMissed() throws IOException {
        expect(new Scenario(CALLER, CALLEE).replacedBy("package p; class Callee { }"),
                "p/Caller.run()I: NoSuchMethodError: p/Callee.give(I)I");
    }

    void removedConstructorIsNotInherited() throws IOException {
        expect(new Scenario("package p; class A { A(int x) { } A() { } }", "package p; class B extends A { B(int x) { super(x); } B(String x) { } }",
                        "package p; class User { Object make() { return new B(1); } }")
                .replacedBy("package p; class B extends A { B(String x) { } }"),
                "p/User.make()Ljava/lang/Object;: NoSuchMethodError: p/B.<init>(I)V");
    }

    void fieldsAreResolvedThroughTheHierarchy() throws IOException {
        String user = "package p; class User extends A implements I { int sum() { return new User().x + C + D; } }";
        Scenario scenario = new Scenario(user, "package p; class A { int x; static Integer D = 1; }", "package p; interface I { Integer C = 2; }");
        expectEqual(List.of(), scenario.problems());
        expect(scenario.replacedBy("package p; class A { }"),
                "p/User.sum()I: NoSuchFieldError: p/User.x I",
                "p/User.sum()I: NoSuchFieldError: p/User.D Ljava/lang/Integer;");
    }

    void staticnessMustSuitTheInstruction() throws IOException {
        expect(new Scenario(CALLER, CALLEE).replacedBy("package p; class Callee { static int give(int x) { return x; } }"),
                "p/Caller.run()I: IncompatibleClassChangeError: static: p/Callee.give(I)I");
    }

    void privateMembersAreOutOfReachUnlessNestmates() throws IOException {
        expect(new Scenario(CALLER, CALLEE,
                        "package p; class Outer { private int secret; class Inner { int tell() { return secret; } } }")
                .replacedBy("package p; class Callee { private int give(int x) { return x; } }"),
                "p/Caller.run()I: IllegalAccessError: member: p/Callee.give(I)I");
    }

    void protectedMembersAreForSubclasses() throws IOException {
        String base = "package q; public class Base { protected int x; public Base() { } }";
        Scenario scenario = new Scenario(base.replace("protected", "public"),
                "package p; class Sub extends q.Base { int own() { return x; } }",
                "package p; class Other { int foreign(q.Base b) { return b.x; } }");
        expect(scenario.replacedBy(base), "p/Other.foreign(Lq/Base;)I: IllegalAccessError: member: q/Base.x I");
    }

    void classesOfOtherPackagesMustBePublic() throws IOException {
        expect(new Scenario("package q; public class Base { }", "package p; class User { Object make() { return Base(null); } Object Base(q.Base b) { return q.Base.class; } }")
                .replacedBy("package q; class Base { }"),
                "p/User.Base(Lq/Base;)Ljava/lang/Object;: IllegalAccessError: class: q/Base");
    }

    void abstractClassesCannotBeMade() throws IOException {
        expect(new Scenario(CALLER, CALLEE).replacedBy("package p; abstract class Callee { int give(int x) { return x; } }"),
                "p/Caller.run()I: InstantiationError: p/Callee");
    }

    void interfaceCallsNeedAnInterface() throws IOException {
        expect(new Scenario("package p; interface I { int f(); }", "package p; class User { int use(I i) { return i.f(); } }")
                .replacedBy("package p; class I { int f() { return 1; } }"),
                "p/User.use(Lp/I;)I: IncompatibleClassChangeError: interface expected, found class: p/I.f()I");
    }

    void superCallNeedsABody() throws IOException {
        expect(new Scenario("package p; abstract class A { int f() { return 1; } }", "package p; class B extends A { int f() { return super.f(); } }")
                .replacedBy("package p; abstract class A { abstract int f(); }"),
                "p/B.f()I: AbstractMethodError: p/A.f()I");
    }

    void finalFieldsAreSetAtHomeOnly() throws IOException {
        expect(new Scenario("package p; class A { int x; }", "package p; class B { void set(A a) { a.x = 1; } }")
                .replacedBy("package p; class A { final int x = Integer.parseInt(\"1\"); }"),
                "p/B.set(Lp/A;)V: IllegalAccessError: write to final field p/A.x I");
    }

    void lambdaBodiesAreResolved() throws IOException {
        expect(new Scenario("package p; class A { static void body() { } }", "package p; class User { Runnable make() { return A::body; } }")
                .replacedBy("package p; class A { }"),
                "p/User: NoSuchMethodError: p/A.body()V");
    }

    void lambdaNeedsItsAbstractMethod() throws IOException {
        expect(new Scenario("package p; interface I { void f(); }", "package p; class User { I make() { return () -> { }; } }")
                .replacedBy("package p; interface I { }"),
                "source: p/User: lambda for a method that is not abstract: p/I.f()V");
    }

    void unimplementedMethodIsAProblemOfTheSource() throws IOException {
        expect(new Scenario("package p; interface I { }", "package p; class A implements I { }")
                .replacedBy("package p; interface I { void f(); }"),
                "source: p/A: abstract method not implemented: p/I.f()V");
    }

    void methodsFromSuperclassesAndDefaultsImplement() throws IOException {
        expect(new Scenario("package p; interface I { int f(); int g(); }", "package p; interface J extends I { default int g() { return 1; } }",
                "package p; class A { public int f() { return 2; } }", "package p; class B extends A implements J { }"));
    }

    void signatureOfMissingClassIsNoticed() throws IOException {
        expect(new Scenario("package p; class Gone { }", "package p; class A { java.util.List<? extends Gone> all; }").without("p/Gone"),
                "p/A.all Ljava/util/List;: signature: NoClassDefFoundError: p/Gone");
    }

    void annotationsAreCheckedAsSource() throws IOException {
        String annotation = "package p; import java.lang.annotation.*; @Retention(RetentionPolicy.RUNTIME) @interface Mark { E value(); int n() default 1; }";
        expect(new Scenario(annotation, "package p; enum E { ONE, TWO }",
                        "package p; @Mark(value = E.TWO, n = 3) class A { }")
                .replacedBy("package p; enum E { ONE }",
                        "package p; import java.lang.annotation.*; @Retention(RetentionPolicy.RUNTIME) @interface Mark { E value(); int more(); }"),
                "source: p/A: annotation names missing constant p/E.TWO",
                "source: p/A: annotation p/Mark has no element n",
                "source: p/A: annotation p/Mark lacks element more");
    }

    void typeAnnotationsAreRead() throws IOException {
        expect(new Scenario("package p; import java.lang.annotation.*; @Target(ElementType.TYPE_USE) @interface Note { }",
                        "package p; class A<@Note T extends @Note Object> { java.util.Map<String, @Note T @Note []> m; "
                        + "void f() throws @Note Exception { @Note String s = (@Note String) m.toString(); } }")
                .without("p/Note"),
                "source: p/A.m Ljava/util/Map;: annotation: NoClassDefFoundError: p/Note",
                "source: p/A.f()V: annotation: NoClassDefFoundError: p/Note",
                "source: p/A: annotation: NoClassDefFoundError: p/Note");
    }

    void unlistedSubclassOfSealedClassIsRejected() throws IOException {
        List<String> problems;
        try (Scenario scenario = new Scenario("package p; abstract sealed class S permits A, B { }", "package p; final class A extends S { }",
                "package p; final class B extends S { }")) {
            Files.delete(scenario.classes().resolve("p/B.class"));
            scenario.replacedBy("package p; abstract class S { }", "package p; final class B extends S { }")
                    .replacedBy("package p; abstract sealed class S permits A { }", "package p; final class A extends S { }");
            problems = scenario.problems();
        }
        expectEqual(1, problems.size());
        expectEqual(true, problems.get(0).startsWith("p/B: IncompatibleClassChangeError: class p.B cannot inherit from sealed class p.S"));
    }

    void nestsAreToldByBothSides() throws IOException {
        expect(new Scenario("package p; class Outer { class Inner { } }").replacedBy("package p; class Outer { }"),
                "p/Outer$Inner: IncompatibleClassChangeError: p.Outer and p.Outer$Inner disagree on InnerClasses attribute",
                "p/Outer$Inner: IncompatibleClassChangeError: not listed by its nest host p/Outer");
    }

    void enclosingMethodMustExist() throws IOException {
        expect(new Scenario("package p; class Outer { Object f() { return new Object() { }; } }")
                .replacedBy("package p; class Outer { Object g() { return null; } }"),
                "p/Outer$1: IncompatibleClassChangeError: p.Outer and p.Outer$1 disagree on InnerClasses attribute",
                "p/Outer$1: InternalError: enclosing method not found: p/Outer.f()Ljava/lang/Object;",
                "p/Outer$1: IncompatibleClassChangeError: not listed by its nest host p/Outer");
    }

    void truncatedClassIsAProblemNotACrash() throws IOException {
        expect(new Scenario(CALLER, CALLEE).truncated("p/Callee", 40),
                "p/Callee: ClassFormatError: Truncated class file",
                "p/Caller.run()I: NoClassDefFoundError: p/Callee");
    }

    void whatTheOriginalMissesIsExcused() throws IOException {
        try (Scenario scenario = new Scenario(CALLER, CALLEE, "package p; class Optional { Lib lib; }", "package p; class Lib { void f() { } }").without("p/Lib")) {
            Judge judge = Scenario.judge(List.of());
            expectEqual(2L, judge.useBaseline(scenario.classes()).count(Problem.Judge.JVM));
            expectEqual(List.of(), Scenario.texts(judge.judge(scenario.classes())));
            scenario.without("p/Callee");
            expectEqual(List.of("p/Caller.run()I: NoClassDefFoundError: p/Callee"), Scenario.texts(judge.judge(scenario.classes())));
        }
    }

    void librariesAreSeenAndTheCandidateComesFirst() throws IOException {
        try (Scenario library = new Scenario(CALLEE); Scenario program = new Scenario(CALLER, CALLEE).without("p/Callee")) {
            expectEqual(List.of(), Scenario.texts(Scenario.judge(List.of(library.classes())).judge(program.classes())));
            program.replacedBy("package p; class Callee { }");
            expectEqual(List.of("p/Caller.run()I: NoSuchMethodError: p/Callee.give(I)I"),
                    Scenario.texts(Scenario.judge(List.of(library.classes())).judge(program.classes())));
        }
    }

    void noInitialiserRuns() throws IOException {
        String property = "lapidary.verifier.initialised";
        expect(new Scenario("package p; class A { static { System.setProperty(\"" + property + "\", \"yes\"); } }"));
        expectEqual(null, System.getProperty(property));
    }

    void damagedBytesAreJudgedWithoutACrash() throws IOException {
        String source = "package p; @Deprecated(since = \"1\") record R<T extends Comparable<T>>(T x, java.util.List<? super T> y) { "
                + "int f(int n) { switch (n) { case 1: case 2: return 3; case 900: return 4; } try { Runnable r = () -> { }; r.run(); } "
                + "catch (RuntimeException e) { class Local { } return new Local().hashCode(); } return n; } }";
        try (Scenario scenario = new Scenario(source, CALLER, CALLEE)) {
            Judge judge = Scenario.judge(List.of());
            Path file = scenario.classes().resolve("p/R.class");
            byte[] sound = Files.readAllBytes(file);
            int rejected = 0;
            for (int seed = 0; seed < 2000; seed++) {
                byte[] damaged = sound.clone();
                Random random = new Random(seed);
                for (int i = random.nextInt(3); i >= 0; i--) {
                    damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
                }
                Files.write(file, damaged);
                rejected += judge.judge(scenario.classes()).exitCode();
            }
            expectEqual(true, rejected > 1000);
        }
    }

    void requestsComeAsPathsOrAsJson() {
        expectEqual(new Request("/a b", null), Request.parse("/a b"));
        expectEqual(new Request("/a \"b\"\\é", "7"), Request.parse("{\"id\": 7, \"candidate\":\"/a \\\"b\\\"\\\\\\u00e9\"}"));
        expectEqual("{\"id\":7,\"exit\":1,\"stdout\":\"x\\n\\\"y\\\"\"}\n", new Request("/a", "7").answer(1, "x\n\"y\""));
        expectEqual("x\n", new Request("/a", null).answer(0, "x\n"));
    }

    void unreadableCandidateIsAProblem() throws IOException {
        Report report = Scenario.judge(List.of()).judge(Path.of("/no/such.jar"));
        expectEqual(1, report.exitCode());
        expectEqual(Map.of(true, 1L), Map.of(report.text().contains("cannot be read"), report.count(Problem.Judge.JVM)));
    }
}
