//! Archives and class files are reduced by what is in them.

use crate::support;

use lapidary_jvm::{Compression, Limits, read_jar, write_jar};
use lapidary_testkit::javac_texts;
use std::fs;
use std::process::Command;
use support::Place;

fn archive(entries: &[(&str, &str)]) -> Vec<u8> {
    write_jar(entries.iter().map(|(name, text)| (*name, text.as_bytes())), Compression::Deflated).unwrap()
}

/// The names and texts of the entries of an archive.
fn entries(place: &Place, name: &str) -> Vec<(String, String)> {
    let jar = read_jar(&fs::read(place.path(name)).unwrap(), &Limits::default()).unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    jar.entries.iter().map(|entry| (entry.name.clone(), text(&entry.bytes))).collect()
}

/// A test that needs `BUG` in one entry of an archive, compressed or not.
const NEEDS_BUG: &str =
    "import sys, zipfile\nsys.exit(b'BUG' not in zipfile.ZipFile(sys.argv[1]).read('word/document.xml'))";

fn document() -> Place {
    let place = Place::new();
    let text = "<p>some words</p>\n<p>BUG</p>\n<p>more words</p>\n";
    let parts = [("mimetype", "text"), ("word/document.xml", text), ("word/styles.xml", "<s/>")];
    place.write("report.docx", archive(&parts));
    place.write("check.py", NEEDS_BUG);
    place
}

#[test]
fn the_files_of_an_archive_are_reduced_and_packed_again() {
    let place = document();
    let arguments = ["reduce", "report.docx", "--", "python3", "check.py", "{}"];
    let run = place.lapidary(&arguments).ends_with(0);
    run.complains(&["report.docx is an archive, so the files in it are reduced", "--as bytes"]);
    assert_eq!(entries(&place, "report.reduced.docx"), [("word/document.xml".to_owned(), "BUG".to_owned())]);
    place.lapidary(&[&arguments[..2], &["--resume"], &arguments[2..]].concat()).ends_with(0);
}

#[test]
fn files_of_an_archive_can_be_kept() {
    let place = document();
    let arguments = ["reduce", "report.docx", "--keep", "styles", "--", "python3", "check.py", "{}"];
    place.lapidary(&arguments).ends_with(0);
    let names: Vec<String> = entries(&place, "report.reduced.docx").into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["word/document.xml", "word/styles.xml"]);
}

#[test]
fn an_archive_that_cannot_be_read_is_bytes() {
    let place = Place::new();
    let whole = archive(&[("a", "some text"), ("b", "other text")]);
    place.write("cut.zip", &whole[..whole.len() / 2]);
    let run = place.lapidary(&["reduce", "cut.zip", "--", "grep", "-q", "PK", "{}"]).ends_with(0);
    run.complains(&["cut.zip cannot be unpacked and is reduced as plain bytes"]);
    assert_eq!(place.read("cut.reduced.zip"), "PK");
}

#[test]
fn an_entry_with_a_wrong_size_is_worth_a_word() {
    let place = document();
    let mut bytes = fs::read(place.path("report.docx")).unwrap();
    let central = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    bytes[central + 24..central + 28].copy_from_slice(&0xffff_fffe_u32.to_le_bytes());
    place.write("claims.jar", bytes);
    let run = place.lapidary(&["model", "claims.jar", "--as", "dir"]).ends_with(0);
    run.complains(&["mimetype: has 4 bytes, but the archive says 4294967294"]);
}

#[test]
fn a_class_file_is_a_program_of_one_class() {
    let place = Place::new();
    let text = "package p; public class A { int x; int f(int a) { return a * 1717 + x; } void g() {} }";
    javac_texts(&[], &place.path(""), &[("A.java", text)]);
    place.write("A.class", fs::read(place.path("p/A.class")).unwrap());
    place.script("check", "case $1 in *A.class) javap -p -c $1 | grep -q 'sipush *1717';; *) exit 1;; esac");
    place.lapidary(&["reduce", "A.class", "--jobs", "2", "--", "./check", "{}"]).ends_with(0);
    let javap = Command::new("javap").args(["-p", "A.reduced.class"]).current_dir(place.path("")).output().unwrap();
    let shown = String::from_utf8_lossy(&javap.stdout).into_owned();
    assert!(shown.contains("class p.A") && shown.contains("int f(int)") && !shown.contains("void g()"), "{shown}");
    let run = place.lapidary(&["model", "A.class", "--check", "1"]).ends_with(2);
    run.complains(&["--check of a single class file needs a COMMAND"]);
}
