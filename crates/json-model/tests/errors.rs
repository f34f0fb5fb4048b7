//! Tests that every mistake in a model file is rejected with a message that says where it is and
//! what to do.

use lapidary_json_model::JsonModel;
use lapidary_logic::VarSet;
use lapidary_reduce::Model;
use proptest::prelude::*;
use std::fs;
use std::path::Path;

/// The message for a document that must be rejected.
fn refusal(text: &str) -> String {
    match JsonModel::parse(text, Path::new("/nowhere")) {
        Ok(_) => panic!("accepted: {text}"),
        Err(problem) => problem.to_string(),
    }
}

/// The message for a model with these items and these further fields.
fn refusal_of(items: &str, rest: &str) -> String {
    refusal(&format!(r#"{{"format": 1, "name": "x", "items": [{items}]{rest}}}"#))
}

/// The message for a model of the items `alpha`, `beta` and `gamma` with these clauses.
fn refusal_of_clauses(clauses: &str) -> String {
    refusal_of(r#"{"label": "alpha"}, {"label": "beta"}, {"label": "gamma"}"#, &format!(r#", "clauses": [{clauses}]"#))
}

#[test]
fn a_file_is_named_with_the_line_and_the_column() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("broken.json");
    fs::write(&path, "{\"format\": 1,\n \"name\" \"x\"}").unwrap();
    let message = JsonModel::read(&path).err().unwrap().to_string();
    assert_eq!(message, format!("{}:2:9: this is not JSON: expected `:`", path.display()));

    fs::write(&path, "{\"format\": 1, \"name\": \"x\",\n \"items\": [{\"lable\": \"a\"}]}").unwrap();
    let message = JsonModel::read(&path).err().unwrap().to_string();
    assert!(
        message.starts_with(&format!("{}:2:19: unknown field `lable`, expected one of `label`", path.display())),
        "{message}"
    );
}

#[test]
fn a_file_that_is_missing_or_not_text_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("model.json");
    let message = JsonModel::read(&path).err().unwrap().to_string();
    assert!(message.starts_with(&format!("{}: cannot read the model: ", path.display())), "{message}");

    fs::write(&path, b"{\"format\": 1, \"name\": \"\xff\"}").unwrap();
    let message = JsonModel::read(&path).err().unwrap().to_string();
    assert!(message.contains(":1:") && message.contains("not JSON"), "{message}");
}

#[test]
fn unfinished_json_is_not_json() {
    for text in ["", "{", "\"format", "{\"format\": 1,}", "{} {}"] {
        assert!(refusal(text).starts_with("this is not JSON: "), "{}", refusal(text));
    }
}

#[test]
fn objects_are_not_arrays() {
    assert!(refusal(r#"[1, "x", []]"#).contains("expected an object"));
    assert!(refusal_of(r#"["a"]"#, "").contains("expected an object"));
    assert!(refusal_of_clauses(r#"[["alpha"], ["beta"]]"#).contains("expected an object"));
}

#[test]
fn unknown_fields_are_refused_everywhere() {
    assert!(refusal_of(r#"{"label": "a"}"#, r#", "clause": []"#).contains("unknown field `clause`"));
    assert!(refusal_of(r#"{"label": "a", "txt": ""}"#, "").contains("unknown field `txt`"));
    assert!(refusal_of_clauses(r#"{"than": ["alpha"]}"#).contains("unknown field `than`"));
}

#[test]
fn the_version_is_looked_at_before_the_fields() {
    let expected = "the format is 2, but this version of Lapidary reads format 1: write \"format\": 1";
    assert_eq!(refusal(r#"{"format": 2, "things": []}"#), expected);
    assert!(refusal(r#"{"format": "1", "name": "x", "items": []}"#).starts_with("the format is \"1\", but"));
    assert!(refusal(r#"{"name": "x", "items": []}"#).starts_with("the format is missing, but"));
}

#[test]
fn wrong_values_are_refused() {
    assert!(refusal_of(r#"{"kind": "a"}"#, "").contains("missing field `label`"));
    assert!(refusal_of(r#"{"label": "a", "cost": -1}"#, "").contains("invalid value: integer `-1`"));
    assert!(refusal_of("", "").starts_with("there are no items"));
    for name in ["", ".", "..", "a/b", "/", "a/", "a\\u0000"] {
        let message = refusal(&format!(r#"{{"format": 1, "name": "{name}", "items": [{{"label": "a"}}]}}"#));
        assert!(message.contains("is not the name of a file"), "{message}");
    }
}

#[test]
fn labels_are_unique() {
    let message = refusal_of(r#"{"label": "a"}, {"label": "b"}, {"label": "a"}"#, "");
    assert_eq!(message, "item 3 \"a\": item 1 \"a\" has the same label; labels are unique, so rename one of the two");
    let message = refusal_of(r#"{"label": "a"}"#, r#", "auxiliary": ["v", "a"]"#);
    assert!(message.starts_with("auxiliary variable 2 \"a\": item 1 \"a\" has the same label"), "{message}");
}

#[test]
fn an_unknown_label_comes_with_the_nearest_one() {
    let message = refusal_of_clauses(r#"{"then": ["alpha"]}, {"if": ["alpha"], "then": ["gamma", "betta"]}"#);
    assert_eq!(message, "clause 2 `alpha ⇒ gamma ∨ betta`: nothing has the label \"betta\"; did you mean \"beta\"?");
    let message = refusal_of_clauses(r#"{"if": ["omicron"], "then": ["alpha"]}"#);
    assert!(message.ends_with("nothing has the label \"omicron\"; add it to \"items\" or \"auxiliary\""), "{message}");
    let message = refusal_of(r#"{"label": "parent"}, {"label": "a", "parent": "pparent"}"#, "");
    assert_eq!(message, "item 2 \"a\": nothing has the label \"pparent\"; did you mean \"parent\"?");
    let message = refusal_of(r#"{"label": "a"}"#, r#", "preference": [{"if": ["b"], "then": ["a"]}]"#);
    assert!(message.starts_with("preference 1 `b ⇒ a`: nothing has the label \"b\""), "{message}");
}

#[test]
fn a_clause_that_forbids_the_whole_input_is_refused_by_its_labels() {
    let expected = "clause 2 `alpha ∧ beta ⇒ false`: it forbids the whole input, which is valid by definition: \"then\" needs at least one label";
    assert_eq!(refusal_of_clauses(r#"{"then": ["beta"]}, {"if": ["alpha", "beta"], "then": []}"#), expected);
    assert_eq!(refusal_of_clauses(r#"{"then": ["beta"]}, {"if": ["alpha", "beta"]}"#), expected);
    assert!(refusal_of_clauses("{}").starts_with("clause 1 `false`: it forbids"));
    let message = refusal_of(r#"{"label": "a"}"#, r#", "preference": [{"if": ["a"], "then": []}]"#);
    assert!(message.starts_with("preference 1 `a ⇒ false`: it forbids"), "{message}");
}

#[test]
fn parents_are_items_and_not_inside_themselves() {
    let message = refusal_of(
        r#"{"label": "x", "parent": "a"}, {"label": "a", "parent": "b"}, {"label": "b", "parent": "c"}, {"label": "c", "parent": "a"}"#,
        "",
    );
    let circle = "\"a\" is inside \"b\" is inside \"c\" is inside \"a\"";
    assert_eq!(message, format!("the parents go round in a circle: {circle}; remove one of these"));
    let message = refusal_of(r#"{"label": "a", "parent": "a"}"#, "");
    assert!(message.contains("circle: \"a\" is inside \"a\";"), "{message}");
    let message = refusal_of(r#"{"label": "a", "parent": "v"}"#, r#", "auxiliary": ["v"]"#);
    assert!(message.starts_with("item 1 \"a\": the parent \"v\" is an auxiliary variable"), "{message}");
}

#[test]
fn files_stay_inside_the_candidate() {
    for (file, reason) in
        [("/etc/passwd", "is absolute"), ("a/../../b", "contains \"..\""), ("", "is empty"), (".", "is empty")]
    {
        let message = refusal_of(&format!(r#"{{"label": "ok"}}, {{"label": "a", "file": "{file}"}}"#), "");
        assert!(message.starts_with(&format!("item 2 \"a\": the file {file:?} {reason}: write")), "{message}");
    }
    let message = refusal_of(r#"{"label": "a", "file": "b\u0000c"}"#, "");
    assert!(message.contains("contains a zero byte"), "{message}");
}

#[test]
fn a_file_is_not_a_directory_too() {
    let message = refusal_of(r#"{"label": "deep", "file": "src/x/y"}, {"label": "flat", "file": "./src"}"#, "");
    assert!(
        message.starts_with("item 2 \"flat\": \"src\" is a file here and a directory for item 1 \"deep\""),
        "{message}"
    );
}

#[test]
fn every_text_has_one_source_and_a_place_to_go() {
    let message = refusal_of(r#"{"label": "a", "text": "", "from": "f"}"#, "");
    assert!(message.starts_with("item 1 \"a\": both \"text\" and \"from\""), "{message}");
    let message = refusal_of(r#"{"label": "a", "file": "f"}, {"label": "b", "text": "lost"}"#, "");
    assert!(message.starts_with("item 2 \"b\": other items have a \"file\""), "{message}");
    let message = refusal_of(r#"{"label": "a", "from": "missing.txt"}"#, "");
    assert!(
        message.starts_with("item 1 \"a\": cannot read the file /nowhere/missing.txt that \"from\" names: "),
        "{message}"
    );
    let message = refusal_of(r#"{"label": "a", "from": "/dev/null"}"#, "");
    assert!(message.ends_with("it is not a regular file"), "{message}");
}

#[test]
fn costs_that_cannot_be_added_up_are_refused() {
    let message = refusal_of(&format!(r#"{{"label": "a", "cost": {}}}, {{"label": "b", "cost": 1}}"#, u64::MAX), "");
    assert!(message.starts_with("item 2 \"b\": the costs up to here"), "{message}");
}

const SEED: &str = r#"{"format": 1, "name": "x", "auxiliary": ["v"], "items": [
  {"label": "a", "kind": "k", "file": "f/g", "text": "t"}, {"label": "b", "parent": "a", "cost": 3, "placeholder": "é"},
  {"label": "c", "file": "h", "executable": true}],
 "clauses": [{"if": ["a", "b"], "then": ["c", "v"]}, {"then": ["a"]}], "preference": [{"if": [], "then": ["b"]}]}"#;

/// Pieces that turn a valid document into another valid one about as often as into an invalid one.
const PIECES: &[&str] = &[
    "\"a\"",
    "\"b\"",
    "\"v\"",
    "\"parent\"",
    "\"file\"",
    "\"then\"",
    "\"..\"",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "null",
    "1",
    "-1",
    "1e999",
    "\\u0000",
    "\\ud800",
    "\"",
    "[[[[[[[[",
    "/",
];

#[test]
fn the_document_that_is_mutated_is_a_model() {
    assert!(JsonModel::parse(SEED, Path::new("/nowhere")).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn mutated_documents_are_models_or_errors(
        mutations in prop::collection::vec((0..SEED.len(), 0..12usize, 0..PIECES.len()), 1..6)
    ) {
        let mut bytes = SEED.as_bytes().to_vec();
        for (at, gone, piece) in mutations {
            let at = at.min(bytes.len());
            let end = (at + gone).min(bytes.len());
            bytes.splice(at..end, PIECES[piece].bytes());
        }
        let text = String::from_utf8_lossy(&bytes);
        match JsonModel::parse(&text, Path::new("/nowhere")) {
            Ok(model) => {
                let everything = VarSet::full(model.constraint().variables());
                prop_assert!(model.constraint().is_satisfied_by(&everything) && model.render(&everything).is_ok());
            }
            Err(problem) => prop_assert!(!problem.to_string().is_empty()),
        }
    }

    /// Labels that move around in a document that stays JSON give both valid and invalid models.
    #[test]
    fn shuffled_labels_are_models_or_errors(labels in prop::collection::vec(prop::sample::select(vec!["a", "b", "c", "v", "w"]), 9)) {
        let names: Vec<String> = labels.iter().map(|label| format!("{label:?}")).collect();
        let text = format!(
            r#"{{"format": 1, "name": "x", "auxiliary": [{}], "items": [{{"label": {}, "parent": {}}}, {{"label": {}}}, {{"label": {}, "parent": {}}}],
            "clauses": [{{"if": [{}], "then": [{}, {}]}}]}}"#,
            names[0], names[1], names[2], names[3], names[4], names[5], names[6], names[7], names[8]
        );
        let defined = [labels[0], labels[1], labels[3], labels[4]];
        let distinct = (1..4).all(|index| !defined[..index].contains(&defined[index]));
        let known = labels.iter().all(|label| defined.contains(label));
        let accepted = JsonModel::parse(&text, Path::new("/nowhere")).is_ok();
        prop_assert!(!accepted || (distinct && known), "accepted {}", text);
    }
}
