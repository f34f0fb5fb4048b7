//! Tests with class files that no compiler writes: their models are built and rendered without a
//! panic, and the laws hold.

use crate::support;

use lapidary_classfile::{
    Attribute, BootstrapMethod, Class, Code, Condition, Dynamic, Handle, HandleKind, Handler, Instruction, Kind,
    MemberRef, Method, RecordComponent, StackOp, Version, access,
};
use lapidary_java_model::{CollapseModel, Detail};
use lapidary_logic::{Reasoner, Var, VarSet};
use lapidary_reduce::{Entry, FileTree, Model};
use std::path::PathBuf;
use std::sync::Arc;
use support::program::{Program, class as find};
use support::{class_path, full, item_model, models, samples};

const VERSION: Version = Version { major: 61, minor: 0 };

fn class(name: &str, superclass: &str) -> Class {
    Class::new(VERSION, name, Some(superclass.into()))
}

fn tree(classes: &[Class]) -> FileTree {
    let file = |class: &Class| {
        (PathBuf::from(format!("{}.class", class.name)), Entry::file(class.write().expect("a class file")))
    };
    FileTree::directory("hostile", classes.iter().map(file).collect())
}

/// All models can be built, return the input in full, and render every valid assignment.
fn survives(classes: &[Class]) {
    let tree = tree(classes);
    for (kind, model) in models(&tree) {
        let all = full(&*model);
        assert_eq!(model.constraint().first_violated(&all), None, "{kind}");
        assert!(model.render(&all).unwrap() == tree, "{kind}");
        samples(&*model, 20);
    }
}

#[test]
fn classes_that_extend_each_other() {
    survives(&[class("A", "B"), class("B", "A"), class("Self", "Self")]);
    let mut circle = class("I", "java/lang/Object");
    circle.access = access::INTERFACE | access::ABSTRACT;
    circle.interfaces = vec!["I".into(), "I".into()];
    let mut user = class("User", "java/lang/Object");
    user.interfaces = vec!["I".into()];
    survives(&[circle, user]);
}

/// `C1` extends `top`, and every other class extends the one before it.
fn tower(levels: usize, top: &str) -> Vec<Class> {
    let name = |number: usize| if number == 0 { top.to_owned() } else { format!("C{number}") };
    let mut classes: Vec<_> = (1..=levels).map(|number| class(&name(number), &name(number - 1))).collect();
    classes[0].methods.push(Method {
        access: access::PUBLIC | access::ABSTRACT,
        name: "m".into(),
        descriptor: "()V".into(),
        attributes: Vec::new(),
    });
    classes[0].access |= access::ABSTRACT;
    classes
}

#[test]
fn a_deep_hierarchy_is_analysed() {
    let model = item_model(&tree(&tower(400, "java/lang/Object")), Detail::Items);
    assert_eq!(model.notes(), [""; 0]);
    assert_eq!(model.constraint().first_violated(&full(&model)), None);
    assert!(model.items().iter().any(|item| item.label == "C400<C399"));
}

#[test]
fn a_class_too_far_down_stays_whole_and_needs_its_supertypes() {
    for top in ["java/lang/Object", "C20000"] {
        let tree = tree(&tower(20_000, top));
        for (kind, model) in models(&tree) {
            assert_eq!(model.constraint().first_violated(&full(&*model)), None, "{kind}");
            assert!(model.render(&full(&*model)).unwrap() == tree, "{kind}");
            let low = model.items().iter().position(|item| item.label == "file C10000.class").expect("a resource");
            let reasoner = Reasoner::new(model.constraint());
            let left = reasoner.minimal_solution(&full(&*model), &[Var::new(low)]);
            let left = model.render(&left).unwrap().entries().count();
            assert!(left > 9_000, "{kind}: {left} files, with {top} on top");
        }
    }
}

fn with_body(descriptor: &str, instructions: Vec<Instruction>) -> Class {
    let mut class = class("A", "java/lang/Object");
    let code = Code { max_stack: 2, max_locals: 300, instructions, ..Code::default() };
    class.methods.push(Method {
        access: access::STATIC,
        name: "m".into(),
        descriptor: descriptor.into(),
        attributes: vec![Attribute::Code(Box::new(code))],
    });
    class
}

#[test]
fn descriptors_with_too_many_parameters_or_none_at_all() {
    let leave = || vec![Instruction::Return(None)];
    survives(&[with_body(&format!("({})V", "J".repeat(60_000)), leave())]);
    for descriptor in ["", "(", "V", "(LA", "(LA;", "()", "([[[)V", "(I)[", "()LA", "(Q)Q"] {
        survives(&[with_body(descriptor, leave())]);
    }
}

#[test]
fn bodies_that_make_no_sense() {
    survives(&[with_body("()I", vec![Instruction::Return(None)])]);
    survives(&[with_body("()V", vec![Instruction::IConst(1)])]);
    survives(&[with_body("()V", vec![Instruction::Return(Some(Kind::Long)), Instruction::Goto(0)])]);
}

/// Merges an array of `A` and one of `B`, each with `dimensions` dimensions.
fn with_arrays(dimensions: usize) -> Class {
    let cast = |element: &str| Instruction::CheckCast(format!("{}L{element};", "[".repeat(dimensions)).into());
    with_body(
        "()V",
        vec![
            Instruction::IConst(0),
            Instruction::If(Condition::Eq, 5),
            Instruction::AConstNull,
            cast("A"),
            Instruction::Goto(7),
            Instruction::AConstNull,
            cast("B"),
            Instruction::Stack(StackOp::Pop),
            Instruction::Return(None),
        ],
    )
}

#[test]
fn arrays_with_more_dimensions_than_the_machine_knows() {
    let other = || class("B", "java/lang/Object");
    let model = |dimensions| item_model(&tree(&[with_arrays(dimensions), other()]), Detail::Items);
    assert_eq!(model(255).notes().len(), 0);
    let notes = model(256).notes();
    assert!(notes.iter().any(|note| note.contains("is not a descriptor")), "{notes:?}");
    survives(&[with_arrays(60_000)]);
}

fn with_handlers(count: usize, guarded: usize, start: impl Fn(usize) -> usize) -> Class {
    let mut instructions = vec![Instruction::Nop; guarded];
    instructions.extend([Instruction::Return(None), Instruction::Stack(StackOp::Pop), Instruction::Return(None)]);
    let mut class = with_body("()V", instructions);
    let handler = |number: usize| {
        let (start, guarded) = (start(number) as u32, guarded as u32);
        Handler { start, end: guarded, target: guarded + 1, catch: None }
    };
    let code = class.methods[0].code_mut().unwrap();
    code.handlers = (0..count).map(handler).collect();
    class
}

#[test]
fn equal_handlers_count_once() {
    let tree = tree(&[with_handlers(60_000, 60_000, |_| 0)]);
    let model = item_model(&tree, Detail::Statements);
    assert_eq!(model.notes(), [""; 0]);
    assert!(model.render(&full(&model)).unwrap() == tree);
}

#[test]
fn bodies_whose_handlers_guard_too_much_are_not_analysed() {
    let model = item_model(&tree(&[with_handlers(30_000, 60_000, |number| number)]), Detail::Statements);
    let notes = model.notes();
    assert!(notes.len() == 1 && notes[0].contains("more values at once than can be followed"), "{notes:?}");
    assert!(!model.items().iter().any(|item| item.kind == "handler"));
}

#[test]
fn unknown_attributes_do_not_multiply() {
    let mut class = with_body("()V", vec![Instruction::Return(None)]);
    let unknown = || Attribute::Unknown { name: "X".into(), bytes: Vec::new().into() };
    class.attributes.extend((0..5_000).map(|_| unknown()));
    let model = item_model(&tree(&[class]), Detail::Items);
    let (clauses, items) = (model.constraint().len(), model.items().len());
    assert!(clauses < 5 * items, "{clauses} clauses for {items} items");
    let reasoner = Reasoner::new(model.constraint());
    let method = model.items().iter().position(|item| item.label == "A.m:()V").unwrap();
    let left = reasoner.complete(&full(&model).without(&[Var::new(method)]), model.items().len());
    assert!(left.is_none(), "they may refer to the method");
}

#[test]
fn unknown_attributes_of_components_go_when_the_class_changes() {
    let mut record = with_body("()V", vec![Instruction::Return(None)]);
    let unknown = Attribute::Unknown { name: "X".into(), bytes: vec![0, 1].into() };
    let component = RecordComponent { name: "c".into(), descriptor: "I".into(), attributes: vec![unknown] };
    record.attributes.push(Attribute::Record(vec![component]));
    let program = Program::of(&tree(&[record]), Detail::Items);
    let components = |tree: &FileTree| find(tree, "A").record_components().unwrap()[0].attributes.len();
    assert_eq!(components(&program.losing(&[])), 1);
    assert_eq!(components(&program.losing(&["A.m:()V!code"])), 0);
}

/// A class whose only method uses the last of `count` bootstrap methods.
fn with_bootstraps(name: &str, superclass: &str, count: u16) -> Class {
    let member = |name: &str, descriptor: &str| MemberRef {
        owner: "Factory".into(),
        name: name.into(),
        descriptor: descriptor.into(),
        interface: false,
    };
    let handle = Arc::new(Handle { kind: HandleKind::InvokeStatic, member: Arc::new(member("make", "()V")) });
    let bootstrap = BootstrapMethod { handle, arguments: Vec::new() };
    let site = Dynamic { bootstrap: count - 1, name: name.into(), descriptor: "()V".into() };
    let mut class = class(name, superclass);
    let code = vec![Instruction::InvokeDynamic(Arc::new(site)), Instruction::Return(None)];
    class.methods = with_body("()V", code).methods;
    class.methods[0].name = format!("of{name}").into();
    class.attributes.push(Attribute::BootstrapMethods(vec![bootstrap; usize::from(count)]));
    class
}

#[test]
fn classes_with_too_many_bootstrap_methods_stay_apart() {
    let both = |count| tree(&[with_bootstraps("A", "java/lang/Object", count), with_bootstraps("B", "A", count)]);
    let collapsed = |count| {
        let model = CollapseModel::new(&both(count), class_path());
        assert_eq!(model.items().len(), 1, "B can go into A");
        model.render(&VarSet::of(1, std::iter::empty())).unwrap()
    };
    assert_eq!(collapsed(30_000).entries().count(), 1);
    assert!(collapsed(40_000) == both(40_000));
}
