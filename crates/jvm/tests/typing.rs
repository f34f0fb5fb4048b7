//! Tests of the type checker on code from javac, and on code that no compiler should write.

use crate::typing_support;

use lapidary_classfile::{Arithmetic, Class, Code, Instruction, Kind, Local, Method, NumberKind, Text, Version};
use lapidary_classfile::{Attribute, Constant, InvokeOp};
use lapidary_jvm::typing::{self, Edits, FactKind, Trouble, Type};
use std::collections::BTreeSet;
use typing_support::{Program, WIDE, find};

fn object(name: &str) -> Type {
    Type::Object(Text::from(name))
}

fn facts(program: &Program, class: &str, method: &str) -> Vec<FactKind> {
    let (class, method) = program.method(class, method);
    let typing = typing::infer(class, method, &program.hierarchy).unwrap();
    typing::facts(class, method, &typing, &program.hierarchy).into_iter().map(|fact| fact.kind).collect()
}

fn assignable(from: &str, to: &str, strict: bool) -> FactKind {
    FactKind::Assignable { from: from.into(), to: to.into(), strict }
}

#[test]
fn everything_javac_makes_has_types_and_no_class_is_missing() {
    let program = Program::compile(&[("Wide.java", WIDE)]);
    assert!(program.bodies().count() > 35);
    for (class, method) in program.bodies() {
        let typing = typing::infer(class, method, &program.hierarchy)
            .unwrap_or_else(|error| panic!("{}.{}: {error}", class.name, method.name));
        assert!(typing.missing.is_empty(), "{:?}", typing.missing);
        assert!(typing.frames.iter().all(Option::is_some), "javac makes no unreachable code");
    }
}

/// The types that data-flow finds without the stack map are never less precise about stacks and
/// numbers than the stack map, and the method reads the same locals with them.
#[test]
fn types_found_without_a_stack_map_agree_with_it() {
    let program = Program::compile(&[("Wide.java", WIDE)]);
    for (class, method) in program.bodies() {
        let declared = typing::infer(class, method, &program.hierarchy).unwrap();
        let mut bare = method.clone();
        bare.code_mut().unwrap().set_frames(Vec::new());
        let found = typing::infer(class, &bare, &program.hierarchy).unwrap();
        for (position, (declared, found)) in declared.frames.iter().zip(&found.frames).enumerate() {
            let (declared, found) = (declared.as_ref().unwrap(), found.as_ref().unwrap());
            assert_eq!(declared.stack.len(), found.stack.len());
            for (slot, wanted) in declared.locals.iter().enumerate() {
                let same_kind = std::mem::discriminant(wanted) == std::mem::discriminant(found.local(slot));
                let null = matches!((wanted, found.local(slot)), (Type::Object(_), Type::Null));
                assert!(*wanted == Type::Top || same_kind || null, "{}.{} {position}", class.name, method.name);
            }
        }
    }
}

const FAMILY: &str = "package p;
    interface I {} interface J { void run(); }
    class A implements I { A(int a, long b) {} protected int n; }
    class B extends A { B() { super(1, 2L); } B(int x) { this(); } }
    class C extends A implements J {
        C() { super(0, 0); } public void run() {} private static int hidden;
        static class Nested { int peek() { return hidden; } }
    }
    class Uses {
        static I field; static A[] many = new A[2];
        A merge(boolean b) { return b ? new B() : new C(); }
        void toInterface(B b) { field = b; }
        void store(B b) { many[0] = b; Object[] all = many; all[1] = b; }
        Object cast(A a) { return a instanceof B ? (B) a : (Object) (B[]) (Object) many; }
        void fail(Problem p) throws Problem { try { throw p; } catch (Worse w) { many = null; } }
        J reference(C c) { J j = c::run; return j; }
        Class<?> constant() { return B[][].class; }
        int[] clone(int[] a) { return a.clone(); }
    }
    class Problem extends Exception {} class Worse extends Problem {}";

#[test]
fn facts_say_whether_the_jvm_checks_an_assignment() {
    let program = Program::compile(&[("Family.java", FAMILY)]);
    let merge = facts(&program, "p/Uses", "merge");
    assert!(merge.contains(&assignable("p/B", "p/A", true)) && merge.contains(&assignable("p/C", "p/A", true)));
    assert!(facts(&program, "p/Uses", "toInterface").contains(&assignable("p/B", "p/I", false)));
    let store = facts(&program, "p/Uses", "store");
    assert!(store.contains(&assignable("p/B", "p/A", false)), "{store:?}");
    assert!(!store.iter().any(|fact| matches!(fact, FactKind::Assignable { strict: true, .. })));
    let fail = facts(&program, "p/Uses", "fail");
    assert!(fail.contains(&assignable("p/Problem", "java/lang/Throwable", true)));
    assert!(fail.contains(&assignable("p/Worse", "java/lang/Throwable", true)));
    assert!(fail.contains(&FactKind::Handler { index: 0, catch: Some("p/Worse".into()) }));
}

#[test]
fn facts_name_casts_constants_and_the_calls_of_constructors() {
    let program = Program::compile(&[("Family.java", FAMILY)]);
    let cast = facts(&program, "p/Uses", "cast");
    assert!(cast.contains(&FactKind::Cast { from: "p/A".into(), to: "p/B".into() }));
    let constant = facts(&program, "p/Uses", "constant");
    assert_eq!(constant, [FactKind::ClassConstant("p/B".into())]);
    let [first, second] = [0, 1].map(|index| {
        let class = program.class("p/B");
        let method = class.methods.iter().filter(|method| method.name == "<init>").nth(index).unwrap();
        let typing = typing::infer(class, method, &program.hierarchy).unwrap();
        let facts = typing::facts(class, method, &typing, &program.hierarchy);
        facts.into_iter().find_map(|fact| match fact.kind {
            FactKind::SuperCall { member, this_call } => Some((member.descriptor.to_string(), this_call)),
            _ => None,
        })
    });
    assert_eq!(first, Some(("(IJ)V".into(), false)));
    assert_eq!(second, Some(("()V".into(), true)));
}

#[test]
fn facts_of_lambdas_reach_the_interface_and_the_method() {
    let program = Program::compile(&[("Family.java", FAMILY)]);
    let reference = facts(&program, "p/Uses", "reference");
    let implements = FactKind::Implements { interface: "p/J".into(), name: "run".into(), descriptor: "()V".into() };
    assert!(reference.contains(&implements), "{reference:?}");
    assert!(
        reference
            .iter()
            .any(|fact| matches!(fact, FactKind::Call { op: InvokeOp::Virtual, member, through_handle: true }
        if member.owner == "p/C" && member.name == "run"))
    );
}

#[test]
fn facts_include_private_and_protected_access() {
    let other = "package q; public class Base { protected int n; protected static void s() {} protected void m() {} }";
    let below = "package p; class Below extends q.Base {
        int own() { return n; } int other(Below b) { b.m(); return b.n; } void call() { s(); super.m(); } }";
    let sources = [("Base.java", other), ("Below.java", below), ("Family.java", FAMILY)];
    let program = Program::compile(&sources);
    let protected = FactKind::ProtectedAccess { receiver: "p/Below".into(), declaring: "q/Base".into() };
    for method in ["own", "other", "call"] {
        assert!(facts(&program, "p/Below", method).contains(&protected), "{method}");
    }
    let peek = facts(&program, "p/C$Nested", "peek");
    assert!(peek.contains(&FactKind::PrivateAccess { owner: "p/C".into() }));
    let clone = facts(&program, "p/Uses", "clone");
    assert!(
        !clone.iter().any(|fact| matches!(fact, FactKind::ProtectedAccess { .. })),
        "the clone method of an array is public"
    );
}

#[test]
fn every_fact_is_listed_once_and_in_order() {
    let program = Program::compile(&[("Wide.java", WIDE)]);
    for (class, method) in program.bodies() {
        let typing = typing::infer(class, method, &program.hierarchy).unwrap();
        let facts = typing::facts(class, method, &typing, &program.hierarchy);
        assert!(facts.is_sorted_by_key(|fact| fact.at));
        assert_eq!(facts.iter().collect::<BTreeSet<_>>().len(), facts.len());
        let all: BTreeSet<_> = facts.iter().collect();
        assert!(typing::names(class, method).iter().all(|fact| all.contains(fact)), "names are facts too");
    }
}

#[test]
fn checks_that_need_a_missing_class_succeed_and_record_it() {
    let program = Program::compile(&[("Family.java", FAMILY)]);
    let program = Program::load(program.directory, |class| class.name != "p/B");
    let (class, method) = program.method("p/Uses", "merge");
    let typing = typing::infer(class, method, &program.hierarchy).unwrap();
    assert_eq!(typing.missing, BTreeSet::from([Text::from("p/B")]));
    let facts = typing::facts(class, method, &typing, &program.hierarchy);
    assert!(facts.iter().any(|fact| fact.kind == assignable("p/B", "p/A", true)));
}

/// A static method of a class of this version, without any tables.
fn by_hand(major: u16, descriptor: &str, instructions: Vec<Instruction>) -> Class {
    let mut class = Class::new(Version { major, minor: 0 }, "p/Hand", Some("java/lang/Object".into()));
    let code = Code { max_stack: 9, max_locals: 9, instructions, ..Code::default() };
    class.methods.push(Method {
        access: lapidary_classfile::access::STATIC,
        name: "f".into(),
        descriptor: descriptor.into(),
        attributes: vec![Attribute::Code(Box::new(code))],
    });
    class
}

fn empty_hierarchy() -> lapidary_jvm::Hierarchy {
    lapidary_jvm::Hierarchy::new([], Default::default())
}

#[test]
fn what_the_verifier_refuses_has_no_types() {
    let add = Instruction::Arithmetic(Arithmetic::Add, NumberKind::Int);
    let local = Local::new(0);
    let refused = [
        (vec![Instruction::IConst(1), add, Instruction::Return(None)], 1, Trouble::Underflow),
        (vec![Instruction::IConst(1)], 0, Trouble::FallsOff),
        (vec![Instruction::Goto(7)], 0, Trouble::NoSuchTarget(7)),
        (
            vec![Instruction::Load(Kind::Int, local), Instruction::Return(None)],
            0,
            Trouble::Local { slot: 0, wanted: "an int", found: Type::Top },
        ),
        (vec![Instruction::LConst(0), Instruction::Goto(0)], 1, Trouble::StackHeights(0)),
        (vec![Instruction::Return(Some(Kind::Int))], 0, Trouble::WrongReturn("()V".into())),
    ];
    for (instructions, position, trouble) in refused {
        let class = by_hand(49, "()V", instructions);
        let error = typing::infer(&class, &class.methods[0], &empty_hierarchy()).unwrap_err();
        assert_eq!((error.position, error.trouble), (position, trouble));
    }
}

/// Tens of thousands of operands, stored before each instruction, would fill any memory.
#[test]
fn a_huge_stack_is_given_up_in_time() {
    let mut instructions = vec![Instruction::IConst(0); 60_000];
    instructions.push(Instruction::Return(None));
    let class = by_hand(52, "()V", instructions);
    let error = typing::infer(&class, &class.methods[0], &empty_hierarchy()).unwrap_err();
    assert_eq!(error.trouble, Trouble::TooLarge);
}

/// A `jsr` from two places with different locals: each returns to its own.
#[test]
fn subroutines_keep_the_locals_of_their_callers() {
    let (address, value) = (Local::new(1), Local::new(0));
    let instructions = vec![
        Instruction::IConst(1),
        Instruction::Store(Kind::Int, value),
        Instruction::Jsr(8),
        Instruction::Load(Kind::Int, value),
        Instruction::Convert(lapidary_classfile::Conversion::IntToFloat),
        Instruction::Store(Kind::Float, value),
        Instruction::Jsr(8),
        Instruction::Goto(10),
        Instruction::Store(Kind::Reference, address),
        Instruction::Ret(address),
        Instruction::Load(Kind::Float, value),
        Instruction::Return(Some(Kind::Float)),
    ];
    let class = by_hand(48, "()F", instructions);
    let typing = typing::infer(&class, &class.methods[0], &empty_hierarchy()).unwrap();
    assert_eq!(typing.before(3).unwrap().local(0), &Type::Int);
    assert_eq!(typing.before(10).unwrap().local(0), &Type::Float);
    assert_eq!(typing.before(9).unwrap().local(0), &Type::Top);
    let mut repaired = class.methods[0].clone();
    typing::repair(&class, &mut repaired, &empty_hierarchy()).unwrap();
    assert_eq!(repaired.code().unwrap().instructions.len(), 12);
    assert_eq!((repaired.code().unwrap().max_stack, repaired.code().unwrap().max_locals), (1, 2));
}

#[test]
fn removing_an_assignment_leaves_the_local_empty_where_paths_meet() {
    let source = "class Cut { static int f(int a) { int b; if (a > 0) { b = 1; System.out.println(b); } else { b = 2; }
        while (a > 0) a--; return a; } }";
    let program = Program::compile(&[("Cut.java", source)]);
    let (class, method) = program.method("Cut", "f");
    let start = find(method, |instruction| *instruction == Instruction::IConst(2));
    let mut edits = Edits::new();
    edits.remove(start..start + 2).unwrap();
    let mut cut = method.clone();
    let renumbering = edits.apply(cut.code_mut().unwrap()).unwrap();
    assert_eq!(renumbering.instruction(start), None);
    assert_eq!(renumbering.instruction(start + 2), Some(start));
    typing::repair(class, &mut cut, &program.hierarchy).unwrap();
    let typing = typing::infer(class, &cut, &program.hierarchy).unwrap();
    let code = cut.code().unwrap();
    assert!(!code.instructions.iter().enumerate().any(|(position, instruction)| {
        matches!(instruction, Instruction::Goto(target) if *target == position as u32 + 1)
    }));
    let last = typing.before(code.instructions.len() as u32 - 1).unwrap();
    assert_eq!((last.local(0), last.local(1)), (&Type::Int, &Type::Top));
    let variables: Vec<_> = code
        .attributes
        .iter()
        .filter_map(|attribute| match attribute {
            Attribute::LocalVariableTable(table) => Some(table.clone()),
            _ => None,
        })
        .flatten()
        .filter(|variable| variable.name == "b")
        .collect();
    assert!(variables.iter().all(|variable| variable.end <= start), "{variables:?}");
    assert!(!variables.is_empty());
}

/// An array is assignable to only two interfaces, but it is assignable to `Object`, which the
/// verifier accepts for any interface. The merged type must therefore stay `Object`.
#[test]
fn no_interface_is_declared_where_an_array_arrives() {
    let source = "class Slot { static void f(int a) { { int[] x = new int[a]; x[0] = 1; }
        Comparable<?> c = \"text\"; while (a-- > 0) { c = a > 5 ? (Comparable<?>) a : \"other\"; } } }";
    let program = Program::compile(&[("Slot.java", source)]);
    let (class, method) = program.method("Slot", "f");
    let text = Instruction::Ldc(Constant::String("text".into()));
    let start = find(method, |instruction| *instruction == text);
    let mut cut = method.clone();
    let mut edits = Edits::new();
    edits.remove(start..start + 2).unwrap();
    edits.apply(cut.code_mut().unwrap()).unwrap();
    typing::repair(class, &mut cut, &program.hierarchy).unwrap();
    let typing = typing::infer(class, &cut, &program.hierarchy).unwrap();
    assert_eq!(typing.before(start).unwrap().local(1), &object("java/lang/Object"));
}

#[test]
fn a_repair_removes_unreachable_code_and_its_handlers() {
    let source = "class Dead { static void f(int[] a) { a[0] = 1; try { a[1] = 2; } catch (RuntimeException e) { a[2] = 3; } } }";
    let program = Program::compile(&[("Dead.java", source)]);
    let (class, method) = program.method("Dead", "f");
    let mut cut = method.clone();
    let mut edits = Edits::new();
    edits.replace(0..4, vec![Instruction::Return(None)]).unwrap();
    edits.apply(cut.code_mut().unwrap()).unwrap();
    typing::repair(class, &mut cut, &program.hierarchy).unwrap();
    let code = cut.code().unwrap();
    assert_eq!(code.instructions, [Instruction::Return(None)]);
    assert!(code.handlers.is_empty() && code.frames().is_empty());
    assert_eq!((code.max_stack, code.max_locals), (0, 1));
}

#[test]
fn a_repair_without_an_edit_changes_nothing() {
    let program = Program::compile(&[("Wide.java", WIDE), ("Family.java", FAMILY)]);
    let mut equal = 0;
    for (class, method) in program.bodies() {
        let mut repaired = method.clone();
        typing::repair(class, &mut repaired, &program.hierarchy).unwrap();
        let same = repaired == *method;
        let goto_next = method.code().unwrap().instructions.iter().enumerate().any(|(position, instruction)| {
            matches!(instruction, Instruction::Goto(target) if *target == position as u32 + 1)
        });
        assert!(same || goto_next, "{}.{}: {repaired:#?} {method:#?}", class.name, method.name);
        equal += usize::from(same);
    }
    assert!(equal > 50, "{equal}");
}

#[test]
fn uses_see_the_stores_that_reach_them() {
    let source = "class Flow { static int f(int a, boolean b) { int x = 1; if (b) x = 2; else a = 3;
        try { x = a / 0; } catch (ArithmeticException e) { return x; } return a; } }";
    let program = Program::compile(&[("Flow.java", source)]);
    let (class, method) = program.method("Flow", "f");
    let code = method.code().unwrap();
    let typing = typing::infer(class, method, &program.hierarchy).unwrap();
    let stores = |slot: u16| -> Vec<u32> {
        let is_store =
            |at: &usize| matches!(&code.instructions[*at], Instruction::Store(Kind::Int, local) if local.index == slot);
        (0..code.instructions.len()).filter(is_store).map(|at| at as u32).collect()
    };
    let uses = typing::reaching_stores(code, &typing);
    let reaching = |slot: u16, nth: usize| {
        let of_slot = uses.iter().filter(|(at, _)| {
            matches!(&code.instructions[*at as usize], Instruction::Load(Kind::Int, local) if local.index == slot)
        });
        of_slot.map(|(_, stores)| stores.clone()).nth(nth).unwrap()
    };
    assert_eq!(reaching(2, 0), stores(2)[..2], "the handler sees x as it was before the division");
    assert_eq!(reaching(0, 0), stores(0), "a parameter's own value is no store");
    assert_eq!(reaching(1, 0), [0; 0]);
    let empty = typing::depth_zero_positions(&typing);
    assert!(empty.contains(&0) && !empty.contains(&1));
    assert_eq!(typing.before(0).unwrap().locals[..], [Type::Int, Type::Int]);
}

#[test]
fn classes_merge_to_the_least_class_above_both() {
    let program = Program::compile(&[("Family.java", FAMILY)]);
    let (class, method) = program.method("p/Uses", "merge");
    let mut bare = method.clone();
    bare.code_mut().unwrap().set_frames(Vec::new());
    typing::repair(class, &mut bare, &program.hierarchy).unwrap();
    let typing = typing::infer(class, &bare, &program.hierarchy).unwrap();
    let last = typing.frames.len() as u32 - 1;
    assert_eq!(typing.before(last).unwrap().stack, [object("p/A")]);
}
