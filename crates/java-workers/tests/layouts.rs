//! Tests with classes that are not where their names say: web archives, executable jars, other
//! versions of a class.

use crate::support::{Classes, Worker, compile, install};
use std::path::{Path, PathBuf};

const USER: &str = "package p; public class User {
        int two() { return 2 * Other.one(); }
        static class Nested { int three() { return new User().two(); } }
    }";
const OTHER: &str = "package p; public class Other { public static int one() { return 1; } }";

fn program() -> Classes {
    compile(&[("User.java", USER), ("Other.java", OTHER)])
}

fn below(folder: &str, classes: &Classes) -> Classes {
    classes.iter().map(|(path, bytes)| (Path::new(folder).join(path), bytes.clone())).collect()
}

#[test]
fn classes_below_a_folder_that_is_no_package_are_known_by_their_names() {
    for decompiler in ["cfr", "procyon", "vineflower", "fernflower"] {
        let mut worker = Worker::start(&install(decompiler), &[]);
        for folder in ["WEB-INF/classes", "BOOT-INF/classes"] {
            let mut classes = below(folder, &program());
            let answer = worker.ask(&classes);
            assert_eq!((answer.exit, answer.stdout.as_str()), (1, ""), "{decompiler} {folder}");
            classes.remove(&Path::new(folder).join("p/Other.class"));
            let answer = worker.ask(&classes);
            let missing = answer.stdout.lines().all(|line| line.starts_with("p/User.java: "));
            assert!(answer.exit == 0 && missing, "{decompiler} {folder}: {answer:?}");
        }
    }
}

#[test]
fn other_versions_of_a_class_are_not_taken_for_it() {
    let mut worker = Worker::start(&install("cfr"), &[]);
    let mut classes = program();
    let newer = compile(&[("Other.java", &OTHER.replace("int one() { return 1; }", "void none() {}"))]);
    let (path, bytes) = newer.into_iter().next().unwrap();
    classes.insert(PathBuf::from("META-INF/versions/9").join(path), bytes);
    let answer = worker.ask(&classes);
    assert_eq!((answer.exit, answer.stdout.as_str()), (1, ""));
}
