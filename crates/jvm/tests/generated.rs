//! Tests on hierarchies that no compiler would accept: calls behave as they do in the JVM.
//!
//! A hundred seeded programs of classes and interfaces in two packages are written as class files
//! and called through every reference on every object. Their methods have all kinds of access, and
//! some are static, abstract or default.

use crate::support;

use lapidary_classfile::{Attribute, Class, Code, Constant, Instruction, Kind, Method, Text, Version, access};
use lapidary_jvm::{Answer, ClassId, ClassPath, Hierarchy, MethodId, Platform, Resolution, Selection};
use std::path::Path;
use std::sync::Arc;
use support::{Oracle, Random};

const DESCRIPTOR: &str = "()Ljava/lang/String;";
const PROGRAMS: u64 = 100;

#[test]
fn calls_do_what_the_jvm_does() {
    let directory = tempfile::tempdir().unwrap();
    let class_path = Arc::new(ClassPath::open(&[], Some(Platform::installed().unwrap())).unwrap());
    let (mut questions, mut ours) = (Vec::new(), Vec::new());
    for seed in 0..PROGRAMS {
        let program = program(seed);
        program.iter().for_each(|class| write(directory.path(), class));
        let hierarchy = Hierarchy::new(program.into_iter().map(Arc::new), class_path.clone());
        for (named, receiver) in calls(&hierarchy) {
            questions.push(format!("call {} {} m {DESCRIPTOR}", hierarchy.name(named), hierarchy.name(receiver)));
            ours.push(outcome(&hierarchy, named, receiver));
        }
    }
    let theirs = Oracle::new(&[directory.path()]).ask(&questions);
    let differ = |((_, ours), theirs): &((&String, &String), &String)| ours != theirs;
    let differences = questions.iter().zip(&ours).zip(&theirs).filter(differ);
    let shown: Vec<String> =
        differences.map(|((question, ours), theirs)| format!("{question}: {ours}, JVM {theirs}")).collect();
    assert!(shown.is_empty(), "{} of {} differ:\n{}", shown.len(), ours.len(), shown[..shown.len().min(20)].join("\n"));
    for outcome in ["Nothing", "Conflict", "unresolved"] {
        assert!(ours.iter().any(|answer| answer == outcome), "no call ended as {outcome}");
    }
}

/// Every reference to a class or interface, on an object of every class below it. Where a private
/// or static method has the name and descriptor of a default method, HotSpot does not find the
/// latter although it should. No compiler allows that, so such calls are left out.
fn calls(hierarchy: &Hierarchy) -> Vec<(ClassId, ClassId)> {
    let is_instantiable = |class: &ClassId| hierarchy.class(*class).unwrap().access & access::ABSTRACT == 0;
    let pairs = hierarchy.program().flat_map(|named| hierarchy.program().map(move |receiver| (named, receiver)));
    pairs
        .filter(|(named, receiver)| is_instantiable(receiver) && hierarchy.is_subtype(*receiver, *named) == Answer::Yes)
        .filter(|(_, receiver)| !hides_default(hierarchy, *receiver))
        .collect()
}

fn hides_default(hierarchy: &Hierarchy, receiver: ClassId) -> bool {
    let above = hierarchy.all_supertypes(receiver).iter();
    let (name, descriptor) = (Text::from("m"), Text::from(DESCRIPTOR));
    let declared: Vec<MethodId> =
        above.filter_map(|class| hierarchy.declared_method(*class, &name, &descriptor)).collect();
    let flags = |method: &MethodId| hierarchy.method(*method).access;
    let is_default =
        |method: &MethodId| hierarchy.is_interface(method.class) == Some(true) && flags(method) == access::PUBLIC;
    let is_hiding = |method: &MethodId| flags(method) & (access::PRIVATE | access::STATIC) != 0;
    declared.iter().any(is_default) && declared.iter().any(is_hiding)
}

/// The name of the class whose method runs, or the failure of the call.
fn outcome(hierarchy: &Hierarchy, named: ClassId, receiver: ClassId) -> String {
    let (name, descriptor) = (Text::from("m"), Text::from(DESCRIPTOR));
    let resolved = match hierarchy.is_interface(named).unwrap() {
        true => hierarchy.resolve_interface_method(named, &name, &descriptor),
        false => hierarchy.resolve_method(named, &name, &descriptor),
    };
    let resolved = match resolved {
        Resolution::Found(method) if hierarchy.method(method).access & access::STATIC == 0 => method,
        _ => return "unresolved".into(),
    };
    match hierarchy.select_method(receiver, resolved) {
        Selection::Found(method) if is_hidden(hierarchy, method) && hierarchy.is_interface(named).unwrap() => {
            "IllegalAccess".into()
        }
        Selection::Found(method) if hierarchy.method(method).access & access::ABSTRACT != 0 => "Nothing".into(),
        Selection::Found(method) => hierarchy.name(method.class).to_string(),
        // The specification requires the error of a conflict; HotSpot reports that there is nothing
        // to call.
        Selection::Conflict if hierarchy.is_interface(named).unwrap() => "Nothing".into(),
        other => format!("{other:?}"),
    }
}

/// Whether a method is invisible to calls through interfaces, which run only public methods, and
/// private ones of the interface itself.
fn is_hidden(hierarchy: &Hierarchy, method: MethodId) -> bool {
    hierarchy.method(method).access & (access::PUBLIC | access::PRIVATE) == 0
}

/// Up to four interfaces, then up to six classes; supertypes are chosen from the earlier ones.
fn program(seed: u64) -> Vec<Class> {
    let mut random = Random::new(seed + 1);
    let name = |random: &mut Random, number: usize| format!("{}{seed}/C{number}", random.pick(&["p", "q"]));
    let mut interfaces: Vec<Class> = Vec::new();
    for number in 0..1 + random.below(4) {
        let name = name(&mut random, number);
        let mut class = Class::new(Version { major: 61, minor: 0 }, name, Some("java/lang/Object".into()));
        class.access = access::PUBLIC | access::INTERFACE | access::ABSTRACT;
        class.interfaces = some_of(&interfaces, &mut random);
        add_method(
            &mut class,
            &[access::PUBLIC, access::PUBLIC, access::PUBLIC | access::ABSTRACT, access::PRIVATE],
            &mut random,
        );
        interfaces.push(class);
    }
    let mut classes: Vec<Class> = Vec::new();
    for number in 0..2 + random.below(5) {
        let superclass =
            if classes.is_empty() { "java/lang/Object".into() } else { random.pick(&classes).name.clone() };
        let name = name(&mut random, 10 + number);
        let mut class = Class::new(Version { major: 61, minor: 0 }, name, Some(superclass));
        class.interfaces = some_of(&interfaces, &mut random);
        let mut flags = vec![0, 0, access::PUBLIC, access::PUBLIC, access::PROTECTED, access::PRIVATE, access::STATIC];
        if random.chance(3) {
            class.access |= access::ABSTRACT;
            flags.extend([access::ABSTRACT | access::PUBLIC, access::ABSTRACT]);
        }
        add_method(&mut class, &flags, &mut random);
        classes.push(class);
    }
    interfaces.into_iter().chain(classes).collect()
}

fn some_of(interfaces: &[Class], random: &mut Random) -> Vec<Text> {
    interfaces.iter().filter(|_| random.chance(3)).map(|class| class.name.clone()).collect()
}

/// Every other class declares `m`, which returns the name of its class.
fn add_method(class: &mut Class, flags: &[u16], random: &mut Random) {
    if random.chance(2) {
        return;
    }
    let flags = *random.pick(flags);
    let label = Instruction::Ldc(Constant::String(class.name.clone()));
    let instructions = vec![label, Instruction::Return(Some(Kind::Reference))];
    let code = Code { max_stack: 1, max_locals: 1, instructions, ..Code::default() };
    let attributes = if flags & access::ABSTRACT != 0 { vec![] } else { vec![Attribute::Code(Box::new(code))] };
    class.methods.push(Method { access: flags, name: "m".into(), descriptor: DESCRIPTOR.into(), attributes });
}

fn write(directory: &Path, class: &Class) {
    let path = directory.join(format!("{}.class", class.name));
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, class.write().unwrap()).unwrap();
}
