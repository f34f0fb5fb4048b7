//! Tests with class paths made in temporary directories.

use super::*;
use crate::archive::{Compression, write_jar};
use lapidary_classfile::Version;

fn class_bytes(name: &str, minor: u16) -> Vec<u8> {
    let class = Class::new(Version { major: 52, minor }, name, Some(Text::from("java/lang/Object")));
    class.write().unwrap()
}

fn write(path: PathBuf, bytes: &[u8]) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

fn write_jar_of(path: PathBuf, entries: &[(&str, &[u8])]) {
    write(path, &write_jar(entries.iter().copied(), Compression::Deflated).unwrap());
}

/// The minor version of a class, which marks the copy that was found.
fn mark(class_path: &ClassPath, name: &str) -> Option<u16> {
    class_path.class(&Text::from(name)).map(|class| class.version.minor)
}

#[test]
fn places_are_searched_in_order() {
    let directory = tempfile::tempdir().unwrap();
    let at = |path: &str| directory.path().join(path);
    write(at("one/p/A.class"), &class_bytes("p/A", 1));
    write_jar_of(at("lib/b.jar"), &[("p/A.class", &class_bytes("p/A", 2)), ("p/B.class", &class_bytes("p/B", 2))]);
    write_jar_of(at("lib/a.JAR"), &[("p/B.class", &class_bytes("p/B", 3))]);
    write(at("lib/readme.txt"), b"not a jar");
    let class_path = ClassPath::open(&[at("one"), at("lib/*")], None).unwrap();
    assert_eq!(mark(&class_path, "p/A"), Some(1));
    assert_eq!(mark(&class_path, "p/B"), Some(3));
    assert_eq!(mark(&class_path, "p/C"), None);
    assert!(class_path.problems().is_empty());
}

#[test]
fn a_multi_release_jar_answers_for_the_release() {
    let directory = tempfile::tempdir().unwrap();
    let jar = directory.path().join("mr.jar");
    let copies: Vec<Vec<u8>> = (0..5).map(|minor| class_bytes("p/A", minor)).collect();
    let entries = |manifest: &'static str| {
        write_jar_of(
            jar.clone(),
            &[
                ("META-INF/MANIFEST.MF", manifest.as_bytes()),
                ("p/A.class", &copies[0]),
                ("META-INF/versions/8/p/A.class", &copies[1]),
                ("META-INF/versions/11/p/A.class", &copies[2]),
                ("META-INF/versions/9/p/A.class", &copies[3]),
                ("META-INF/versions/99/p/A.class", &copies[4]),
            ],
        );
    };
    let found = || mark(&ClassPath::open(std::slice::from_ref(&jar), None).unwrap(), "p/A");
    entries("Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n");
    assert_eq!(found(), Some(2));
    entries("Manifest-Version: 1.0\n\nName: x\nMulti-Release: true\n");
    assert_eq!(found(), Some(0));
    entries("Multi-Release: false\n");
    assert_eq!(found(), Some(0));
}

#[test]
fn a_name_never_leaves_its_directory() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path().join("secret/A.class"), &class_bytes("../secret/A", 0));
    std::fs::create_dir(directory.path().join("classes")).unwrap();
    let class_path = ClassPath::open(&[directory.path().join("classes")], None).unwrap();
    let absolute = format!("{}/secret/A", directory.path().display());
    for name in ["../secret/A", &absolute, "p/../../secret/A", "", "/", "a\\b", "a\0b"] {
        assert!(class_path.find(&Text::from(name)).is_none(), "{name}");
    }
}

#[test]
fn a_class_that_cannot_be_read_is_missing_and_a_problem() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path().join("p/A.class"), &class_bytes("p/Other", 0));
    write(directory.path().join("p/B.class"), b"nonsense");
    let class_path = ClassPath::open(&[directory.path().into()], None).unwrap();
    assert_eq!(mark(&class_path, "p/A"), None);
    assert_eq!(mark(&class_path, "p/B"), None);
    let problems = class_path.problems();
    assert_eq!(problems[&Text::from("p/A")], "the file holds p/Other");
    assert_eq!(problems.len(), 2);
}

#[test]
fn bad_places_are_errors_that_name_the_path() {
    let directory = tempfile::tempdir().unwrap();
    let open = |path: &str| ClassPath::open(&[directory.path().join(path)], None).err().unwrap().to_string();
    assert!(open("none.jar").contains("none.jar"));
    assert!(open("none/*").contains("none"));
    std::fs::write(directory.path().join("bad.jar"), "no jar").unwrap();
    assert!(open("bad.jar").contains("not a zip archive"));
}
