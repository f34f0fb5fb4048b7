//! Tests on the classes of the thesis: the text of their abstractions, and their behaviour in the
//! symbolic machine.
//!
//! The expected sources are in `programs/expected`, one folder for each policy.
//! `BLESS=1 cargo test` rewrites them.

use crate::support::{abstraction, compiled, directory, explored, hierarchy, program};
use lapidary_abstraction::{Error, Policy, compile, compile_accepted, write};
use lapidary_symbolic::{Number, Outcome, PathEnd, ReturnValue};

#[track_caller]
fn expect(class: &str, policy: Policy) {
    let written = abstraction(class, policy);
    let path = directory().join(format!("expected/{}/{class}.java", policy.name()));
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &written.source).unwrap();
    }
    assert_eq!(written.source, std::fs::read_to_string(&path).unwrap_or_default(), "{}", path.display());
}

fn printed(paths: &[PathEnd], text: &str) -> usize {
    paths.iter().filter(|path| path.stdout.contains(text)).count()
}

fn numbers(paths: &[PathEnd]) -> Vec<i64> {
    let number = |path: &PathEnd| match &path.outcome {
        Outcome::Returned(Some(ReturnValue::Number(Number::Integer(number)))) => Some(*number),
        _ => None,
    };
    paths.iter().filter_map(number).collect()
}

#[test]
fn mnemonic_abstractions_read_like_the_classes_they_stand_for() {
    for class in
        ["Safe", "Config", "ClassRoom", "Student", "Router", "PackageMap", "DoubleValue", "Person", "Flow", "Watch"]
    {
        expect(class, Policy::Mnemonic);
    }
}

#[test]
fn deep_abstractions_call_objects_that_they_make_up() {
    for class in ["Safe", "Router", "ClassRoom"] {
        expect(class, Policy::Deep);
    }
}

#[test]
fn shallow_abstractions_return_and_do_nothing_else() {
    for class in ["Safe", "Router", "ClassRoom", "PackageMap", "DoubleValue"] {
        expect(class, Policy::Shallow);
    }
}

#[test]
fn the_alarm_rings_unless_the_abstraction_is_shallow() {
    let rings = |policy| printed(&explored("open", &["Safe"], policy), "Somebody");
    assert_eq!(rings(Policy::Shallow), 0);
    assert!(rings(Policy::Deep) > 0);
    let paths = explored("open", &["Safe"], Policy::Mnemonic);
    assert_eq!((paths.len(), printed(&paths, "Somebody")), (2, 1));
}

#[test]
fn a_route_that_was_added_is_reached_through_memory_alone() {
    let paths = explored("serve", &["Router"], Policy::Mnemonic);
    assert_eq!(printed(&paths, "help"), 1);
    assert!(paths.iter().any(|path| path.stderr.contains("no route")));
    assert_eq!(printed(&explored("serve", &["Router"], Policy::Shallow), "help"), 0);
}

#[test]
fn students_old_and_new_get_their_grade() {
    let paths = explored("grade", &["ClassRoom", "Student"], Policy::Mnemonic);
    assert!(paths.iter().all(|path| matches!(path.outcome, Outcome::Returned(None))), "{paths:?}");
    assert_eq!(paths.len(), 2);
}

#[test]
fn a_setting_that_was_made_is_found() {
    let paths = explored("configured", &["Config"], Policy::Mnemonic);
    let yes = Outcome::Returned(Some(ReturnValue::Text("yes".into())));
    assert!(paths.iter().any(|path| path.outcome == yes));
}

#[test]
fn a_doubled_value_can_be_odd_now() {
    let results = numbers(&explored("isOdd", &["DoubleValue"], Policy::Mnemonic));
    assert!(results.contains(&0) && results.contains(&1), "{results:?}");
    assert_eq!(numbers(&explored("isOdd", &[], Policy::Mnemonic)), [0]);
}

#[test]
fn a_getter_returns_what_the_setter_stored() {
    assert_eq!(numbers(&explored("older", &["Person"], Policy::Mnemonic)), [0]);
}

#[test]
fn a_broken_database_is_still_caught() {
    let paths = explored("update", &["PackageMap"], Policy::Mnemonic);
    assert!(printed(&paths, "installed") > 0);
    let abstracted = explored("update", &["PackageMap", "Database"], Policy::Mnemonic);
    assert!(printed(&abstracted, "broken") > 0 && printed(&abstracted, "installed") > 0, "{abstracted:?}");
}

#[test]
fn every_shape_of_control_flow_compiles() {
    for policy in [Policy::Shallow, Policy::Deep, Policy::Mnemonic] {
        assert!(compiled(&["Flow"], policy).path().join("shop/Flow.class").is_file());
    }
}

#[test]
fn what_a_handler_catches_is_caught() {
    let paths = explored("guard", &["Flow"], Policy::Mnemonic);
    let has = |text: &str| paths.iter().any(|path| path.stderr.contains(text));
    assert!(has("broken") && has("done"), "{paths:?}");
    assert!(numbers(&paths).contains(&-1) && numbers(&paths).contains(&0), "{paths:?}");
}

#[test]
fn lambdas_are_made_again() {
    let paths = explored("watch", &["Watch"], Policy::Mnemonic);
    assert_eq!((paths.len(), printed(&paths, "Somebody")), (2, 1), "{paths:?}");
}

#[test]
fn a_nested_class_is_written_under_its_own_name() {
    let written = abstraction("Router$Item", Policy::Mnemonic);
    assert!(written.source.contains("class Router$Item {"), "{}", written.source);
    let classes = compiled(&["Router$Item"], Policy::Mnemonic);
    assert!(classes.path().join("shop/Router$Item.class").is_file());
}

#[test]
fn a_handler_that_several_parts_share_compiles() {
    for policy in [Policy::Deep, Policy::Mnemonic] {
        let classes = compiled(&["Audit"], policy);
        assert!(classes.path().join("shop/Audit.class").is_file());
    }
}

#[test]
fn a_class_that_cannot_be_abstracted_is_an_error_with_the_reason() {
    let hierarchy = hierarchy(&[program()]);
    let error = |name: &str, policy| write(&hierarchy, hierarchy.id(&name.into()), policy).unwrap_err().to_string();
    assert_eq!(error("shop/Nothing", Policy::Deep), "there is no class shop.Nothing on the class path");
    assert!(error("shop/Route", Policy::Deep).contains("it is an interface"));
    assert!(error("java/util/ArrayList", Policy::Deep).contains("rely on it"));
    assert!(error("shop/Safe", Policy::None).contains("policy none"));
    assert_eq!(
        "wild".parse::<Policy>().unwrap_err().to_string(),
        "no policy wild; there are none, shallow, deep and mnemonic"
    );
}

#[test]
fn the_output_of_the_compiler_is_shown() {
    let mut broken = abstraction("Safe", Policy::Shallow);
    broken.source = broken.source.replace("int code", "Unheard code");
    let into = tempfile::tempdir().unwrap();
    let error = compile(&[broken], &[program()], into.path()).unwrap_err();
    assert!(matches!(&error, Error::Compile { class, .. } if class == "shop.Safe"));
    assert!(error.to_string().contains("shop/Safe.java") && error.to_string().contains("Unheard"), "{error}");
}

#[test]
fn a_class_that_does_not_compile_does_not_affect_the_others() {
    let mut broken = abstraction("Safe", Policy::Shallow);
    broken.source = broken.source.replace("int code", "Unheard code");
    let written = [abstraction("Person", Policy::Shallow), broken, abstraction("Config", Policy::Shallow)];
    let into = tempfile::tempdir().unwrap();
    let left = compile_accepted(&written, &[program()], into.path()).unwrap();
    assert!(matches!(&left[..], [(1, Error::Compile { class, .. })] if class == "shop.Safe"), "{left:?}");
    let is_there = |name: &str| into.path().join(format!("shop/{name}.class")).is_file();
    assert_eq!(["Person", "Safe", "Config"].map(is_there), [true, false, true]);
}
