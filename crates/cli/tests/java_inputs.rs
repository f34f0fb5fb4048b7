//! Which inputs are recognised as Java programs, and which of their parts must stay.

use crate::java_support;
use crate::support;

use java_support::{app_jar, jar, unpack};
use std::fs;
use std::process::Command;
use support::{Place, Run};

/// A place with the program as `name`, and with `check`, a test that looks for a word in the
/// classes of a jar.
fn place(name: &str) -> Place {
    let place = Place::new();
    place.write(name, app_jar());
    place.script("check", "unzip -p $1 '*.class' | grep -q needle");
    place
}

fn reduce(place: &Place, name: &str, options: &[&str]) -> Run {
    place.lapidary(&[&["reduce", name], options, &["--", "./check", "{}"]].concat())
}

/// The code of a method of the result, as javap prints it.
fn code(place: &Place, class: &str, method: &str) -> String {
    let jar = place.path("app.reduced.jar");
    let output = Command::new("javap").args(["-p", "-c", "-cp"]).arg(jar).arg(class).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let body: Vec<&str> =
        text.lines().skip_while(|line| !line.contains(method)).take_while(|line| !line.is_empty()).collect();
    // Indices into the constant pool change.
    body.iter()
        .map(|line| line.split_once('#').map_or(*line, |(before, _)| before).trim_end())
        .collect::<Vec<_>>()
        .join("\n")
}

/// The code of a method of the input, as javap prints it.
fn original_code(class: &str, method: &str) -> String {
    let place = Place::new();
    place.write("app.reduced.jar", app_jar());
    code(&place, class, method)
}

#[test]
fn a_jar_is_known_by_what_is_in_it() {
    for name in ["APP.JAR", "app.zip", "app"] {
        let place = place(name);
        place.lapidary(&["model", name]).ends_with(0).prints(&[&format!("{name}: java, ")]);
        reduce(&place, name, &["--as", "java-classes", "--json", "summary.json"]).ends_with(0);
    }
}

#[test]
fn archives_of_other_things_are_no_programs() {
    let place = Place::new();
    place.write("notes.zip", jar(&vec![("notes.txt".to_owned(), b"Main.class is missing".to_vec())]));
    place.lapidary(&["model", "notes.zip"]).ends_with(0).prints(&["notes.zip: dir, "]);
}

#[test]
fn bytes_that_are_called_a_jar() {
    let place = Place::new();
    place.write("random.jar", b"\x61\x45\x00\xa4 nothing that anybody knows");
    let words = ["random.jar: not a zip archive", "--as bytes"];
    place.lapidary(&["reduce", "random.jar", "--", "true"]).ends_with(2).complains(&words);
    place.lapidary(&["model", "random.jar", "--as", "bytes"]).ends_with(0);
}

#[test]
fn code_that_is_kept_stays_as_it_is() {
    let original = original_code("app.Printer", "twice(");
    assert!(original.contains("invokevirtual"), "{original}");
    for pattern in [r"^app/Printer\.twice:.*!code$", r"^app/Printer\.twice:"] {
        let place = place("app.jar");
        reduce(&place, "app.jar", &["--keep", pattern]).ends_with(0);
        assert_eq!(code(&place, "app.Printer", "twice("), original, "{pattern}");
        assert!(!unpack(&fs::read(place.path("app.reduced.jar")).unwrap()).contains_key("app/Unused.class"));
    }
}

#[test]
fn a_strategy_that_knows_no_validity_says_so() {
    let place = place("app.jar");
    let run = reduce(&place, "app.jar", &["--strategy", "ddmin", "--as", "java-classes"]).ends_with(0);
    assert_eq!(run.stderr.matches("ddmin ignores the rules for valid inputs").count(), 1, "{run}");
    let run = reduce(&place, "app.jar", &["--strategy", "binary", "--as", "java-classes", "--force"]).ends_with(0);
    assert!(!run.stderr.contains("valid"), "{run}");
}

#[test]
fn the_usage_names_the_built_in_test() {
    let place = place("app.jar");
    place.lapidary(&["reduce", "app.jar"]).ends_with(2).complains(&["-- TEST", "--decompiler NAME"]);
}
