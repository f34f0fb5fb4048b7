//! Tests with real decompilers on small programs. The first run fetches them from Maven Central
//! into the user's cache.

use crate::support::{Classes, Worker, compile, install, tree, write};
use lapidary_java_workers::{EXPECT, PRESERVE};
use lapidary_predicate::{CommandConfig, TestPredicate, WorkerConfig, WorkerPredicate};
use lapidary_reduce::{Cancel, Predicate};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const MAX: &str = "package p; import java.util.*;
    public class Max {
        static <T extends Comparable<T>> T max(Collection<? extends T> all) {
            Iterator<? extends T> i = all.iterator();
            T best = i.next();
            while (i.hasNext()) { T next = i.next(); if (next.compareTo(best) > 0) best = next; }
            return best;
        }
    }";
const USER: &str = "package p; public class User {
        int two() { return 2 * Other.one(); }
        static class Nested { int three() { return new User().two() + Other.one(); } }
    }";
const OTHER: &str = "package p; public class Other { public static int one() { return 1; } static void none() {} }";

fn program() -> Classes {
    compile(&[("Max.java", MAX), ("User.java", USER), ("Other.java", OTHER)])
}

fn without(classes: &Classes, names: &[&str]) -> Classes {
    let mut rest = classes.clone();
    for name in names {
        assert!(rest.remove(&class(name)).is_some(), "{name}");
    }
    rest
}

fn class(name: &str) -> PathBuf {
    Path::new("p").join(format!("{name}.class"))
}

/// The program with one class in another version.
fn with(classes: &Classes, name: &str, source: &str) -> Classes {
    let sources = [("Max.java", MAX), ("User.java", USER), ("Other.java", OTHER)];
    let file = format!("{name}.java");
    let sources = sources.map(|(known, text)| if known == file { (known, source) } else { (known, text) });
    let mut changed = classes.clone();
    for (path, bytes) in compile(&sources) {
        if changed.contains_key(&path) {
            changed.insert(path, bytes);
        }
    }
    changed
}

#[test]
fn the_same_errors_are_interesting_and_others_are_not() {
    let (java, arguments) = install("cfr").command(&[]);
    let mut command = CommandConfig { arguments, ..CommandConfig::new(java) };
    command.expectations = vec![EXPECT.parse().unwrap()];
    command.preserve = PRESERVE.parse().unwrap();
    let predicate = WorkerPredicate::new(WorkerConfig::new(command)).unwrap();
    let classes = program();
    let runs: Vec<_> = (0..2).map(|_| predicate.observe(&tree(&classes), &Cancel::new()).unwrap()).collect();
    predicate.calibrate(&runs).unwrap();
    let errors = String::from_utf8_lossy(&runs[0].stdout.head).into_owned();
    assert_eq!(errors, "p/Max.java: incompatible types: Iterator<CAP#1> cannot be converted to Iterator<T>\n");
    let judge = |classes: &Classes| predicate.judge(&tree(classes), &Cancel::new()).unwrap();
    assert!(judge(&classes).is_interesting());
    assert!(judge(&without(&classes, &["User", "User$Nested", "Other"])).is_interesting());
    assert_eq!(judge(&without(&classes, &["Max"])).reason, "exit code 1");
    let more = judge(&without(&classes, &["Other"]));
    assert!(more.reason.starts_with("superset: "), "{more:?}");
    assert_eq!((predicate.supersets(), predicate.statistics().disagreements), (1, 0));
    assert!(predicate.statistics().checks > 0);
}

/// A cached source must equal the one that would be produced again, and the cache must be used.
#[test]
fn cached_sources_equal_fresh_ones() {
    for decompiler in ["cfr", "procyon"] {
        let installed = install(decompiler);
        let (mut remembering, mut forgetting) =
            (Worker::start(&installed, &[]), Worker::start(&installed, &["--forget"]));
        let all = program();
        let other_code = with(&all, "Other", &OTHER.replace("return 1", "return 11 + 2"));
        let other_type = with(&all, "Other", &OTHER.replace("void none() {}", "int none() { return 0; }"));
        let nested_code = with(&all, "User", &USER.replace("return new", "return 7 + new"));
        let variants = [
            all.clone(),
            without(&all, &["Max"]),
            other_code.clone(),
            nested_code,
            without(&all, &["User$Nested"]),
            without(&all, &["Other"]),
            without(&other_code, &["Max"]),
            all.clone(),
        ];
        let mut decompiled = Vec::new();
        for variant in variants.iter().chain([&other_type]) {
            let (warm, plain) = (remembering.ask(variant), forgetting.ask(variant));
            assert_eq!((warm.exit, &warm.stdout), (plain.exit, &plain.stdout), "{decompiler}");
            assert_eq!(plain.decompiled, variant.len() as i64);
            decompiled.push(warm.decompiled);
        }
        // Changing the code of one class does not affect others, removing it does, and nothing is
        // done twice.
        assert_eq!(decompiled[..3], [4, 0, 1], "{decompiler}");
        assert_eq!(decompiled[6..8], [0, 0], "{decompiler}");
        assert!(decompiled[5] > 0 && decompiled[8] == 2, "{decompiler}: {decompiled:?}");
    }
}

#[test]
fn a_class_that_cannot_be_decompiled_is_an_error_line_and_not_the_end() {
    for decompiler in ["cfr", "procyon"] {
        let mut worker = Worker::start(&install(decompiler), &[]);
        let all = program();
        let mut broken = all.clone();
        broken.insert(class("Other"), b"\xCA\xFE\xBA\xBE no class file".to_vec());
        let answer = worker.ask(&broken);
        let failed = |line: &&str| line.starts_with("p/Other.java: decompiler failed: ");
        assert_eq!(answer.stdout.lines().filter(failed).count(), 1, "{decompiler}: {answer:?}");
        assert_eq!(worker.ask(&all).decompiled, 2, "{decompiler}: it and who looked at it are made again");
    }
}

#[test]
fn a_jar_gives_the_errors_of_a_directory_with_every_decompiler() {
    let classes = program();
    let directory = tempfile::tempdir().unwrap();
    write(&classes, &directory.path().join("classes"));
    let jar = directory.path().join("app.jar");
    let made =
        Command::new("jar").arg("cf").arg(&jar).arg("-C").arg(directory.path().join("classes")).arg(".").status();
    assert!(made.unwrap().success());
    for decompiler in ["cfr", "procyon", "vineflower", "fernflower"] {
        let mut worker = Worker::start(&install(decompiler), &[]);
        let from_directory = worker.ask(&classes);
        let from_jar = worker.request(&jar, &[".".into()], &[]);
        assert_eq!(from_directory.stdout, from_jar.stdout, "{decompiler}");
        assert!(!from_directory.stdout.contains("failed"), "{decompiler}: {from_directory:?}");
        let empty = worker.ask(&Classes::new());
        assert_eq!((empty.exit, empty.stdout.as_str()), (1, ""), "{decompiler}");
    }
}

/// Starts the worker in an unintended way, and returns its exit code and its stderr.
fn ended(adapter: &str, request: &str) -> (Option<i32>, String) {
    let (java, mut arguments) = install("cfr").command(&[]);
    *arguments.iter_mut().find(|argument| *argument == "Cfr").unwrap() = adapter.into();
    let directory = tempfile::tempdir().unwrap();
    let input = directory.path().join("requests");
    fs::write(&input, request).unwrap();
    let worker = Command::new(java).args(arguments).stdin(fs::File::open(input).unwrap()).output().unwrap();
    (worker.status.code(), String::from_utf8_lossy(&worker.stderr).into_owned())
}

#[test]
fn a_worker_that_cannot_start_says_why() {
    let (code, said) = ended("Nobody", "");
    assert_eq!(code, Some(1));
    assert!(said.contains("ClassNotFoundException: lapidary.Nobody"), "{said}");
}

#[test]
fn a_worker_that_cannot_answer_says_why() {
    let request = r#"{"id": 0, "candidate": "/nonexistent/candidate", "changed": ["p/A.class"], "removed": []}"#;
    let (code, said) = ended("Cfr", request);
    assert_eq!(code, Some(1));
    assert!(said.contains("NoSuchFileException: /nonexistent/candidate"), "{said}");
}

/// Sources are for people, who read what there is, and names in class files may lead anywhere.
#[test]
fn sources_are_written_inside_of_the_directory() {
    use lapidary_classfile::{Class, Version};
    let mut classes = program();
    let outside = Class::new(Version { major: 61, minor: 0 }, "../Outside", Some("java/lang/Object".into()));
    classes.insert("Outside.class".into(), outside.write().unwrap());
    for decompiler in ["cfr", "procyon", "vineflower", "fernflower"] {
        let directory = tempfile::tempdir().unwrap();
        let [jar, into] = ["classes.jar", "sources"].map(|name| directory.path().join(name));
        fs::create_dir(&into).unwrap();
        let entries = classes.iter().map(|(path, bytes)| (path.to_str().unwrap(), bytes.as_slice()));
        fs::write(&jar, lapidary_jvm::write_jar(entries, lapidary_jvm::Compression::Stored).unwrap()).unwrap();
        let installed = install(decompiler);
        let (program, arguments) = installed.command_for_sources(&jar, &into);
        assert!(Command::new(program).args(arguments).status().unwrap().success(), "{decompiler}");
        let user = fs::read_to_string(into.join("p/User.java")).unwrap();
        assert!(user.contains("2 * Other.one()") && user.contains("class Nested"), "{decompiler}: {user}");
        assert!(!directory.path().join("Outside.java").exists(), "{decompiler}");
    }
}
