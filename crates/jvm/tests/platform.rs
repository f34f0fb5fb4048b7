//! Tests that answers about the classes of the installed JDK are those of the JDK itself.

use crate::support;

use lapidary_classfile::{Text, access};
use lapidary_jvm::{Answer, ClassId, ClassPath, FieldType, Hierarchy, Platform, Resolution};
use std::sync::Arc;
use support::{Oracle, Random};

/// Modules whose classes can be loaded without starting anything.
const MODULES: [&str; 5] = ["java.base", "java.desktop", "java.xml", "java.sql", "jdk.compiler"];

fn platform() -> Hierarchy {
    let class_path = ClassPath::open(&[], Some(Platform::installed().unwrap())).unwrap();
    Hierarchy::new([], Arc::new(class_path))
}

/// The classes that exist in the image and may be loaded by name, in order.
fn class_names(hierarchy: &Hierarchy) -> Vec<Text> {
    let classes = hierarchy.class_path().platform().unwrap().classes().unwrap();
    let named = classes.into_iter().filter(|class| MODULES.contains(&class.module.as_str()));
    named.map(|class| Text::from(class.name)).collect()
}

fn shown(hierarchy: &Hierarchy, resolution: Resolution<ClassId>) -> String {
    match resolution {
        Resolution::Found(class) => hierarchy.name(class).to_string(),
        other => format!("{other:?}"),
    }
}

/// A class and, most of the time, a supertype of it or of a third class: unrelated pairs show
/// little.
fn pair(hierarchy: &Hierarchy, names: &[Text], random: &mut Random) -> (ClassId, ClassId) {
    let below = hierarchy.id(random.pick(names));
    let relative = if random.chance(3) { hierarchy.id(random.pick(names)) } else { below };
    (below, *random.pick(hierarchy.all_supertypes(relative)))
}

#[test]
fn subtypes_of_the_platform() {
    let hierarchy = platform();
    let names = class_names(&hierarchy);
    let mut random = Random::new(1);
    let (mut questions, mut ours) = (Vec::new(), Vec::new());
    for _ in 0..300 {
        let (below, above) = pair(&hierarchy, &names, &mut random);
        questions.push(format!("subtype {} {}", hierarchy.name(below), hierarchy.name(above)));
        ours.push(hierarchy.is_subtype(below, above));
        let dimensions = random.below(3);
        let array = |class| {
            let element = FieldType::Object(hierarchy.name(class).clone());
            (0..=dimensions).fold(element, |element, _| element.array())
        };
        let (below, above) = (array(below), array(above));
        questions.push(format!("subtype {below} {above}"));
        ours.push(hierarchy.is_assignable(&below, &above));
    }
    agree(&questions, &ours.iter().map(|answer| format!("{answer:?}")).collect::<Vec<_>>());
    assert!(ours.iter().filter(|answer| **answer == Answer::Yes).count() > 150);
    assert!(ours.iter().filter(|answer| **answer == Answer::No).count() > 30);
}

#[test]
fn members_of_the_platform() {
    let hierarchy = platform();
    let names = class_names(&hierarchy);
    let mut random = Random::new(2);
    let (mut questions, mut ours) = (Vec::new(), Vec::new());
    // Reflection does not expose the methods of handles that take any arguments.
    while questions.len() < 800 {
        let (class, declaring) = pair(&hierarchy, &names, &mut random);
        let found = hierarchy.class(declaring).unwrap();
        if !found.methods.is_empty() {
            let method = random.pick(&found.methods);
            if method.name.as_bytes()[0] == b'<' || found.name.as_bytes().ends_with(b"Handle") {
                continue;
            }
            let (name, descriptor) = (&method.name, &method.descriptor);
            let resolved = match hierarchy.is_interface(class).unwrap() {
                true => hierarchy.resolve_interface_method(class, name, descriptor),
                false => hierarchy.resolve_method(class, name, descriptor),
            };
            questions.push(format!("method {} {name} {descriptor}", hierarchy.name(class)));
            ours.push(match resolved {
                Resolution::Found(found) if hierarchy.method(found).access & access::ABSTRACT != 0 => "?".into(),
                _ => shown(&hierarchy, declaring_class(resolved, |method| method.class)),
            });
        }
        if !found.fields.is_empty() {
            let field = random.pick(&found.fields);
            let resolved = hierarchy.resolve_field(class, &field.name, &field.descriptor);
            questions.push(format!("field {} {} {}", hierarchy.name(class), field.name, field.descriptor));
            ours.push(shown(&hierarchy, declaring_class(resolved, |field| field.class)));
        }
    }
    agree(&questions, &ours);
    assert!(ours.iter().filter(|answer| *answer == "NotFound").count() > 20);
}

fn declaring_class<T>(resolution: Resolution<T>, class: impl FnOnce(T) -> ClassId) -> Resolution<ClassId> {
    match resolution {
        Resolution::Found(member) => Resolution::Found(class(member)),
        Resolution::NotFound => Resolution::NotFound,
        Resolution::WrongKind => Resolution::WrongKind,
        Resolution::Unknown(missing) => Resolution::Unknown(missing),
    }
}

/// Compares the answers. "?" says that something is found but not what: for abstract methods the
/// JVM may answer with a method of its own.
fn agree(questions: &[String], ours: &[String]) {
    let theirs = Oracle::new(&[]).ask(questions);
    let answers = questions.iter().zip(ours).zip(&theirs);
    let is_found = |answer: &str| answer != "NotFound" && answer != "WrongKind" && !answer.starts_with("error");
    let differ = |((_, ours), theirs): &((&String, &String), &String)| match (ours.as_str(), theirs.as_str()) {
        ("?", other) | (other, "?") => !is_found(other),
        (ours, theirs) => ours != theirs,
    };
    let differences: Vec<String> =
        answers.filter(differ).map(|((question, ours), theirs)| format!("{question}: {ours}, JVM {theirs}")).collect();
    assert!(
        differences.is_empty(),
        "{} differ:\n{}",
        differences.len(),
        differences[..differences.len().min(20)].join("\n")
    );
}
