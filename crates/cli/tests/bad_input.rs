//! Bad inputs, options and models: exit code 2, a message that names what is wrong and says what to
//! do, and nothing changed or left behind.

use crate::support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use support::{Place, is_root};

/// A run that is rejected before any test runs, in a place with `input.txt`.
fn refused(arguments: &[&str], words: &[&str]) {
    refused_in(&Place::with_numbers(), arguments, words);
}

/// A test that would leave a file if it ran.
fn refused_in(place: &Place, arguments: &[&str], words: &[&str]) {
    let ran = place.path("ran");
    let test = ["--", "touch", ran.to_str().unwrap()];
    place.lapidary(&[arguments, &test[..]].concat()).ends_with(2).complains(words);
    assert!(!place.exists("ran"), "no test runs");
    assert!(!place.exists("input.reduced.txt") && !place.exists("input.reduced.txt.journal.jsonl"));
}

#[test]
fn a_file_that_is_not_there() {
    refused(&["reduce", "nosuch.txt"], &["cannot read nosuch.txt", "No such file"]);
    refused(&["reduce", "nosuch/input.txt"], &["cannot read nosuch/input.txt", "No such file"]);
}

#[test]
fn a_file_used_as_a_directory() {
    refused(&["reduce", "input.txt/x"], &["cannot read input.txt/x", "Not a directory"]);
}

#[test]
fn a_file_that_cannot_be_read() {
    if is_root() {
        println!("skipped: root reads every file");
        return;
    }
    let place = Place::new();
    fs::set_permissions(place.write("secret.txt", "x\n"), fs::Permissions::from_mode(0o000)).unwrap();
    let run = place.command().args(["reduce", "secret.txt", "--", "true"]).output().unwrap();
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("cannot read secret.txt") && stderr.contains("Permission denied"), "{stderr}");
}

#[test]
fn neither_a_file_nor_a_directory() {
    refused(&["reduce", "/dev/null"], &["/dev/null", "neither a file nor a directory"]);
}

#[test]
fn an_empty_file() {
    let place = Place::new();
    place.write("empty.txt", "");
    refused_in(&place, &["reduce", "empty.txt"], &["empty.txt is empty", "nothing to reduce"]);
}

#[test]
fn an_empty_directory() {
    let place = Place::new();
    fs::create_dir_all(place.path("project")).unwrap();
    refused_in(&place, &["reduce", "project"], &["project is empty", "nothing to reduce"]);
}

#[test]
fn binary_where_text_was_asked() {
    let place = Place::new();
    place.write("data.bin", b"a\0b\n");
    for kind in ["lines", "tokens"] {
        refused_in(&place, &["reduce", "data.bin", "--as", kind], &["data.bin is binary", "--as bytes"]);
    }
    refused_in(&place, &["reduce", "data.bin", "--as", "fji"], &["data.bin"]);
}

#[test]
fn an_unknown_language() {
    refused(&["reduce", "input.txt", "--as", "tree:klingon"], &["`klingon`", "known are c, cpp, java", ".so"]);
}

#[test]
fn a_grammar_library_that_is_not_there_or_is_none() {
    refused(&["reduce", "input.txt", "--as", "tree:./no-grammar.so"], &["./no-grammar.so"]);
    let place = Place::with_numbers();
    place.write("grammar.so", "not a library");
    refused_in(&place, &["reduce", "input.txt", "--as", "tree:./grammar.so"], &["./grammar.so"]);
}

#[test]
fn an_unknown_kind() {
    refused(
        &["reduce", "input.txt", "--as", "poem"],
        &["`poem`", "known are java, java-classes", "lines", "bytes", "dir"],
    );
}

#[test]
fn a_file_where_a_directory_was_asked_and_the_other_way_round() {
    refused(&["reduce", "input.txt", "--as", "dir"], &["input.txt is a file", "needs a directory"]);
    let place = Place::new();
    place.write("project/a.txt", "a\n");
    refused_in(&place, &["reduce", "project", "--as", "lines"], &["project is a directory", "needs a file"]);
}

#[test]
fn a_program_with_a_mistake_says_where() {
    let place = Place::new();
    place.write("broken.fji", "class A {\n  String m( { }\n}\n");
    refused_in(&place, &["reduce", "broken.fji"], &["broken.fji", "2:"]);
    place.lapidary(&["model", "broken.fji"]).ends_with(2).complains(&["broken.fji", "2:"]);
}

#[test]
fn a_bad_pattern_to_keep() {
    refused(&["reduce", "input.txt", "--keep", "("], &["--keep", "unclosed group"]);
}

#[test]
fn bad_values_of_options() {
    for (option, value, words) in [
        ("--budget", "soon", ["`soon`", "500"]),
        ("--budget", "10parsecs", ["`10parsecs`", "90s"]),
        ("--budget", "-3s", ["'-3s'", "90s"]),
        ("--expect", "nothing", ["`nothing`", "stdout~REGEX"]),
        ("--expect", "exit=300", ["`exit=300`", "0 to 255"]),
        ("--expect", "stdin~x", ["`stdin~x`", "stderr~REGEX"]),
        ("--expect", "stdout~(", ["`stdout~(`", "unclosed group"]),
        ("--preserve", "colour", ["`colour`", "exit, stdout and stderr"]),
        ("--strategy", "luck", ["'luck'", "gbr"]),
        ("--timeout", "0", ["`0`", "seconds"]),
        ("--timeout", "later", ["`later`", "500ms"]),
        ("--repeat", "0", ["'0'", "1.."]),
        ("--jobs", "0", ["'0'", "1.."]),
        ("--jobs", "many", ["'many'", "digit"]),
        ("--seed", "x", ["'x'", "digit"]),
        ("--limit-memory", "2T", ["`2T`", "K, M or G"]),
        ("--limit-file", "big", ["`big`", "K, M or G"]),
        ("--limit-cpu", "-1", ["'-1'", "digit"]),
    ] {
        let given = format!("{option}={value}");
        refused(&["reduce", "input.txt", &given], &[option, words[0], words[1]]);
    }
}

#[test]
fn bad_rules_of_normalisation() {
    let preserve = ["reduce", "input.txt", "--preserve", "stdout", "--normalise"];
    refused(&[&preserve[..], &["hues"]].concat(), &["`hues`", "paths, lines, addresses"]);
    refused(&[&preserve[..], &["s/a"]].concat(), &["`s/a`", "s/REGEX/REPLACEMENT/"]);
    refused(&[&preserve[..], &["s/(/x/"]].concat(), &["unclosed group"]);
    refused(&["reduce", "input.txt", "--normalise", "lines"], &["--preserve"]);
}

#[test]
fn options_that_contradict_each_other() {
    refused(&["reduce", "input.txt", "--resume", "--force"], &["--resume", "--force"]);
    refused(&["reduce", "input.txt", "--as", "lines", "--model", "m.json"], &["--as", "--model"]);
    refused(&["reduce", "input.txt", "--colour"], &["--colour"]);
}

#[test]
fn nothing_to_reduce_or_no_test() {
    let place = Place::with_numbers();
    place.lapidary(&["reduce", "input.txt"]).ends_with(2).complains(&["TEST", "INPUT -- TEST"]);
    place.lapidary(&["reduce", "input.txt", "--"]).ends_with(2).complains(&["TEST"]);
    place.lapidary(&["reduce", "--", "true"]).ends_with(2).complains(&["INPUT"]);
    place.lapidary(&["model"]).ends_with(2).complains(&["INPUT"]);
    place.lapidary(&["cut", "input.txt"]).ends_with(2).complains(&["'cut'"]);
}

#[test]
fn a_model_that_is_not_there() {
    refused(&["reduce", "--model", "nosuch.json"], &["nosuch.json", "cannot read the model", "No such file"]);
}

/// Asserts that both `reduce` and `model` reject the input.
fn model_refused(model: &str, words: &[&str]) {
    let place = Place::new();
    place.write("m.json", model);
    refused_in(&place, &["reduce", "--model", "m.json"], words);
    place.lapidary(&["model", "--model", "m.json"]).ends_with(2).complains(words);
    let names: Vec<_> = fs::read_dir(place.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["m.json"]);
}

#[test]
fn a_model_that_is_not_json() {
    model_refused("{\"format\": 1,\n \"name\" \"x\"}", &["m.json:2:", "not JSON"]);
    model_refused("", &["m.json", "not JSON"]);
    model_refused("PK\u{3}\u{4}", &["m.json", "not JSON"]);
}

#[test]
fn a_model_with_unknown_fields_or_labels() {
    let unknown = r#"{"format": 1, "name": "x", "items": [{"label": "a", "colour": "red"}]}"#;
    model_refused(unknown, &["m.json:1:", "`colour`", "docs/reference/model-format.md"]);
    let label = r#"{"format": 1, "name": "x", "items": [{"label": "alpha"}], "clauses": [{"then": ["alfa"]}]}"#;
    model_refused(label, &["m.json", "\"alfa\"", "alpha"]);
    model_refused(r#"{"format": 9, "name": "x", "items": []}"#, &["m.json", "format is 9", "\"format\": 1"]);
}

#[test]
fn a_model_that_forbids_the_whole_input() {
    let model = r#"{"format": 1, "name": "x", "items": [{"label": "a", "text": "a"}, {"label": "b", "text": "b"}],
                    "clauses": [{"then": ["a"]}, {"if": ["a", "b"], "then": []}]}"#;
    model_refused(model, &["m.json", "clause 2", "a ∧ b", "forbids the whole input", "at least one label"]);
}

#[test]
fn a_model_that_names_a_missing_file() {
    let model = r#"{"format": 1, "name": "x", "items": [{"label": "a", "from": "parts/a.txt"}]}"#;
    model_refused(model, &["m.json", "item 1 \"a\"", "parts/a.txt", "No such file"]);
}

#[test]
fn a_model_of_another_input() {
    let place = Place::with_numbers();
    place.write("m.json", r#"{"format": 1, "name": "input.txt", "items": [{"label": "a", "text": "a"}]}"#);
    let words = ["input.txt differs from what m.json renders to"];
    refused_in(&place, &["reduce", "input.txt", "--model", "m.json"], &words);
}

#[test]
fn a_manual_page_of_no_command() {
    Place::new().lapidary(&["man", "polish"]).ends_with(2).complains(&["`polish`", "lapidary help"]);
    Place::new().lapidary(&["completions", "cmd"]).ends_with(2).complains(&["'cmd'", "bash", "fish", "zsh"]);
}
