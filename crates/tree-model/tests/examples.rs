//! Tests of the removal of items: input, item and output, side by side.

use crate::common::{labels, rendered, without};
use lapidary_logic::{Var, VarSet};
use lapidary_reduce::{Entry, FileTree, Model};
use lapidary_tree_model::{Kind, combined, directory, language_named, language_of, model};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn tree_model(name: &str, content: &str) -> Box<dyn Model> {
    let kind = Kind::Tree(language_of(Path::new(name), b"").unwrap());
    model(&kind, &FileTree::file(name, content), Path::new("")).unwrap()
}

/// The text without the items whose labels have one of these prefixes.
fn cut(name: &str, content: &str, gone: &[&str]) -> String {
    let model = tree_model(name, content);
    let keep = without(&*model, |label| gone.iter().any(|start| label.starts_with(start)));
    rendered(&*model, &keep)
}

fn cut_kind(kind: Kind, content: &str, gone: &[&str]) -> String {
    let model = model(&kind, &FileTree::file("input", content), Path::new("")).unwrap();
    let keep = without(&*model, |label| gone.iter().any(|start| label.starts_with(start)));
    rendered(&*model, &keep)
}

fn outline(name: &str, content: &str) -> Box<dyn Model> {
    let kind = Kind::Outline(language_of(Path::new(name), b"").unwrap());
    model(&kind, &FileTree::file(name, content), Path::new("")).unwrap()
}

fn assert_cuts(name: &str, cases: &[(&str, &str, &str)]) {
    for (content, gone, expected) in cases {
        assert_eq!(cut(name, content, &[gone]), *expected, "{content} without {gone}");
    }
}

#[test]
fn separators_stand_between_kept_elements_only() {
    assert_cuts(
        "a.json",
        &[
            ("[1, 20, 300]", "number 1 ", "[ 20, 300]"),
            ("[1, 20, 300]", "number 20 ", "[1, 300]"),
            ("[1, 20, 300]", "number 300 ", "[1, 20]"),
            ("[1]", "number 1 ", "[]"),
            ("{\"a\": 1, \"b\": 2}", "pair @1:2", "{ \"b\": 2}"),
        ],
    );
    assert_cuts(
        "a.py",
        &[
            ("f(a, b,)\n", "identifier b ", "f(a,)\n"),
            ("f(b,)\n", "identifier b ", "f()\n"),
            ("x = [1, 2, 3,]\n", "integer 2 ", "x = [1, 3,]\n"),
        ],
    );
    assert_cuts("a.c", &[("int a, *b, c;\n", "pointer_declarator b ", "int a, c;\n")]);
    assert_cuts("a.rs", &[("enum E { A, B, C }\n", "enum_variant B ", "enum E { A, C }\n")]);
}

#[test]
fn a_list_that_must_not_be_empty_keeps_an_element() {
    let model = tree_model("a.c", "int a, b;\n");
    let names: Vec<Var> =
        (0..model.items().len()).filter(|&n| model.items()[n].label.starts_with("identifier")).map(Var::new).collect();
    assert_eq!(names.len(), 2, "{:?}", labels(&*model));
    let full = VarSet::full(model.constraint().variables());
    assert!(!model.constraint().is_satisfied_by(&full.without(&names)));
}

#[test]
fn a_block_of_python_keeps_a_statement() {
    let model = outline("a.py", "if x:\n    y\nelse:\n    z\n");
    assert!(!labels(&*model).iter().any(|label| label.starts_with("expression_statement")), "{:?}", labels(&*model));
    assert_eq!(cut("a.py", "if x:\n    y()\n    zz\n", &["expression_statement @2:5"]), "if x:\n    zz\n");
}

#[test]
fn keywords_go_with_what_they_introduce() {
    assert_cuts(
        "a.c",
        &[
            ("enum e { A = 1, B };\n", "number_literal 1 ", "enum e { A, B };\n"),
            ("void f() { if (x) y(); else z(); }\n", "else_clause", "void f() { if (x) y(); }\n"),
            ("int f() { return 1; }\n", "number_literal 1 ", "int f() { return; }\n"),
        ],
    );
    assert_cuts(
        "a.py",
        &[
            ("def f(a: int = 3) -> str:\n    pass\n", "type @1:22", "def f(a: int = 3):\n    pass\n"),
            ("x: int = 3\n", "integer 3 ", "x: int\n"),
            ("class A(B):\n    pass\n", "argument_list", "class A:\n    pass\n"),
        ],
    );
    assert_cuts("A.java", &[("class A extends B { }\n", "superclass", "class A { }\n")]);
    assert_cuts("a.rs", &[("fn f() -> u8 { g() }\n", "primitive_type u8 ", "fn f() { g() }\n")]);
    assert_cuts("a.ts", &[("let x: number = 3;\n", "number 3 ", "let x: number;\n")]);
}

#[test]
fn a_node_is_replaced_by_a_descendant_that_fits() {
    assert_cuts(
        "a.c",
        &[
            (
                "void f() { while (x) { y(); z(); } }\n",
                "hoist compound_statement @1:22",
                "void f() { while (x) z(); }\n",
            ),
            ("int x = (1 + 2);\n", "hoist parenthesized_expression", "int x = 1 + 2;\n"),
            ("int x = a + bc;\n", "identifier a ", "int x = bc;\n"),
            ("int x = a + bc;\n", "identifier bc ", "int x = a;\n"),
        ],
    );
    let switch = "void f() { switch (x) { case 1: y(); } }\n";
    assert_eq!(cut("a.c", switch, &["hoist switch_statement"]), "void f() { y(); }\n");
    assert_cuts(
        "a.js",
        &[
            ("(function(){ g(1); })()", "hoist expression_statement @1:1", "g(1);"),
            ("(function(){ g(1); h(); })();\n", "hoist expression_statement @1:1", "g(1);h();\n"),
            ("(() => { g(1); })();\n", "hoist expression_statement @1:1", "g(1);\n"),
        ],
    );
    assert_cuts("a.c", &[("int f(){if(0){}else g();}\n", "compound_statement @1:14", "int f(){g();}\n")]);
    let both = "void f() {\n  if (x)\n    y();\n  else\n    z();\n}\n";
    assert_eq!(cut("a.c", both, &["hoist if_statement"]), "void f() {\n  y();\n  z();\n}\n");
}

#[test]
fn hoisted_lines_of_python_are_indented_as_what_they_replace() {
    let content = "def f():\n    if x:\n        y()\n        for z in y:\n            z()\n    return 1\n";
    let expected = "def f():\n    y()\n    for z in y:\n        z()\n    return 1\n";
    assert_eq!(cut("a.py", content, &["hoist if_statement"]), expected);
    let otherwise = "if 0:pass\nelse:\n def _():old_offset=_\n";
    assert_cuts(
        "a.py",
        &[
            ("if 0:\n a\n b\n", "hoist if_statement", "a\nb\n"),
            (otherwise, "hoist if_statement", "pass\ndef _():old_offset=_\n"),
            (otherwise, "pass_statement", "def _():old_offset=_\n"),
        ],
    );
}

#[test]
fn the_smallest_text_stands_for_what_must_stay() {
    let body = "int f(int x) { return x + 1; }\n";
    let model = tree_model("a.c", body);
    let texts: Vec<&str> =
        labels(&*model).into_iter().filter(|label| label.starts_with("text compound_statement")).collect();
    assert_eq!(texts.len(), 2, "a declaration, or an empty body");
    assert_eq!(cut("a.c", body, &["text compound_statement"]), "int f(int x) ;\n");
    assert_cuts(
        "a.py",
        &[
            ("def f():\n    return g(1)\n", "text block", "def f():\n    pass\n"),
            ("x = f(1)\n", "text call", "x = 0\n"),
        ],
    );
    assert_cuts("a.c", &[("int f(int, long);\n", "text parameter_list", "int f();\n")]);
    assert_cuts("a.js", &[("f('some text');\n", "text string ", "f('');\n")]);
}

#[test]
fn an_outline_has_what_can_go_and_nothing_else() {
    let content = "int helper(void) { return 1; }\nint main(void) { if (x) return helper(); }\n";
    let model = outline("a.c", content);
    let of = |start: &str| labels(&*model).iter().any(|label| label.starts_with(start));
    assert!(of("function_definition helper") && of("if_statement") && !of("text ") && !of("hoist "));
    let keep = without(&*model, |label| label.starts_with("function_definition helper"));
    assert_eq!(rendered(&*model, &keep), "\nint main(void) { if (x) return helper(); }\n");
    assert!(!model.preference().expect("there are uses").is_satisfied_by(&keep));
}

#[test]
fn what_is_deep_in_a_large_text_has_items() {
    let many: String = (0..400).map(|n| format!("<a><b c='{n}'>text</b><d/></a>")).collect();
    let model = tree_model("a.xml", &format!("<r>{many}</r>\n"));
    let count = |start: &str| labels(&*model).iter().filter(|label| label.starts_with(start)).count();
    assert_eq!(count("Attribute"), 400);
    assert_eq!(count("element"), 1200);
    assert_cuts("a.xml", &[("<a b='1'/>\n", "Attribute", "<a/>\n")]);
}

#[test]
fn tokens_do_not_run_together() {
    assert_cuts("a.c", &[("int a = b + +c;\n", "identifier b ", "int a = +c;\n")]);
    assert_cuts("a.c", &[("int/* gone */x;\n", "comment", "int x;\n")]);
    assert_eq!(cut("a.c", "int x; // one\nint y;\nint z;\n", &["declaration y "]), "int x; // one\nint z;\n");
    assert_eq!(cut("a.c", "int x;\n#define A 1\n#define B 2\n", &["preproc_def A "]), "int x;\n#define B 2\n");
}

#[test]
fn errors_are_opaque_and_the_rest_has_structure() {
    let content = "int a;\nint @@@ ( ;\nint b;\n";
    let model = tree_model("a.c", content);
    assert!(labels(&*model).iter().any(|label| label.starts_with("error")), "{:?}", labels(&*model));
    assert!(labels(&*model).iter().any(|label| label.starts_with("declaration a ")));
}

#[test]
fn a_use_prefers_to_have_its_definition() {
    let content = "int helper(void) { return 1; }\nint other;\nint main(void) { return helper(); }\n";
    let model = tree_model("a.c", content);
    let find = |start: &str| Var::new(labels(&*model).iter().position(|label| label.starts_with(start)).unwrap());
    let preference = model.preference().expect("there are uses");
    let full = VarSet::full(model.items().len());
    assert!(!preference.is_satisfied_by(&full.without(&[find("function_definition helper")])));
    assert!(preference.is_satisfied_by(&full.without(&[find("declaration other")])));
}

#[test]
fn data_that_refers_to_a_name_prefers_to_have_it() {
    let cases = [
        ("a.json", "{\"A\": {\"type\": \"B\"}, \"B\": 1, \"C\": [\"C\", 1]}", "pair @1:22", "pair @1:30"),
        ("a.json", "{\"r\": {\"$ref\": \"#/defs/A\"}, \"defs\": {\"A\": 1, \"B\": 2}}", "pair @1:38", "pair @1:46"),
        ("a.html", "<p id=\"x\">1</p><p id=y>2</p><a href=\"#x\">t</a>\n", "element @1:1", "element @1:16"),
        ("a.xml", "<r><i name='x'/><i name='y'/><a type=\"x\"/></r>\n", "element @1:4", "element @1:17"),
        ("a.css", "a { --x: 1; --y: 2; }\nb { width: var(--x) }\n", "declaration @1:5", "declaration @1:13"),
        ("a.sql", "CREATE TABLE t (a INT);\nCREATE TABLE u (b INT);\nDELETE FROM t;\n", "statement @1", "statement @2"),
    ];
    for (name, content, used, unused) in cases {
        let model = outline(name, content);
        let preference = model.preference().expect("there are uses");
        let holds = |gone: &str| preference.is_satisfied_by(&without(&*model, |label| label.starts_with(gone)));
        assert!(!holds(used), "{content} without {used}");
        assert!(holds(unused), "{content} without {unused}");
    }
}

#[test]
fn a_key_of_many_objects_defines_nothing() {
    let objects: Vec<String> = (0..9).map(|n| format!("{{\"type\": {n}}}")).collect();
    let model = outline("a.json", &format!("[{}, \"type\"]", objects.join(", ")));
    assert!(model.preference().is_none());
}

fn folder(files: &[(&str, &str)]) -> FileTree {
    let entries = files.iter().map(|(path, content)| (PathBuf::from(path), Entry::file(*content)));
    FileTree::directory("folder", entries.collect::<BTreeMap<_, _>>())
}

#[test]
fn files_side_by_side_share_names_and_definitions() {
    let tree =
        folder(&[("main.c", "int main(void) { return helper(); }\n"), ("lib.c", "int helper(void) { return 1; }\n")]);
    let kind = |path: &Path, content: &[u8]| Some(Kind::Tree(language_of(path, content)?));
    let model = combined(&tree, kind).unwrap();
    let helper =
        labels(&*model).iter().position(|label| label.starts_with("lib.c: function_definition helper")).unwrap();
    let full = VarSet::full(model.items().len());
    assert!(!model.preference().unwrap().is_satisfied_by(&full.without(&[Var::new(helper)])));
    let gone = without(&*model, |label| label.starts_with("lib.c: function_definition"));
    let candidate = model.render(&gone).unwrap();
    assert_eq!(candidate.entry(Path::new("main.c")), tree.entry(Path::new("main.c")));
    assert_eq!(candidate.entry(Path::new("lib.c")).unwrap().bytes(), 1);

    let alone = combined(&FileTree::file("a.c", "int a;\nint b;\n"), |_, _| Some(Kind::Lines)).unwrap();
    assert_eq!(labels(&*alone)[0], "line @1", "a file without a path has no prefix");

    let renamed = combined(&tree, |path, content| Some(Kind::Names(language_of(path, content)))).unwrap();
    let candidate = renamed.render(&without(&*renamed, |label| label == "name helper")).unwrap();
    assert_eq!(candidate.entry(Path::new("main.c")), Some(&Entry::file("int main(void) { return a(); }\n")));
    assert_eq!(candidate.entry(Path::new("lib.c")), Some(&Entry::file("int a(void) { return 1; }\n")));
}

#[test]
fn a_directory_goes_with_all_that_is_in_it() {
    let mut tree = folder(&[("a/b/x.c", "x"), ("a/y.c", "y"), ("z.c", "z")]);
    let mut entries: BTreeMap<PathBuf, Entry> =
        tree.entries().map(|(path, entry)| (path.into(), entry.clone())).collect();
    entries.insert("run".into(), Entry::File { content: "#!".into(), executable: true });
    entries.insert("link".into(), Entry::Link { target: "z.c".into() });
    entries.insert("empty".into(), Entry::EmptyDirectory);
    tree = FileTree::directory("folder", entries);
    let model = directory(&tree).unwrap();
    assert_eq!(model.render(&VarSet::full(model.items().len())).unwrap(), tree);
    let paths = |gone: &str| {
        let candidate = model.render(&without(&*model, |label| label == gone)).unwrap();
        candidate.entries().map(|(path, _)| path.display().to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(paths("directory a"), "empty link run z.c");
    assert_eq!(paths("file a/b/x.c"), "a/b a/y.c empty link run z.c");
    assert_eq!(paths("directory empty"), "a/b/x.c a/y.c link run z.c");
    assert!(directory(&FileTree::file("a", "b")).is_none());
}

#[test]
fn names_become_short_ones_that_are_free() {
    let c = || Some(language_named("c").unwrap());
    assert_eq!(
        cut_kind(Kind::Names(c()), "int a, total = total2; // total", &["name total"]),
        "int a, c = b; // total"
    );
    assert_eq!(cut_kind(Kind::Names(None), "a total 'total'", &["name total"]), "a b 'total'");
    let json = Kind::Names(Some(language_named("json").unwrap()));
    assert_eq!(cut_kind(json, r#"{"key": ["key", "two words"]}"#, &["name key"]), r#"{"a": ["a", "two words"]}"#);
}

#[test]
fn literals_shrink_in_two_steps() {
    let kind = || Kind::Literals(None);
    assert_eq!(cut_kind(kind(), "f(123456, 'abcdef')", &["number"]), "f(0, 'abcdef')");
    assert_eq!(cut_kind(kind(), "f(123456, 'abcdef')", &["second half of number"]), "f(123, 'abcdef')");
    assert_eq!(cut_kind(kind(), "f(123456, 'abcdef')", &["string"]), "f(123456, '')");
    assert_eq!(cut_kind(kind(), "f(123456, 'abcdef')", &["second half of string"]), "f(123456, 'abc')");
}

#[test]
fn blanks_shrink_to_what_keeps_tokens_apart() {
    let content = "int  x ;\n\n\n    return   y /* why */ + 1;\n";
    assert_eq!(cut_kind(Kind::Blanks(None), content, &["blank @"]), "int x;return y+1;");
    assert_eq!(cut_kind(Kind::Blanks(None), content, &["blank lines @"]), "int  x ;\nreturn   y /* why */ + 1;\n");
    assert_eq!(cut_kind(Kind::Blanks(None), "a:\n    b:\n        c\n", &["indentation"]), "a:\n b:\n  c\n");
}

#[test]
fn brackets_go_with_or_without_their_content() {
    assert_eq!(cut_kind(Kind::Tokens(None), "f(a, [b]) + c", &["brackets @"]), "f + c");
    assert_eq!(cut_kind(Kind::Tokens(None), "f(a)", &["bracket pair @"]), "f a");
    assert_eq!(cut_kind(Kind::Tokens(None), "static int x;\nint y;", &["token static"]), "int x;\nint y;");
}

#[test]
fn what_is_hoisted_keeps_its_strings() {
    let input = "if 1:\n    for a in 2:\n        print(\"needle\", f\"a{b}c\")\n";
    assert_eq!(cut("a.py", input, &["hoist for_statement"]), "if 1:\n    print(\"needle\", f\"a{b}c\")\n");
}

#[test]
fn quotes_go_without_their_content() {
    let tokens = |language: &str| Kind::Tokens(Some(language_named(language).unwrap()));
    assert_eq!(cut_kind(tokens("bash"), "a=\"$@\"", &["bracket pair @"]), "a=$@");
    assert_eq!(cut_kind(Kind::Tokens(None), "f('ab')", &["quotes @"]), "f(ab)");
    assert_eq!(cut_kind(tokens("rust"), "fn f<'a>(x: &'a u8) {}", &["brackets @"]), "fn f<'a>");
}

#[test]
fn a_block_of_lines_goes_as_one() {
    let content = "a {\n  b {\n    c\n  }\n}\nd\n";
    assert_eq!(cut_kind(Kind::Lines, content, &["block @1"]), "d\n");
    assert_eq!(cut_kind(Kind::Lines, content, &["block @2"]), "a {\n}\nd\n");
    assert_eq!(cut_kind(Kind::Lines, content, &["line @6"]), "a {\n  b {\n    c\n  }\n}\n");
}
