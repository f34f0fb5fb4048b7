//! Tests of resolution, selection and access on classes made in memory.

use super::*;
use crate::sample::{Sample, hierarchy};
use lapidary_classfile::{Attribute, access as flag};

const ABSTRACT: u16 = flag::PUBLIC | flag::ABSTRACT;

struct Program(Hierarchy);

impl Program {
    fn new(samples: impl IntoIterator<Item = Sample>) -> Program {
        Program(hierarchy(samples))
    }

    fn id(&self, class: &str) -> ClassId {
        self.0.id(&Text::from(class))
    }

    fn show(&self, resolution: Resolution<ClassId>) -> String {
        match resolution {
            Resolution::Found(class) => self.0.name(class).to_string(),
            Resolution::Unknown(class) => format!("unknown {}", self.0.name(class)),
            other => format!("{other:?}"),
        }
    }

    fn method(&self, class: &str, name: &str) -> String {
        self.show(declaring(self.0.resolve_method(self.id(class), &name.into(), &"()V".into()), |method| method.class))
    }

    fn interface_method(&self, class: &str, name: &str, descriptor: &str) -> String {
        let found = self.0.resolve_interface_method(self.id(class), &name.into(), &descriptor.into());
        self.show(declaring(found, |method| method.class))
    }

    fn field(&self, class: &str, name: &str) -> String {
        self.show(declaring(self.0.resolve_field(self.id(class), &name.into(), &"I".into()), |field| field.class))
    }

    /// The method that `m` of `declaring` selects for an object of class `receiver`.
    fn selected(&self, receiver: &str, declaring: &str) -> String {
        match self.0.select_method(self.id(receiver), self.declared(declaring)) {
            Selection::Found(method) => self.0.name(method.class).to_string(),
            Selection::Unknown(class) => format!("unknown {}", self.0.name(class)),
            other => format!("{other:?}"),
        }
    }

    fn declared(&self, class: &str) -> MethodId {
        self.0.declared_method(self.id(class), &"m".into(), &"()V".into()).unwrap()
    }
}

fn declaring<T>(resolution: Resolution<T>, class: impl FnOnce(T) -> ClassId) -> Resolution<ClassId> {
    match resolution {
        Resolution::Found(member) => Resolution::Found(class(member)),
        Resolution::NotFound => Resolution::NotFound,
        Resolution::WrongKind => Resolution::WrongKind,
        Resolution::Unknown(missing) => Resolution::Unknown(missing),
    }
}

/// `J extends I`, both with a default `m`; `K` with an abstract one; classes that inherit from
/// several of them.
fn diamonds() -> Program {
    let object = "java/lang/Object";
    Program::new([
        Sample::interface("I").method(flag::PUBLIC, "m", "()V").method(flag::PUBLIC | flag::STATIC, "s", "()V"),
        Sample::interface("J").implementing(&["I"]).method(flag::PUBLIC, "m", "()V"),
        Sample::interface("K").method(ABSTRACT, "m", "()V").method(flag::PRIVATE, "p", "()V"),
        Sample::interface("L").method(flag::PUBLIC, "m", "()V"),
        Sample::class("IJ", object).implementing(&["I", "J"]),
        Sample::class("IK", object).implementing(&["I", "K"]),
        Sample::class("IL", object).implementing(&["I", "L"]),
        Sample::class("OnlyK", object).implementing(&["K"]),
        Sample::class("Own", "IL").method(flag::PUBLIC, "m", "()V"),
        Sample::class("Gone", "lib/Gone").implementing(&["I"]),
    ])
}

#[test]
fn methods_are_resolved_in_classes_then_in_the_most_specific_interface() {
    let program = diamonds();
    assert_eq!(program.method("IJ", "m"), "J");
    assert_eq!(program.method("IK", "m"), "I");
    assert_eq!(program.method("IL", "m"), "I");
    assert_eq!(program.method("OnlyK", "m"), "K");
    assert_eq!(program.method("Own", "m"), "Own");
    assert_eq!(program.method("IJ", "s"), "NotFound");
    assert_eq!(program.method("OnlyK", "p"), "NotFound");
    assert_eq!(program.method("I", "m"), "WrongKind");
    assert_eq!(program.method("Gone", "m"), "I");
    assert_eq!(program.method("Gone", "other"), "unknown lib/Gone");
    assert_eq!(program.method("lib/Gone", "m"), "unknown lib/Gone");
}

#[test]
fn interface_methods_are_resolved_in_object_too() {
    let program = diamonds();
    assert_eq!(program.interface_method("J", "m", "()V"), "J");
    assert_eq!(program.interface_method("I", "s", "()V"), "I");
    assert_eq!(program.interface_method("J", "s", "()V"), "NotFound");
    assert_eq!(program.interface_method("J", "hashCode", "()I"), "java/lang/Object");
    assert_eq!(program.interface_method("IJ", "m", "()V"), "WrongKind");
}

#[test]
fn selection_takes_overriding_and_default_methods() {
    let program = diamonds();
    assert_eq!(program.selected("IJ", "I"), "J");
    assert_eq!(program.selected("IK", "K"), "I");
    assert_eq!(program.selected("IL", "I"), "Conflict");
    assert_eq!(program.selected("OnlyK", "K"), "Nothing");
    assert_eq!(program.selected("Own", "L"), "Own");
    assert_eq!(program.selected("Gone", "I"), "unknown lib/Gone");
}

#[test]
fn package_private_methods_are_overridden_only_in_their_package() {
    let program = Program::new([
        Sample::class("p/A", "java/lang/Object").method(0, "m", "()V"),
        Sample::class("q/B", "p/A").method(flag::PUBLIC, "m", "()V"),
        Sample::class("p/C", "q/B").method(flag::PUBLIC, "m", "()V"),
        Sample::class("q/D", "p/C").method(0, "m", "()V"),
        Sample::class("p/E", "p/A").method(flag::PRIVATE, "m", "()V"),
        Sample::class("p/F", "p/A").method(flag::STATIC, "m", "()V"),
    ]);
    assert_eq!(program.selected("q/B", "p/A"), "p/A");
    assert_eq!(program.selected("p/C", "p/A"), "p/C");
    assert_eq!(program.selected("p/C", "q/B"), "p/C");
    assert_eq!(program.selected("q/D", "p/A"), "q/D", "through p/C");
    assert_eq!(program.selected("p/E", "p/A"), "p/A");
    assert_eq!(program.selected("p/E", "p/E"), "p/E");
    assert_eq!(program.selected("p/F", "p/A"), "p/A");
}

#[test]
fn fields_are_resolved_in_interfaces_before_superclasses() {
    let program = Program::new([
        Sample::class("A", "java/lang/Object").field(flag::PUBLIC, "f", "I").field(flag::PUBLIC, "g", "I"),
        Sample::interface("I").field(flag::PUBLIC | flag::STATIC, "f", "I"),
        Sample::interface("J").implementing(&["I"]),
        Sample::class("B", "A").implementing(&["J"]).field(0, "h", "J"),
    ]);
    assert_eq!(program.field("B", "f"), "I");
    assert_eq!(program.field("B", "g"), "A");
    assert_eq!(program.field("B", "h"), "NotFound");
    let declarations = program.0.field_declarations(program.id("B"), &"f".into(), &"I".into());
    let classes: Vec<String> = declarations.found.iter().map(|field| program.0.name(field.class).to_string()).collect();
    assert_eq!((classes, declarations.missing), (vec!["A".into(), "I".into()], None));
}

#[test]
fn declarations_come_from_all_paths() {
    let program = diamonds();
    let declarations = program.0.method_declarations(program.id("Own"), &"m".into(), &"()V".into());
    let classes: Vec<String> =
        declarations.found.iter().map(|method| program.0.name(method.class).to_string()).collect();
    assert_eq!(classes, ["I", "L", "Own"]);
    let declarations = program.0.method_declarations(program.id("Gone"), &"m".into(), &"()V".into());
    assert_eq!((declarations.found.len(), declarations.missing), (1, Some(program.id("lib/Gone"))));
}

#[test]
fn method_handles_take_any_descriptor() {
    let handle = "java/lang/invoke/MethodHandle";
    let any = "([Ljava/lang/Object;)Ljava/lang/Object;";
    let native = flag::PUBLIC | flag::NATIVE | flag::VARARGS;
    let program = Program::new([
        Sample::class(handle, "java/lang/Object").method(native, "invoke", any).method(flag::PUBLIC, "type", any),
        Sample::class("p/Handle", "java/lang/Object").method(native, "invoke", any),
    ]);
    let invoke = program.0.resolve_method(program.id(handle), &"invoke".into(), &"(IJ)V".into()).found().unwrap();
    assert!(program.0.is_signature_polymorphic(invoke));
    assert_eq!(program.method(handle, "type"), "NotFound");
    assert_eq!(program.method("p/Handle", "invoke"), "NotFound");
}

#[test]
fn access_is_by_package_subclass_and_nest() {
    let nested = |name: &str, host: &str| {
        let host = Text::from(host);
        Sample::class(name, "java/lang/Object")
            .method(flag::PRIVATE, "m", "()V")
            .change(|class| class.attributes.push(Attribute::NestHost(host)))
    };
    let hosting = |class: &mut lapidary_classfile::Class| {
        class.attributes.push(Attribute::NestMembers(vec!["p/Host$In".into()]));
    };
    let program = Program::new([
        Sample::class("p/Host", "java/lang/Object").method(flag::PRIVATE, "m", "()V").change(hosting),
        nested("p/Host$In", "p/Host"),
        nested("p/Liar", "p/Host"),
        Sample::class("p/Hidden", "java/lang/Object").flags(0).method(0, "m", "()V"),
        Sample::class("p/Open", "java/lang/Object").method(flag::PROTECTED, "m", "()V"),
        Sample::class("q/Sub", "p/Open"),
        Sample::class("q/SubSub", "q/Sub"),
        Sample::class("q/Other", "java/lang/Object"),
    ]);
    let class = |from: &str, to: &str| program.0.can_access_class(program.id(from), program.id(to));
    assert_eq!(class("p/Open", "p/Hidden"), Answer::Yes);
    assert_eq!(class("q/Sub", "p/Hidden"), Answer::No);
    assert_eq!(class("q/Sub", "lib/Gone"), Answer::Unknown(program.id("lib/Gone")));
    let method = |from: &str, named: &str, declaring: &str| {
        program.0.can_access_method(program.id(from), program.id(named), program.declared(declaring))
    };
    assert_eq!(method("p/Host$In", "p/Host", "p/Host"), Answer::Yes);
    assert_eq!(method("p/Host", "p/Host$In", "p/Host$In"), Answer::Yes);
    assert_eq!(method("p/Liar", "p/Host", "p/Host"), Answer::No);
    assert_eq!(method("p/Open", "p/Hidden", "p/Hidden"), Answer::Yes);
    assert_eq!(method("q/Sub", "p/Hidden", "p/Hidden"), Answer::No);
    assert_eq!(method("q/Sub", "q/Sub", "p/Open"), Answer::Yes);
    assert_eq!(method("q/Sub", "q/SubSub", "p/Open"), Answer::Yes);
    assert_eq!(method("q/Other", "q/Sub", "p/Open"), Answer::No);
}
