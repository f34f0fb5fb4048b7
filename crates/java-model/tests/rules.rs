//! Tests of the rules, one by one, in small programs: the items that can be removed alone, those
//! that can only be removed together, and the result.
//!
//! [`Program::can_lose`] asks about exactly the named items (and the items inside them), so every
//! answer is precise.

use crate::support;

use lapidary_classfile::{Attribute, Attributed, access};
use lapidary_java_model::Detail;
use support::program::{Program, class, find_class, listing};
use support::{assert_valid, compile_with};

/// Checks that the JVM accepts the program without these items.
#[track_caller]
fn valid_without(program: &Program, choices: &[&[&str]]) {
    let candidates: Vec<_> = choices.iter().map(|gone| program.losing(gone)).collect();
    assert_valid(&candidates);
}

#[test]
fn a_call_needs_a_declaration_on_some_path() {
    let program = Program::items(
        "interface I { void m(); }
         abstract class A implements I { public abstract void m(); }
         class User { void use(A a) { a.m(); } }",
    );
    valid_without(&program, &[&["A.m:()V"], &["I.m:()V"], &["A<I"], &["A<I", "I.m:()V"]]);
    assert!(!program.can_lose(&["A.m:()V", "I.m:()V"]), "nothing declares it");
    assert!(!program.can_lose(&["A.m:()V", "A<I"]), "the path to I is broken");
    assert!(program.can_lose(&["A.m:()V", "I.m:()V", "User.use:(LA;)V!code"]));
}

#[test]
fn a_private_or_static_declaration_cannot_stand_in() {
    let program = Program::items(
        "class Top { public static int s() { return 1; } public int f; }
         class Low extends Top { public static int s() { return 2; } private int f; int own() { return f; } }
         class User { int use(Low low) { return Low.s() + ((Top) low).f; } }",
    );
    assert!(program.can_lose(&["Low.s:()I"]), "the one above will do");
    assert!(!program.can_lose(&["Low.s:()I", "Top.s:()I"]));
    assert!(!program.can_lose(&["Top.f:I"]), "the private one below is not seen");
}

#[test]
fn an_abstract_method_must_be_implemented_somewhere() {
    let program = Program::items(
        "interface I { void m(); }
         interface D extends I { default void m() {} }
         class A { public void m() {} }
         class C extends A implements D {}",
    );
    valid_without(&program, &[&["A.m:()V"], &["D.m:()V"], &["C<A"], &["I.m:()V", "D.m:()V", "A.m:()V"]]);
    assert!(!program.can_lose(&["A.m:()V", "D.m:()V"]));
    assert!(!program.can_lose(&["C<A", "D.m:()V"]));
    assert!(program.can_lose(&["A.m:()V", "D.m:()V", "C<D"]), "a class that is not an I owes nothing");
    assert!(program.can_lose(&["A.m:()V", "D.m:()V", "D<I"]), "nor does it if D is not an I");
}

#[test]
fn interfaces_of_a_record_do_not_implement_its_abstract_methods() {
    let program = Program::items(
        "interface Own {}
         record R(int x) implements Own, Comparable<R> { public int compareTo(R other) { return 0; } }",
    );
    assert!(!program.can_lose(&["R.toString:()Ljava/lang/String;"]), "Record declares it abstract");
    assert!(!program.can_lose(&["R.hashCode:()I"]));
}

#[test]
fn an_abstract_declaration_of_a_superclass_beats_a_default_method() {
    let program = Program::items(
        "interface I { default void m() {} }
         abstract class A { public abstract void m(); }
         class B extends A implements I { public void m() {} }",
    );
    assert!(!program.can_lose(&["B.m:()V"]), "the machine would find the abstract one");
    assert!(program.can_lose(&["B.m:()V", "A.m:()V"]), "the default method is found");
    assert!(program.can_lose(&["B.m:()V", "B<A"]));
}

#[test]
fn without_its_superclass_a_class_extends_object() {
    let program = Program::items(
        "class Base { Base(int i, String s, double d) {} }
         class Derived extends Base { int x; Derived(int x) { super(x + 1, \"s\", 2.0); this.x = x; } }",
    );
    let left = program.losing(&["Derived<Base"]);
    assert_valid(std::slice::from_ref(&left));
    assert_eq!(class(&left, "Derived").superclass.unwrap(), "java/lang/Object");
    let calls = listing(&left, "Derived.<init>:(I)V");
    assert!(calls.contains(&"invokespecial java/lang/Object.<init>".to_owned()), "{calls:?}");
    assert!(calls.contains(&"putfield Derived.x".to_owned()), "the rest of the body stays: {calls:?}");
    assert!(!calls.iter().any(|call| call.contains("Base")), "{calls:?}");
}

#[test]
fn a_constructor_without_its_code_calls_the_one_above_with_defaults() {
    let program = Program::items(
        "class Base { Base(int i, String s, double d) {} }
         class Derived extends Base {
             Derived(int x) { super(x + 1, \"s\", 2.0); System.out.println(x); }
             Derived() { this(3); }
         }",
    );
    let left = program.losing(&["Derived.<init>:(I)V!code", "Derived.<init>:()V!code"]);
    let expected = ["aload_0", "iconst_0", "aconst_null", "dconst_0", "invokespecial Base.<init>", "return"];
    assert_eq!(listing(&left, "Derived.<init>:(I)V"), expected);
    assert_eq!(listing(&left, "Derived.<init>:()V"), ["aload_0", "iconst_0", "invokespecial Derived.<init>", "return"]);
    let rootless = program.losing(&["Derived<Base", "Derived.<init>:(I)V!code"]);
    assert_eq!(
        listing(&rootless, "Derived.<init>:(I)V"),
        ["aload_0", "invokespecial java/lang/Object.<init>", "return"]
    );
    assert_valid(&[left, rootless]);
    assert!(!program.can_lose(&["Base.<init>:(ILjava/lang/String;D)V"]), "the stub would call it");
}

#[test]
fn bodies_of_other_methods_become_the_smallest() {
    let program = Program::items("class A { static long m(int x) { return x * 2L; } String s() { return \"s\"; } }");
    let left = program.losing(&["A.m:(I)J!code", "A.s:()Ljava/lang/String;!code"]);
    assert_eq!(listing(&left, "A.m:(I)J"), ["lconst_0", "lreturn"]);
    assert_eq!(listing(&left, "A.s:()Ljava/lang/String;"), ["aconst_null", "areturn"]);
}

#[test]
fn a_final_field_needs_the_code_that_sets_it() {
    let program = Program::items(
        "class A {
             final int x; static final Object S = new Object(); static final int C = 4;
             A(int x) { this.x = x; }
             A() { this.x = 1; }
         }",
    );
    assert!(!program.can_lose(&["A.<init>:(I)V!code"]) && !program.can_lose(&["A.<clinit>:()V"]));
    assert!(program.can_lose(&["A.<init>:(I)V"]), "the other constructor sets it too");
    let left = program.losing(&["A.<init>:(I)V!code", "A.x:I!final", "A.<clinit>:()V", "A.S:Ljava/lang/Object;!final"]);
    assert_valid(std::slice::from_ref(&left));
    let fields = class(&left, "A").fields;
    let is_final = |name: &str| fields.iter().any(|field| field.name == name && field.access & access::FINAL != 0);
    assert!(!is_final("x") && !is_final("S") && is_final("C"), "a constant needs no code");
}

#[test]
fn private_members_are_shared_as_long_as_the_nest_host_is_kept() {
    let program = Program::items(
        "class Outer {
             private int secret;
             static class One { private int mine; int look(Two two, Outer outer) { return two.yours + outer.secret; } }
             static class Two { private int yours; }
         }",
    );
    assert!(!program.can_lose(&["Outer"]), "nested classes name it");
    assert!(program.can_lose(&["Outer$One"]));
    let left = program.losing(&["Outer$One"]);
    let outer = class(&left, "Outer");
    assert_eq!(outer.nest_members(), ["Outer$Two"]);
    assert!(outer.inner_classes().iter().all(|entry| entry.inner == "Outer$Two"));
    assert_valid(&[left]);
    assert!(!program.can_lose(&["Outer$Two"]), "One looks into it");
    assert!(program.can_lose(&["Outer$Two", "Outer$One.look:(LOuter$Two;LOuter;)I"]));
}

#[test]
fn a_sealed_class_permits_those_that_are_left() {
    let program = Program::items(
        "sealed interface S permits A, B, C {}
         final class A implements S {}
         final class B implements S {}
         final class C implements S {}",
    );
    let permitted = |gone: &[&str]| {
        let left = program.losing(gone);
        assert_valid(std::slice::from_ref(&left));
        class(&left, "S").permitted_subclasses().map(|names| names.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    assert_eq!(permitted(&["A"]), Some(vec!["B".to_owned(), "C".to_owned()]));
    assert_eq!(permitted(&["A", "B<S"]), Some(vec!["C".to_owned()]));
    assert_eq!(permitted(&["S!sealed"]), None);
    assert_eq!(permitted(&["A", "B", "C"]), None, "a sealed class must permit somebody");
}

#[test]
fn a_record_needs_its_components() {
    let program = Program::items("record R(int x, String s) { int twice() { return 2 * x; } }");
    for part in ["R.x:I", "R.s:Ljava/lang/String;!final", "R.<init>:(ILjava/lang/String;)V", "R<java/lang/Record"] {
        assert!(!program.can_lose(&[part]), "{part}");
    }
    assert!(program.can_lose(&["R.twice:()I"]));
    let left = program.losing_with_users(&["R!record"]);
    let plain = class(&left, "R");
    assert_eq!(plain.record_components(), None);
    assert_eq!(plain.superclass.unwrap(), "java/lang/Object");
    assert_valid(&[left]);
}

#[test]
fn an_enum_keeps_what_makes_it_one() {
    let program = Program::items("enum E { ONE, TWO; int x; }");
    for part in ["E<java/lang/Enum", "E.values:()[LE;", "E.valueOf:(Ljava/lang/String;)LE;", "E.$VALUES:[LE;"] {
        assert!(!program.can_lose(&[part]), "{part}");
    }
    valid_without(&program, &[&["E.x:I"], &["E"]]);
}

#[test]
fn an_annotation_needs_the_elements_it_gives_and_the_defaults_of_the_others() {
    let program = Program::items(
        "enum Level { LOW, HIGH }
         @interface Mark { int given(); Level level() default Level.LOW; }
         @Mark(given = 1) class A {}
         @Mark(given = 2, level = Level.HIGH) class B {}",
    );
    assert!(!program.can_lose(&["Mark.given:()I"]));
    assert!(!program.can_lose(&["Mark.level:()LLevel;!default"]), "A relies on it");
    assert!(program.can_lose(&["Mark.level:()LLevel;!default", "A!annotation(LMark;)"]));
    assert!(!program.can_lose(&["Mark.level:()LLevel;", "A!annotation(LMark;)"]), "B gives it");
    assert!(program.can_lose(&["Mark", "A!annotation(LMark;)", "B!annotation(LMark;)"]));
    let left = program.losing(&["A!annotation(LMark;)"]);
    let annotated = |name| class(&left, name).attributes.iter().any(is_annotation);
    assert!(!annotated("A") && annotated("B"));
}

fn is_annotation(attribute: &Attribute) -> bool {
    matches!(attribute, Attribute::RuntimeInvisibleAnnotations(_))
}

#[test]
fn an_anonymous_class_needs_the_body_it_is_in() {
    let program = Program::items("class A { Runnable make() { return new Runnable() { public void run() {} }; } }");
    assert!(!program.can_lose(&["A.make:()Ljava/lang/Runnable;!code"]));
    let left = program.losing(&["A$1", "A.make:()Ljava/lang/Runnable;!code"]);
    assert!(find_class(&left, "A$1").is_none() && class(&left, "A").inner_classes().is_empty());
}

#[test]
fn the_body_of_a_lambda_goes_with_its_user() {
    let program = Program::items("class A { Runnable make() { return () -> System.out.println(); } }");
    assert!(!program.can_lose(&["A.lambda$make$0:()V"]) && !program.can_lose(&["A.make:()Ljava/lang/Runnable;!code"]));
    let left = program.losing(&["A.make:()Ljava/lang/Runnable;!code", "A.lambda$make$0:()V"]);
    assert_eq!(class(&left, "A").bootstrap_methods(), [], "nothing uses them any more");
    assert_valid(&[left]);
}

#[test]
fn accessors_of_old_compilers_go_with_their_users() {
    let source = "class A { private int x; class B { int look() { return x; } } }";
    let program = Program::of(&compile_with(&["-g:none", "--release", "8"], source), Detail::Items);
    assert!(!program.can_lose(&["A.access$000:(LA;)I"]));
    assert!(program.can_lose(&["A.access$000:(LA;)I", "A$B.look:()I!code"]));
    assert!(!program.can_lose(&["A$B.look:()I!code"]), "without a user no compiler would write the accessor");
}

#[test]
fn arguments_are_assignable_by_some_path() {
    let program = Program::items(
        "class Base {}
         class Middle extends Base {}
         class Low extends Middle {}
         class User { void take(Base base) {} void give(Low low) { take(low); } }",
    );
    assert!(!program.can_lose(&["Low<Middle"]) && !program.can_lose(&["Middle<Base"]));
    assert!(program.can_lose(&["Middle<Base", "User.give:(LLow;)V!code"]));
}

#[test]
fn elements_of_arrays_are_assignable_as_their_types_are() {
    let program = Program::items(
        "class Base {}
         class Low extends Base {}
         class User { Base[] give(Low[] lows) { return lows; } }",
    );
    assert!(!program.can_lose(&["Low<Base"]));
    assert!(program.can_lose(&["Low<Base", "User.give:([LLow;)[LBase;!code"]));
}

#[test]
fn what_is_thrown_and_caught_is_throwable() {
    let program = Program::items(
        "class Failure extends Exception {}
         class User { void fail() throws Failure { throw new Failure(); } void quiet() throws Failure {} }",
    );
    assert!(!program.can_lose(&["Failure<java/lang/Exception"]));
    let left = program.losing(&["User.fail:()V!throws(Failure)", "User.quiet:()V!throws(Failure)"]);
    let user = class(&left, "User");
    assert!(user.method("fail", "()V").unwrap().exceptions().is_empty(), "the machine checks no throws");
    assert_valid(&[left]);
}

#[test]
fn generic_signatures_need_the_signatures_they_give_arguments_to() {
    let program = Program::items(
        "class Box<T> { T value; class In { T inner; } }
         class User extends Box<String> { Box<Integer> box; <U extends Box<String>> void m(U u) {} }",
    );
    assert!(!program.can_lose(&["Box!signature"]), "User and Box.value rely on it");
    let users = [
        "Box!signature",
        "Box.value:Ljava/lang/Object;!signature",
        "Box$In.inner:Ljava/lang/Object;!signature",
        "User!signature",
        "User.box:LBox;!signature",
        "User.m:(LBox;)V!signature",
    ];
    users.iter().skip(1).for_each(|user| assert!(program.can_lose(&[user]), "{user}"));
    for user in 1..users.len() {
        let others: Vec<_> =
            users.iter().enumerate().filter(|(place, _)| *place != user).map(|(_, name)| *name).collect();
        assert!(!program.can_lose(&others), "{} relies on it", users[user]);
    }
    assert_valid(&[program.losing(&users)]);
}

#[test]
fn the_generic_superclass_goes_with_the_superclass() {
    let program = Program::items(
        "class Box<T> {}
         class User<T> extends Box<String> implements Comparable<T>, Cloneable { public int compareTo(T other) { return 0; } }",
    );
    let signature = |gone: &[&str]| class(&program.losing(gone), "User").signature().unwrap().to_string();
    let rest = "Ljava/lang/Comparable<TT;>;Ljava/lang/Cloneable;";
    assert_eq!(signature(&["User<Box"]), format!("<T:Ljava/lang/Object;>Ljava/lang/Object;{rest}"));
    assert_eq!(
        signature(&["User<java/lang/Comparable"]),
        "<T:Ljava/lang/Object;>LBox<Ljava/lang/String;>;Ljava/lang/Cloneable;"
    );
}

#[test]
fn the_smallest_program_with_a_method_has_little_else() {
    let program = Program::items(
        "class A { void m() { new B().n(); } void other() {} }
         class B { int unused; void n() {} void more() {} }
         class C {}",
    );
    let left = program.smallest_with(&["A.m:()V!code"]);
    let methods = |name| class(&left, name).methods.iter().map(|method| method.name.to_string()).collect::<Vec<_>>();
    assert_eq!(methods("A"), ["m"]);
    assert_eq!(methods("B"), ["<init>", "n"]);
    assert!(find_class(&left, "C").is_none() && class(&left, "B").fields.is_empty());
    assert_valid(&[left]);
}

const COMPONENT: &str = "import java.lang.annotation.*;
    @Target({ElementType.RECORD_COMPONENT, ElementType.TYPE_USE}) @Retention(RetentionPolicy.RUNTIME)
    @interface Mark { int x(); Level level() default Level.LOW; }
    enum Level { LOW, HIGH }";

#[test]
fn annotations_of_components_need_what_other_annotations_need() {
    let program = Program::items(&format!("{COMPONENT} record R(@Mark(x = 1, level = Level.HIGH) int a) {{ }}"));
    let others = ["R.<init>:(I)V!annotation(*)", "R.a:I!annotation(*)", "R.a:()I!annotation(*)"];
    assert!(program.can_lose(&others));
    for needed in ["Mark.x:()I", "Mark.level:()LLevel;", "Level.HIGH:LLevel;"] {
        let gone = [&others[..], &[needed]].concat();
        assert!(!program.can_lose(&gone), "{needed} is given");
    }
    let plain = Program::items(&format!("{COMPONENT} record R(@Mark(x = 1) int a) {{ }}"));
    assert!(
        !plain.can_lose(&[&others[..], &["Mark.level:()LLevel;!default"]].concat()),
        "no other annotation gives the value"
    );
}

#[test]
fn annotations_on_types_of_variables_need_what_other_annotations_need() {
    let source = format!("{COMPONENT} class A {{ void m() {{ @Mark(x = 1, level = Level.HIGH) int i = 3; i++; }} }}");
    let program = Program::items(&source);
    for needed in ["Mark.x:()I", "Mark.level:()LLevel;"] {
        assert!(!program.can_lose(&[needed]), "{needed} is given");
        assert!(program.can_lose(&[needed, "A.m:()V!locals"]));
    }
}
