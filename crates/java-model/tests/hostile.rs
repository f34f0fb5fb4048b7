//! Class files that no compiler makes: models of them are made and rendered without a panic, and the laws hold.

mod support;

use lapidary_classfile::{Attribute, Class, Code, Instruction, Kind, Method, Version, access};
use lapidary_java_model::Detail;
use lapidary_logic::{Reasoner, Var};
use lapidary_reduce::{Entry, FileTree, Model};
use std::path::PathBuf;
use support::{full, item_model, models, samples};

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

/// All models can be made, give everything back, and render whatever they call valid.
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

/// `C1` extends `top`, and every other class the one before it.
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
fn a_deep_hierarchy_is_looked_into() {
    let model = item_model(&tree(&tower(400, "java/lang/Object")), Detail::Items);
    assert_eq!(model.notes(), [""; 0]);
    assert_eq!(model.constraint().first_violated(&full(&model)), None);
    assert!(model.items().iter().any(|item| item.label == "C400<C399"));
}

#[test]
fn what_is_too_deep_stays_whole_and_needs_what_is_above() {
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
