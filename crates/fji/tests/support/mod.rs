//! Random well-typed programs and canonical assignments, shared by several test files.
//!
//! A program is built from a stream of numbers, so that a shorter or smaller stream is a simpler
//! program and a failing case shrinks by itself. Headers come first (hierarchy, fields,
//! signatures), bodies second, so that bodies can use everything.

#![allow(dead_code)]

mod bodies;

use bodies::Bodies;
use lapidary_fji::Numbering;
use lapidary_fji::syntax::*;
use lapidary_logic::{Var, VarSet};
use proptest::prelude::*;

/// A stream of decisions that continues with zeros.
pub struct Choices {
    numbers: Vec<u32>,
    next: usize,
}

impl Choices {
    pub fn new(numbers: Vec<u32>) -> Self {
        Choices { numbers, next: 0 }
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.next += 1;
        self.numbers.get(self.next - 1).map_or(0, |&number| number as usize % bound.max(1))
    }

    pub fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == bound - 1
    }

    pub fn pick<'a, T>(&mut self, among: &'a [T]) -> Option<&'a T> {
        let index = self.below(among.len());
        among.get(index)
    }
}

pub fn programs() -> impl Strategy<Value = Program> {
    prop::collection::vec(any::<u32>(), 0..300).prop_map(|numbers| generate(&mut Choices::new(numbers)))
}

/// A program that type checks.
pub fn generate(choices: &mut Choices) -> Program {
    let interface_count = choices.below(3);
    let class_count = 1 + choices.below(4);
    let mut names: Vec<String> = [OBJECT, STRING].map(str::to_owned).to_vec();
    names.extend((0..interface_count).map(|index| format!("I{index}")));
    names.extend((0..class_count).map(|index| format!("C{index}")));
    let interfaces: Vec<Interface> = (0..interface_count).map(|index| interface(choices, index, &names)).collect();
    let mut classes: Vec<Class> = Vec::new();
    for index in 0..class_count {
        let next = class(choices, index, &names, &interfaces, &classes);
        classes.push(next);
    }
    let mut program = Program::default();
    program.declarations.extend(classes.into_iter().map(Declaration::Class));
    program.declarations.extend(interfaces.into_iter().map(Declaration::Interface));
    fill_bodies(&mut program, choices);
    let rotation = choices.below(program.declarations.len());
    program.declarations.rotate_left(rotation);
    program
}

fn interface(choices: &mut Choices, index: usize, names: &[String]) -> Interface {
    let mut signatures = Vec::new();
    for method in 0..3 {
        if choices.below(2) == 1 {
            signatures.push(signature(choices, method, names));
        }
    }
    Interface { name: format!("I{index}"), signatures, span: Span::default() }
}

/// The signature of method number `method`; there are two for each, so that types can clash.
fn signature(choices: &mut Choices, method: usize, names: &[String]) -> Signature {
    let variant = choices.below(2);
    let type_name = |offset: usize| names[(2 * method + variant + offset) % names.len()].clone();
    let parameters = (0..method.min(2))
        .map(|index| Variable { type_name: type_name(index + 1), name: format!("x{index}") })
        .collect();
    Signature { result: type_name(0), name: format!("m{method}"), parameters, span: Span::default() }
}

fn class(choices: &mut Choices, index: usize, names: &[String], interfaces: &[Interface], before: &[Class]) -> Class {
    let superclass = match choices.below(2) {
        1 => choices.pick(before).map_or(OBJECT, |class| &class.name).to_owned(),
        _ => [OBJECT, OBJECT, OBJECT, STRING][choices.below(4)].to_owned(),
    };
    let mut class = Class {
        name: format!("C{index}"),
        superclass,
        interface: EMPTY_INTERFACE.to_owned(),
        fields: Vec::new(),
        constructor: None,
        methods: Vec::new(),
        span: Span::default(),
        implements_span: Span::default(),
    };
    for field in 0..choices.below(3) {
        let type_name = names[choices.below(names.len())].clone();
        class.fields.push(Variable { type_name, name: format!("f{index}{field}") });
    }
    for method in 0..3 {
        if choices.below(2) == 1 {
            let inherited = inherited(&class, before, &format!("m{method}")).cloned();
            let signature = inherited.unwrap_or_else(|| signature(choices, method, names));
            class.methods.push(opaque_method(signature));
        }
    }
    implement_some_interface(choices, &mut class, interfaces, before);
    if choices.one_in(3) {
        class.constructor = Some(canonical_constructor(&class, before));
    }
    class
}

/// Adds the methods that an interface requires, unless an existing one has another type.
fn implement_some_interface(choices: &mut Choices, class: &mut Class, interfaces: &[Interface], before: &[Class]) {
    let Some(interface) = choices.pick(interfaces) else { return };
    let mut missing = Vec::new();
    for wanted in &interface.signatures {
        let own = class.methods.iter().map(|method| &method.signature).find(|own| own.name == wanted.name);
        match own.or_else(|| inherited(class, before, &wanted.name)) {
            Some(found) if found.types().eq(wanted.types()) => {}
            Some(_) => return,
            None => missing.push(opaque_method(wanted.clone())),
        }
    }
    class.methods.extend(missing);
    class.interface = interface.name.clone();
}

fn opaque_method(signature: Signature) -> Method {
    Method { signature, body: Expression::Opaque, body_span: Span::default() }
}

fn ancestors<'a>(class: &'a Class, before: &'a [Class]) -> impl Iterator<Item = &'a Class> {
    let parent = |class: &Class| before.iter().find(|candidate| candidate.name == class.superclass);
    std::iter::successors(parent(class), move |class| parent(class))
}

fn inherited<'a>(class: &'a Class, before: &'a [Class], name: &str) -> Option<&'a Signature> {
    ancestors(class, before).flat_map(|class| &class.methods).map(|m| &m.signature).find(|s| s.name == name)
}

fn canonical_constructor(class: &Class, before: &[Class]) -> Constructor {
    let mut lineage: Vec<&Class> = ancestors(class, before).collect();
    lineage.reverse();
    let inherited: Vec<Variable> = lineage.iter().flat_map(|class| class.fields.clone()).collect();
    Constructor {
        class: class.name.clone(),
        super_arguments: inherited.iter().map(|field| field.name.clone()).collect(),
        parameters: inherited.into_iter().chain(class.fields.clone()).collect(),
        assignments: class.fields.iter().map(|field| (field.name.clone(), field.name.clone())).collect(),
    }
}

fn fill_bodies(program: &mut Program, choices: &mut Choices) {
    let headers = program.clone();
    let bodies = Bodies::new(&headers);
    for declaration in &mut program.declarations {
        let Declaration::Class(class) = declaration else { continue };
        for method in &mut class.methods {
            let mut scope = method.signature.parameters.clone();
            scope.push(Variable { type_name: class.name.clone(), name: "this".to_owned() });
            method.body = bodies.expression(choices, &method.signature.result, &scope, 3);
        }
    }
    if choices.one_in(3) {
        program.main = Some(bodies.expression(choices, OBJECT, &[], 3));
    }
}

/// The canonical assignment that makes the same program: nothing inside a removed item, no code
/// without its method.
pub fn canonical(numbering: &Numbering, keep: &VarSet) -> VarSet {
    let mut result = keep.clone();
    for vars in &numbering.declarations {
        let mut inside: Vec<Var> = vars.implements.into_iter().collect();
        for member in &vars.members {
            if member.code.is_some_and(|code| keep.contains(code)) {
                result.insert(member.member);
            }
            inside.extend([member.member].into_iter().chain(member.code));
        }
        if !keep.contains(vars.declaration) {
            for var in inside {
                result.remove(var);
            }
        }
    }
    result
}
