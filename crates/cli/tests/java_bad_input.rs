//! Bad jars and bad class files: exit code 2 and a message, or a note and an entry that is kept or
//! dropped as it is. Nothing is written outside the output, whatever the names of entries.

use crate::java_support;
use crate::support;

use java_support::{Entries, app, app_jar, jar, raw_archive, unpack};
use lapidary_common::Random;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use support::{Place, Run, is_root};

/// Asserts that neither `reduce` nor `model` accepts a file of that name.
fn refused(name: &str, content: &[u8], words: &[&str]) {
    let place = Place::new();
    place.write(name, content);
    let ran = place.path("ran");
    let test = ["--", "touch", ran.to_str().unwrap()];
    place.lapidary(&[&["reduce", name, "--as", "java"], &test[..]].concat()).ends_with(2).complains(words);
    place.lapidary(&["model", name, "--as", "java"]).ends_with(2).complains(words);
    assert!(!place.exists("ran"), "no test runs");
    let names: Vec<_> = fs::read_dir(place.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, [name], "nothing is written");
}

/// Reduces a jar to the class with the needle, whatever else is in it.
fn reduced(jar: &[u8]) -> (Run, BTreeMap<String, Vec<u8>>) {
    let place = Place::new();
    place.write("app.jar", jar);
    place.script("check", "unzip -p $1 app/Checker.class | grep -q needle");
    let before = all_files(&place);
    let run = place.lapidary(&["reduce", "app.jar", "--", "./check", "{}"]).ends_with(0);
    let new: Vec<_> = all_files(&place).into_iter().filter(|name| !before.contains(name)).collect();
    assert_eq!(new, ["app.reduced.jar", "app.reduced.jar.journal.jsonl"], "nothing else is written");
    let left = unpack(&fs::read(place.path("app.reduced.jar")).unwrap());
    (run, left)
}

/// The class with the needle. The stock, a parameter of its method, can be removed.
const SMALLEST: [&str; 1] = ["app/Checker.class"];

/// All files in the place and beside it.
fn all_files(place: &Place) -> Vec<String> {
    let names = |path| fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut all: Vec<_> = names(place.path("")).chain(names(place.path(".."))).collect();
    all.sort();
    all
}

/// The program and other entries.
fn app_and(others: &[(&str, &[u8])]) -> Vec<u8> {
    let app = app();
    let entries: Vec<_> = app.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice(), 0)).collect();
    raw_archive(&[entries, others.iter().map(|(name, bytes)| (*name, *bytes, 0)).collect()].concat())
}

#[test]
fn a_jar_that_was_cut_off() {
    let whole = app_jar();
    for length in [30, whole.len() / 2, whole.len() - 30] {
        refused("app.jar", &whole[..length], &["app.jar", "not a zip archive, or one that was cut off"]);
    }
}

#[test]
fn no_archive_at_all() {
    refused("app.jar", b"<html>not found</html>", &["app.jar", "not a zip archive"]);
    refused("app.jar", b"PK", &["app.jar", "not a zip archive"]);
}

#[test]
fn a_jar_without_classes() {
    refused("app.jar", &jar(&Vec::new()), &["app.jar holds no class files"]);
    let texts: Entries = vec![("readme.txt".to_owned(), b"hello".to_vec())];
    refused("app.jar", &jar(&texts), &["app.jar holds no class files"]);
}

#[test]
fn an_empty_file_called_a_jar() {
    refused("app.jar", b"", &["app.jar is empty"]);
}

#[test]
fn an_encrypted_entry() {
    let archive = raw_archive(&[("app/Main.class", b"secret", 1)]);
    refused("app.jar", &archive, &["app.jar", "app/Main.class is encrypted", "decrypt"]);
}

#[test]
fn an_entry_with_a_wrong_checksum() {
    let mut archive = raw_archive(&[("app/Main.class", b"some content", 0)]);
    let place = archive.windows(4).position(|window| window == b"some").unwrap();
    archive[place] = b'S';
    refused("app.jar", &archive, &["app.jar", "app/Main.class is damaged"]);
}

#[test]
fn a_zip_bomb() {
    let bomb = jar(&vec![("bomb.class".to_owned(), vec![0; 80 << 20])]);
    assert!(bomb.len() < 1 << 20);
    refused("app.jar", &bomb, &["app.jar", "times its size, like a zip bomb"]);
}

#[test]
fn names_that_lead_outside() {
    let names = ["../evil.txt", "../../evil.class", "/tmp/lapidary-evil.txt", "app/../../evil2.txt", "C:\\evil.txt"];
    let (run, left) = reduced(&app_and(&names.map(|name| (name, &b"evil"[..]))));
    run.complains(&["../evil.txt: would be unpacked outside its directory; it stays an entry", "C:\\\\evil.txt"]);
    assert!(left.keys().all(|name| !name.contains("evil")), "they can go: {:?}", left.keys());
    assert!(!fs::exists("/tmp/lapidary-evil.txt").unwrap());
}

#[test]
fn names_that_lead_outside_and_stay() {
    let place = Place::new();
    place.write("app.jar", app_and(&[("../evil.txt", b"the needle is here")]));
    place.script("check", "unzip -p $1 '*evil.txt' | grep -q needle");
    place.lapidary(&["reduce", "app.jar", "--", "./check", "{}"]).ends_with(0);
    let left = unpack(&fs::read(place.path("app.reduced.jar")).unwrap());
    assert_eq!(left.keys().collect::<Vec<_>>(), ["../evil.txt"], "it is kept under its name");
    place.lapidary(&["model", "app.jar", "--check", "3", "--", "test", "-f", "{}"]).ends_with(0);
    assert!(!all_files(&place).iter().any(|name| name.contains("evil")));
}

#[test]
fn two_entries_of_one_name() {
    let (run, left) = {
        let app = app();
        let checker = app.iter().find(|(name, _)| name.ends_with("Checker.class")).unwrap();
        let entries = [("app/Checker.class", &b"garbage"[..], 0), ("app/Checker.class", &checker.1, 0)];
        reduced(&raw_archive(&entries))
    };
    let run = run.complains(&["app/Checker.class: a later entry has the same name; that one counts"]);
    assert_eq!(run.stderr.matches("app/Checker.class").count(), 1, "one warning is enough: {run}");
    assert!(left["app/Checker.class"].starts_with(b"\xca\xfe\xba\xbe"), "the JVM takes the last");
}

#[test]
fn names_that_are_one_path_and_several_entries() {
    let others: [(&str, &[u8]); 4] =
        [("a//b.txt", b"two"), ("a/./b.txt", b"dot"), ("a/b.txt", b"plain"), ("a/b.txt/.", b"end")];
    let (run, left) = reduced(&app_and(&others));
    let run =
        run.complains(&["a//b.txt: a file system takes it for a shorter name", "3 entries stay", "a//b.txt for one"]);
    assert!(!run.stderr.contains("outside its directory") && !run.stderr.contains("the last one"), "{run}");
    let names: Vec<_> = left.keys().map(String::as_str).collect();
    assert_eq!(names, ["a/./b.txt", "a//b.txt", "a/b.txt/.", "app/Checker.class"]);
    assert_eq!([&left["a//b.txt"], &left["a/./b.txt"], &left["a/b.txt/."]], [b"two", b"dot", b"end"]);
}

#[test]
fn names_that_clash_on_disk() {
    let others: [(&str, &[u8]); 4] =
        [("a", b"x"), ("a/b", b"y"), ("APP/CHECKER.class", b"z"), ("app/checker.class", b"w")];
    let (run, left) = reduced(&app_and(&others));
    run.complains(&["a: is a file and a directory; both stay", "differs from", "only in upper and lower case"]);
    assert_eq!(left.keys().collect::<Vec<_>>(), SMALLEST);
}

#[test]
fn classes_that_are_none() {
    let whole = &app()[1].1;
    let mut lying = whole.clone();
    lying[8..10].fill(0xff);
    let longer = [whole.as_slice(), b"more"].concat();
    let others: [(&str, &[u8]); 5] = [
        ("bad/Garbage.class", b"no class at all"),
        ("bad/Empty.class", b""),
        ("bad/Short.class", &whole[..whole.len() / 2]),
        ("bad/Lying.class", &lying),
        ("bad/Longer.class", &longer),
    ];
    let (run, left) = reduced(&app_and(&others));
    for (name, _) in others {
        assert!(run.stderr.contains(&format!("{name} is not looked into")), "{name}: {run}");
    }
    assert_eq!(left.keys().collect::<Vec<_>>(), SMALLEST);
}

#[test]
fn a_bad_class_that_matters_is_kept_as_it_is() {
    let place = Place::new();
    place.write("app.jar", app_and(&[("bad/Garbage.class", b"the needle, and no class")]));
    place.script("check", "unzip -p $1 bad/Garbage.class | grep -q needle");
    place.lapidary(&["reduce", "app.jar", "--", "./check", "{}"]).ends_with(0);
    let left = unpack(&fs::read(place.path("app.reduced.jar")).unwrap());
    assert_eq!(left, BTreeMap::from([("bad/Garbage.class".to_owned(), b"the needle, and no class".to_vec())]));
}

#[test]
fn class_files_with_random_damage() {
    let classes = app();
    let mut random = Random::new(1);
    let mut next = |bound: usize| random.below(bound);
    let damaged: Vec<(String, Vec<u8>)> = (0..150)
        .map(|number| {
            let mut bytes = classes[next(classes.len())].1.clone();
            (0..1 + next(4)).for_each(|_| bytes[8 + next(classes[0].1.len().min(200))] = next(256) as u8);
            (format!("damaged/{number}.class"), bytes)
        })
        .collect();
    let others: Vec<_> = damaged.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    let (_, left) = reduced(&app_and(&others));
    assert!(left.contains_key("app/Checker.class"));
}

#[test]
fn thousands_of_jars_in_a_jar() {
    let nested = app_jar();
    let names: Vec<String> = (0..3000).map(|number| format!("lib/{number}.jar")).collect();
    let others: Vec<_> = names.iter().map(|name| (name.as_str(), nested.as_slice())).collect();
    let (_, left) = reduced(&app_and(&others));
    assert_eq!(left.keys().collect::<Vec<_>>(), SMALLEST);
}

#[test]
fn a_jar_that_cannot_be_read() {
    if is_root() {
        println!("skipped: root reads every file");
        return;
    }
    let place = Place::new();
    fs::set_permissions(place.write("app.jar", app_jar()), fs::Permissions::from_mode(0o000)).unwrap();
    let run = place.command().args(["reduce", "app.jar", "--", "true"]).output().unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&run.stderr).contains("cannot read app.jar"));
}

#[test]
fn a_class_path_that_is_not_there() {
    let place = Place::new();
    place.write("app.jar", app_jar());
    place.write("readme.txt", "no jar\n");
    for (library, words) in [
        ("nosuch.jar", ["--classpath", "nosuch.jar"]),
        ("lib/*", ["--classpath", "lib"]),
        ("readme.txt", ["--classpath", "readme.txt"]),
    ] {
        let arguments = ["reduce", "app.jar", "--classpath", library, "--", "true"];
        place.lapidary(&arguments).ends_with(2).complains(&words);
    }
    place.write("input.txt", "1\n");
    let run = place.lapidary(&["reduce", "input.txt", "--classpath", "app.jar", "--", "true"]).ends_with(2);
    run.complains(&["--classpath is for Java programs", "input.txt"]);
}

#[test]
fn without_a_jdk_it_goes_on_with_a_note() {
    let place = Place::new();
    place.write("app.jar", app_jar());
    place.script("check", "unzip -p $1 app/Checker.class | grep -q needle");
    fs::create_dir(place.path("bin")).unwrap();
    for tool in ["sh", "unzip", "grep"] {
        let found = ["/usr/bin", "/bin"]
            .map(|folder| format!("{folder}/{tool}"))
            .into_iter()
            .find(|path| fs::exists(path).unwrap());
        symlink(found.unwrap(), place.path("bin").join(tool)).unwrap();
    }
    let mut command = place.command();
    command.env("JAVA_HOME", "/nonexistent").env("PATH", place.path("bin"));
    let output = command.args(["reduce", "app.jar", "--", "./check", "{}"]).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(stderr.contains("no JDK was found") && stderr.contains("JAVA_HOME"), "{stderr}");
    let left = unpack(&fs::read(place.path("app.reduced.jar")).unwrap());
    assert!(left.contains_key("app/Checker.class") && !left.contains_key("app/Printer.class"));
}

/// Without class files, the decompiled text is empty and always compiles, which says nothing.
#[test]
fn a_decompiler_needs_class_files() {
    let place = Place::new();
    place.write("notes.txt", "hello");
    place.write("noise.dat", b"\x00\x01\x02");
    place.write("source/A.java", "class A { }");
    place.write("A.class", b"\xca\xfe\xba\xbe");
    place.write("empty.jar", raw_archive(&[("notes.txt", b"hello".as_slice(), 0)]));
    for (name, words) in [
        ("notes.txt", &["notes.txt has no class files for cfr", "a jar or a directory of class files"][..]),
        ("noise.dat", &["no class files"]),
        ("source", &["no class files"]),
        ("source/A.java", &["no class files"]),
        ("A.class", &["put the class file into a directory"]),
        ("empty.jar", &["empty.jar"]),
    ] {
        let run = place.lapidary(&["reduce", name, "--decompiler", "cfr"]).ends_with(2).complains(words);
        assert!(!run.stderr.contains("nothing to reduce") && !run.stderr.contains("Maven"), "{run}");
    }
}
