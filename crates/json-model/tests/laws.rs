//! Tests of rendering, and of the laws of models: the full set is the input, and every solution
//! renders.

use lapidary_json_model::JsonModel;
use lapidary_logic::{Reasoner, Var, VarSet, random_solution};
use lapidary_reduce::{Entry, FileTree, Model};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn parse(text: &str) -> JsonModel {
    JsonModel::parse(text, Path::new("/nowhere")).unwrap()
}

/// The candidate with the items of these labels, and no others.
fn with(model: &JsonModel, labels: &[&str]) -> FileTree {
    let position = |label: &&str| model.items().iter().position(|item| item.label == *label).unwrap();
    let keep = VarSet::of(model.constraint().variables(), labels.iter().map(|label| Var::new(position(label))));
    assert!(model.constraint().is_satisfied_by(&keep), "{labels:?} is not valid");
    model.render(&keep).unwrap()
}

fn everything(model: &JsonModel) -> FileTree {
    model.render(&VarSet::full(model.constraint().variables())).unwrap()
}

fn texts(tree: &FileTree) -> BTreeMap<String, String> {
    let text = |entry: &Entry| match entry {
        Entry::File { content, executable } => {
            format!("{}{}", if *executable { "*" } else { "" }, String::from_utf8_lossy(content))
        }
        other => panic!("a model writes files only, not {other:?}"),
    };
    tree.entries().map(|(path, entry)| (path.display().to_string(), text(entry))).collect()
}

fn single(tree: &FileTree) -> String {
    assert!(!tree.is_directory());
    texts(tree).remove("").unwrap()
}

fn files(expected: &[(&str, &str)]) -> BTreeMap<String, String> {
    expected.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect()
}

#[test]
fn without_files_the_candidate_is_one_file() {
    let model = parse(
        r#"{"format": 1, "name": "out.txt", "items": [
            {"label": "a", "text": "A\n"}, {"label": "b", "text": "B\n"}, {"label": "silent"}, {"label": "c", "text": "C\n"}]}"#,
    );
    assert_eq!(everything(&model), FileTree::file("out.txt", "A\nB\nC\n"));
    assert_eq!(single(&with(&model, &["c", "a"])), "A\nC\n");
    assert_eq!(single(&with(&model, &[])), "");
}

#[test]
fn fields_have_the_documented_defaults() {
    let model = parse(
        r#"{"$schema": "s", "format": 1, "name": "x", "auxiliary": ["v"], "clauses": null, "items": [
            {"label": "a", "text": "größe"}, {"label": "b", "kind": "line", "parent": "a", "cost": 9, "text": null}]}"#,
    );
    let [a, b] = model.items() else { panic!("there are two items") };
    assert_eq!((a.label.as_str(), &*a.kind, a.parent, a.cost), ("a", "item", None, 7));
    assert_eq!((b.label.as_str(), &*b.kind, b.parent, b.cost), ("b", "line", Some(Var::new(0)), 9));
    assert_eq!(model.constraint().variables(), 3);
    assert_eq!(model.constraint().len(), 1);
    assert!(model.preference().is_none());
}

#[test]
fn clauses_parents_and_preferences_mean_what_they_say() {
    let model = parse(
        r#"{"format": 1, "name": "x", "auxiliary": ["v"],
            "items": [{"label": "a"}, {"label": "b", "parent": "a"}, {"label": "c"}, {"label": "d"}],
            "clauses": [{"if": ["b", "c"], "then": ["d", "v"]}, {"then": ["a", "c"]}],
            "preference": [{"if": ["d"], "then": ["c"]}]}"#,
    );
    let [a, b, c, d, v] = std::array::from_fn(Var::new);
    let valid = |vars: &[Var]| model.constraint().is_satisfied_by(&VarSet::of(5, vars.iter().copied()));
    assert!(valid(&[a]) && valid(&[c]) && valid(&[a, b, c, d]) && valid(&[a, b, c, v]));
    assert!(!valid(&[]) && !valid(&[d]) && !valid(&[b, c, d]) && !valid(&[a, b, c]));
    let preference = model.preference().unwrap();
    assert_eq!(preference.len(), 1);
    assert!(!preference.is_satisfied_by(&VarSet::of(5, [a, d])));
}

#[test]
fn items_share_files_and_inherit_them() {
    let model = parse(
        r#"{"format": 1, "name": "dir", "items": [
            {"label": "group"}, {"label": "x", "file": "src//./x", "parent": "group", "text": "1"},
            {"label": "y", "file": "y", "text": "2", "executable": true}, {"label": "x2", "file": "src/x", "text": "3"},
            {"label": "x3", "parent": "x", "text": "4"}, {"label": "empty", "file": "empty"}]}"#,
    );
    let all = everything(&model);
    assert_eq!((all.name(), all.is_directory()), ("dir", true));
    assert_eq!(texts(&all), files(&[("src/x", "134"), ("y", "*2"), ("empty", "")]));
    assert_eq!(texts(&with(&model, &["x2"])), files(&[("src/x", "3")]));
    assert_eq!(texts(&with(&model, &["empty"])), files(&[("empty", "")]));
    let none = with(&model, &[]);
    assert!(none.is_directory() && texts(&none).is_empty());
}

#[test]
fn a_placeholder_stands_in_while_its_parent_is_there() {
    let model = parse(
        r#"{"format": 1, "name": "dir", "items": [
            {"label": "f", "file": "f", "text": "f() "}, {"label": "body", "parent": "f", "text": "{ work(); }", "placeholder": "{}"},
            {"label": "free", "file": "g", "text": "long", "placeholder": ""}]}"#,
    );
    assert_eq!(texts(&everything(&model)), files(&[("f", "f() { work(); }"), ("g", "long")]));
    assert_eq!(texts(&with(&model, &["f"])), files(&[("f", "f() {}"), ("g", "")]));
    assert_eq!(texts(&with(&model, &[])), files(&[("g", "")]));
}

#[test]
fn texts_come_from_files_beside_the_model() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("parts")).unwrap();
    fs::write(directory.path().join("parts/raw"), b"\x00\xff\n").unwrap();
    let path = directory.path().join("model.json");
    let items = r#"[{"label": "a", "text": "a"}, {"label": "raw", "from": "parts/raw", "executable": true}]"#;
    fs::write(&path, format!(r#"{{"format": 1, "name": "x", "items": {items}}}"#)).unwrap();
    let model = JsonModel::read(&path).unwrap();
    assert_eq!(model.items()[1].cost, 3);
    let expected = Entry::File { content: b"a\x00\xff\n".to_vec().into(), executable: true };
    assert_eq!(everything(&model), FileTree::single("x", expected));
}

#[test]
fn long_chains_of_parents_are_no_problem() {
    let count = 100_000;
    let item = |index: usize| match index + 1 < count {
        true => format!(r#"{{"label": "{index}", "parent": "{}"}}"#, index + 1),
        false => format!(r#"{{"label": "{index}", "file": "f", "text": "end"}}"#),
    };
    let items: Vec<String> = (0..count).map(item).collect();
    let model = parse(&format!(r#"{{"format": 1, "name": "x", "items": [{}]}}"#, items.join(",")));
    assert_eq!(texts(&everything(&model)), files(&[("f", "end")]));
}

fn documents() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference")
}

/// The code blocks of the reference page that are marked with `language`.
fn blocks(language: &str) -> Vec<String> {
    let page = fs::read_to_string(documents().join("model-format.md")).unwrap();
    let fence = format!("```{language}\n");
    page.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

#[test]
fn the_example_of_the_reference_does_what_the_reference_says() {
    let model = parse(&blocks("json")[0]);
    let [whole, small] = &blocks("text")[..] else { panic!("the page shows two results") };
    let report = "*#!/bin/run lib.txt\n";
    assert_eq!(texts(&everything(&model)), files(&[("lib.txt", whole), ("bin/report", report)]));
    let left = with(&model, &["hash", "hash end", "report"]);
    assert_eq!(texts(&left), files(&[("lib.txt", small), ("bin/report", report)]));
}

#[test]
fn the_reference_shows_the_message_for_a_mistyped_label() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("model.json");
    let mistyped = blocks("json")[0].replace(r#"["hash", "sum"]"#, r#"["hsah", "sum"]"#);
    fs::write(&path, mistyped).unwrap();
    let message = JsonModel::read(&path).err().unwrap().to_string();
    let message = message.replace(&format!("{}/", directory.path().display()), "    ");
    let page = fs::read_to_string(documents().join("model-format.md")).unwrap();
    assert!(page.lines().any(|line| line == message), "not in the reference: {message}");
}

#[test]
fn every_solution_of_the_example_renders_to_its_own_texts() {
    let model = JsonModel::read(&documents().join("../../examples/model/packages.json")).unwrap();
    let reasoner = Reasoner::new(model.constraint());
    let mut seen = BTreeSet::new();
    for seed in 0..300 {
        let keep = random_solution(&reasoner, seed);
        let text = single(&model.render(&keep).unwrap());
        let packages: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("Package: ")).collect();
        let labels: Vec<&str> = keep.iter().map(|var| model.items()[var.index()].label.as_str()).collect();
        assert_eq!(packages, labels);
        seen.insert(text);
    }
    assert!(seen.len() > 100, "only {} different candidates", seen.len());
}

/// The fields that the reader expects in place of an unknown one.
fn expected_fields(document: &str) -> BTreeSet<String> {
    let message = JsonModel::parse(document, Path::new("")).err().unwrap().to_string();
    let list = message.split_once("expected ").unwrap().1;
    list.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn the_schema_knows_the_fields_that_the_reader_knows() {
    let schema: Value =
        serde_json::from_str(&fs::read_to_string(documents().join("model.schema.json")).unwrap()).unwrap();
    let fields = |path: &str| -> BTreeSet<String> {
        schema.pointer(path).and_then(Value::as_object).unwrap().keys().cloned().collect()
    };
    let document = r#"{"format": 1, "?": 0}"#;
    assert_eq!(fields("/properties"), expected_fields(document));
    let item = r#"{"format": 1, "name": "x", "items": [{"?": 0}]}"#;
    assert_eq!(fields("/$defs/item/properties"), expected_fields(item));
    let clause = r#"{"format": 1, "name": "x", "items": [], "clauses": [{"?": 0}]}"#;
    assert_eq!(fields("/$defs/clause/properties"), expected_fields(clause));
}
