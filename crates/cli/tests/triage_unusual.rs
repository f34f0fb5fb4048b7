//! `lapidary triage` on programs that no Java compiler makes, and on damaged ones.

use crate::support;

use lapidary_testkit::javac;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use support::{Place, Run};

/// Kotlin, Scala and obfuscators produce such names.
#[test]
fn names_may_be_anything_that_a_class_file_allows() {
    let place = Place::new();
    let source = "public class Main {
        public static void main(String[] args) { adds_5two6_100$(); p.A1.hit(); }
        static void adds_5two6_100$() { }
    }";
    let classes = compiled(
        &place,
        &[("Main.java", source), ("p/A1.java", "package p; public class A1 { public static void hit() { } }")],
    );
    patch(&classes, "Main.class", &[("adds_5two6_100$", "adds (two) 100%"), ("p/A1", "p/1A")]);
    patch(&classes, "p/A1.class", &[("p/A1", "p/1A")]);
    fs::rename(classes.join("p/A1.class"), classes.join("p/1A.class")).unwrap();
    let found = found(&triaged(&place, &["--own", "rta,0-cfa"]));
    let entered: Vec<&str> =
        found["programs"][0]["entered_methods"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(entered, ["Main.main:([Ljava/lang/String;)V", "Main.adds%20%28two)%20100%25:()V", "p/1A.hit:()V"]);
    for analysis in found["programs"][0]["analyses"].as_array().unwrap() {
        assert_eq!(analysis["outcome"], "sound", "{analysis}");
    }
}

#[test]
fn a_class_that_cannot_be_read_is_named() {
    let place = Place::new();
    let source = "public class Main { public static void main(String[] args) { if (args.length > 9) Broken.call(); } }
        class Broken { static void call() { } }";
    let classes = compiled(&place, &[("Main.java", source)]);
    fs::write(classes.join("Broken.class"), b"\xca\xfe\xba\xbe and no more").unwrap();
    let run = triaged(&place, &["--own", "rta,0-cfa"]);
    let notes = found(&run)["notes"].to_string();
    assert_eq!(notes.matches("class Broken cannot be read").count(), 1, "{run:?}");
}

fn triaged(place: &Place, options: &[&str]) -> Run {
    let given = ["triage", "classes", "--main", "Main", "--others", "none", "--json", "-"];
    place.lapidary(&[&given[..], options].concat())
}

fn found(run: &Run) -> Value {
    assert_eq!(run.code, Some(0), "{run:?}");
    serde_json::from_str(&run.stdout).unwrap()
}

fn compiled(place: &Place, sources: &[(&str, &str)]) -> PathBuf {
    let classes = place.path("classes");
    let files: Vec<PathBuf> = sources.iter().map(|(name, text)| place.write(name, text)).collect();
    javac(&[], &classes, files);
    classes
}

/// Replaces names in a class file by others of the same length.
fn patch(classes: &std::path::Path, file: &str, names: &[(&str, &str)]) {
    let mut bytes = fs::read(classes.join(file)).unwrap();
    for (old, new) in names {
        assert_eq!(old.len(), new.len());
        let places: Vec<usize> =
            (0..bytes.len() - old.len()).filter(|at| bytes[*at..].starts_with(old.as_bytes())).collect();
        assert!(!places.is_empty(), "{old}");
        places.into_iter().for_each(|at| bytes[at..at + new.len()].copy_from_slice(new.as_bytes()));
    }
    fs::write(classes.join(file), bytes).unwrap();
}
