//! Tests on hierarchies of classes made in memory, well-formed and not.

use super::*;
use crate::descriptor::FieldType;
use crate::sample::{Sample, hierarchy};

/// `C extends B extends A`, `B implements J extends I`, and `D` with a missing superclass.
fn family() -> Hierarchy {
    hierarchy([
        Sample::class("p/A", "java/lang/Object"),
        Sample::class("p/B", "p/A").implementing(&["p/J"]),
        Sample::class("p/C", "p/B"),
        Sample::interface("p/I"),
        Sample::interface("p/J").implementing(&["p/I"]),
        Sample::class("p/D", "lib/Gone").implementing(&["p/I"]),
        Sample::class("p/A2", "p/A"),
    ])
}

fn id(hierarchy: &Hierarchy, name: &str) -> ClassId {
    hierarchy.id(&Text::from(name))
}

fn names(hierarchy: &Hierarchy, ids: &[ClassId]) -> Vec<String> {
    ids.iter().map(|id| hierarchy.name(*id).to_string()).collect()
}

#[test]
fn subtyping_follows_classes_and_interfaces() {
    let family = family();
    let subtype = |below: &str, above: &str| family.is_subtype(id(&family, below), id(&family, above));
    for (below, above) in [("p/C", "p/C"), ("p/C", "p/A"), ("p/C", "p/I"), ("p/J", "p/I"), ("p/I", "java/lang/Object")]
    {
        assert_eq!(subtype(below, above), Answer::Yes, "{below} {above}");
    }
    for (below, above) in
        [("p/A", "p/B"), ("p/A", "p/I"), ("p/I", "p/J"), ("p/A", "lib/Gone"), ("java/lang/Object", "p/A")]
    {
        assert_eq!(subtype(below, above), Answer::No, "{below} {above}");
    }
}

#[test]
fn what_a_missing_class_could_change_is_unknown() {
    let family = family();
    let gone = id(&family, "lib/Gone");
    let subtype = |below: &str, above: &str| family.is_subtype(id(&family, below), id(&family, above));
    assert_eq!(subtype("p/D", "p/A"), Answer::Unknown(gone));
    assert_eq!(subtype("lib/Gone", "p/A"), Answer::Unknown(gone));
    assert_eq!(subtype("p/D", "lib/Gone"), Answer::Yes);
    assert_eq!(subtype("p/D", "p/I"), Answer::Yes);
    assert_eq!(subtype("lib/Gone", "java/lang/Object"), Answer::Yes);
    assert_eq!(names(&family, &family.missing()), ["java/io/Serializable", "java/lang/Cloneable", "lib/Gone"]);
}

#[test]
fn edges_have_an_identity() {
    let family = family();
    let (b, j) = (id(&family, "p/B"), id(&family, "p/J"));
    let edges: Vec<Edge> = family.edges(b).collect();
    let extends = Edge { from: b, to: id(&family, "p/A"), kind: EdgeKind::Extends };
    assert_eq!(edges, [extends, Edge { from: b, to: j, kind: EdgeKind::Implements(0) }]);
    assert_eq!(family.program().count(), 8);
    assert!(!family.is_program(id(&family, "lib/Gone")));
}

#[test]
fn the_common_superclass_is_that_of_the_verifier() {
    let family = family();
    let common = |one: &str, other: &str| {
        let found = family.common_superclass(id(&family, one), id(&family, other));
        found.map(|class| family.name(class).to_string()).map_err(|class| family.name(class).to_string())
    };
    assert_eq!(common("p/C", "p/A2"), Ok("p/A".into()));
    assert_eq!(common("p/C", "p/B"), Ok("p/B".into()));
    assert_eq!(common("p/C", "p/I"), Ok("java/lang/Object".into()));
    assert_eq!(common("p/I", "p/I"), Ok("p/I".into()));
    assert_eq!(common("p/C", "p/D"), Err("lib/Gone".into()));
    assert_eq!(common("p/D", "p/C"), Err("lib/Gone".into()));
    assert_eq!(common("p/D", "lib/Gone"), Err("lib/Gone".into()));
    assert_eq!(common("lib/Gone", "lib/Gone"), Ok("lib/Gone".into()));
}

#[test]
fn arrays_are_covariant() {
    let family = family();
    let parse = |descriptor: &str| FieldType::parse(descriptor).unwrap();
    let language = |from: &str, to: &str| family.is_assignable(&parse(from), &parse(to));
    let yes = [
        ("[Lp/C;", "[Lp/A;"),
        ("[[Lp/C;", "[[Lp/I;"),
        ("[I", "[I"),
        ("[[I", "[Ljava/lang/Object;"),
        ("[I", "Ljava/lang/Cloneable;"),
        ("[[I", "[Ljava/io/Serializable;"),
        ("I", "I"),
    ];
    for (from, to) in yes {
        assert_eq!(language(from, to), Answer::Yes, "{from} {to}");
    }
    let no =
        [("[Lp/A;", "[Lp/C;"), ("[I", "[J"), ("[I", "[Ljava/lang/Object;"), ("Lp/A;", "[Lp/A;"), ("[Lp/A;", "Lp/A;")];
    for (from, to) in no.into_iter().chain([("[I", "Lp/I;"), ("I", "J"), ("I", "Ljava/lang/Object;")]) {
        assert_eq!(language(from, to), Answer::No, "{from} {to}");
    }
    assert_eq!(language("Lp/A;", "Lp/I;"), Answer::No);
    assert_eq!(language("[Lp/D;", "[Lp/A;"), Answer::Unknown(id(&family, "lib/Gone")));
}

#[test]
fn circles_do_not_hang() {
    let circle = hierarchy([
        Sample::class("p/A", "p/B"),
        Sample::class("p/B", "p/A").implementing(&["p/I"]),
        Sample::interface("p/I").implementing(&["p/I", "p/A"]),
        Sample::class("p/Self", "p/Self"),
    ]);
    let (a, own) = (id(&circle, "p/A"), id(&circle, "p/Self"));
    assert_eq!(circle.is_subtype(a, own), Answer::No);
    assert_eq!(circle.common_superclass(a, own), Ok(circle.object()));
    assert!(circle.superclasses(a).count() < 100);
    let (name, descriptor) = (Text::from("m"), Text::from("()V"));
    assert_eq!(circle.resolve_method(a, &name, &descriptor), crate::Resolution::NotFound);
    assert_eq!(circle.resolve_field(a, &name, &descriptor), crate::Resolution::NotFound);
}

#[test]
fn a_chain_of_a_hundred_thousand_classes_is_no_danger() {
    let name = |number: usize| format!("p/C{number}");
    let chain = hierarchy((0..100_000).map(|number| Sample::class(&name(number + 1), &name(number))));
    let top = id(&chain, "p/C0");
    assert_eq!(chain.is_subtype(id(&chain, "p/C100000"), id(&chain, "p/C1")), Answer::Yes);
    assert_eq!(chain.is_subtype(id(&chain, "p/C100000"), id(&chain, "p/Other")), Answer::Unknown(top));
}

#[test]
fn the_first_class_of_a_name_counts() {
    let doubled = hierarchy([Sample::class("p/A", "p/X"), Sample::class("p/A", "p/Y")]);
    assert_eq!(doubled.superclass(id(&doubled, "p/A")), Some(id(&doubled, "p/X")));
    assert_eq!(doubled.program().count(), 2);
}

#[test]
fn threads_agree() {
    let family = family();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for number in 0..200 {
                    let one = id(&family, &format!("lib/L{number}"));
                    assert_eq!(family.name(one).to_string(), format!("lib/L{number}"));
                    assert_eq!(family.is_subtype(one, id(&family, "p/A")), Answer::Unknown(one));
                }
            });
        }
    });
    let missing = family.missing();
    assert_eq!(names(&family, &missing).iter().filter(|name| name.starts_with("lib/L")).count(), 200);
}
