//! Rewrites as a model: the properties that a search relies on.

use lapidary_clang::{Compilation, Reader, Sources};
use lapidary_clang_model::rewrite::{RewriteKind, RewriteModel, Settings, kinds};
use lapidary_clang_model::{Layout, Project, Readers};
use lapidary_logic::{Var, VarSet};
use lapidary_reduce::{Entry, FileTree, Model};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const PROGRAM: &str = "\
typedef unsigned long word;
struct box { int content; };
static const int limit = 3;
static int twice(int a) { return a + a; }
int sum(int *values, word count) {
  int result = 0;
  for (word i = 0; i < count; i++) {
    if (values[i] > limit) result += twice(values[i]);
    else result -= 1;
  }
  return result;
}
int main(void) {
  struct box b;
  int values[4] = {1, 2, 3, 4};
  b.content = sum(values, 4);
  return b.content == 8;
}
";

fn project() -> Project {
    Project::single(Path::new("/nowhere/input.c"), Vec::new())
}

fn model(text: &str, settings: &Settings) -> RewriteModel {
    RewriteModel::new(&FileTree::file("input.c", text), &project(), settings).expect("libclang is installed")
}

fn all_but(model: &RewriteModel, absent: &[usize]) -> VarSet {
    let absent: Vec<Var> = absent.iter().map(|index| Var::new(*index)).collect();
    VarSet::full(model.items().len()).without(&absent)
}

fn text(tree: &FileTree) -> String {
    let content = tree.only_file().expect("a file stays a file");
    String::from_utf8(content.to_vec()).expect("UTF-8 stays UTF-8")
}

fn compiles(project: &Project, tree: &FileTree) -> bool {
    let sources: Sources = project.sources(tree);
    let mut units = project.compilations.iter().cloned();
    units.all(|unit| Reader::new(unit).complaints(&sources).expect("libclang is installed").is_empty())
}

#[test]
fn nothing_rewritten_is_the_input() {
    let model = model(PROGRAM, &Settings::default());
    assert_eq!(text(&model.render(&all_but(&model, &[])).unwrap()), PROGRAM);
}

#[test]
fn every_rewrite_alone_compiles_and_changes_something() {
    let model = model(PROGRAM, &Settings::default());
    assert!(model.items().len() > 40, "{}", model.items().len());
    for index in 0..model.items().len() {
        let tree = model.render(&all_but(&model, &[index])).unwrap();
        assert_ne!(text(&tree), PROGRAM, "{}", model.items()[index].label);
        assert!(compiles(&project(), &tree), "{}: {}", model.items()[index].label, text(&tree));
    }
}

#[test]
fn rewrites_of_the_same_text_exclude_each_other() {
    let model = model("int f(int a) { return a + 1; }", &Settings::default());
    let of_sum: Vec<usize> = (0..model.items().len()).filter(|index| model.items()[*index].kind == "operand").collect();
    assert_eq!(of_sum.len(), 2);
    assert!(!model.constraint().is_satisfied_by(&all_but(&model, &of_sum)));
    of_sum.iter().for_each(|one| assert!(model.constraint().is_satisfied_by(&all_but(&model, &[*one]))));
}

#[test]
fn rewrites_of_different_texts_go_together() {
    let model = model("int f(int a) { return a + 7; } int g(int a) { return -a; }", &Settings::default());
    let label = |index: &usize| &model.items()[*index].label;
    let taken: Vec<usize> = (0..model.items().len())
        .filter(|index| label(index).contains("write 0") || label(index).contains("`-a`"))
        .collect();
    assert!(model.constraint().is_satisfied_by(&all_but(&model, &taken)));
    let tree = model.render(&all_but(&model, &taken)).unwrap();
    assert_eq!(text(&tree), "int f(int a) { return a + 0; } int g(int a) { return a; }");
}

#[test]
fn lines_stay_where_they_are_if_asked() {
    let settings = Settings { layout: Layout::KeepLines, ..Settings::default() };
    let model = model(PROGRAM, &settings);
    for index in 0..model.items().len() {
        let rendered = text(&model.render(&all_but(&model, &[index])).unwrap());
        assert_eq!(rendered.lines().count(), PROGRAM.lines().count(), "{}", model.items()[index].label);
    }
}

#[test]
fn pages_follow_each_other() {
    let all = model(PROGRAM, &Settings::default());
    let first = model(PROGRAM, &Settings { page: 0..30, ..Settings::default() });
    let second = model(PROGRAM, &Settings { page: 30..2_000, ..Settings::default() });
    assert!(first.left() > 0 && second.left() == 0);
    let labels = |model: &RewriteModel| model.items().iter().map(|item| item.label.clone()).collect::<Vec<_>>();
    assert_eq!([labels(&first), labels(&second)].concat(), labels(&all));
}

#[test]
fn a_program_that_does_not_compile_is_rewritten_unchecked() {
    let model = model("int x = missing; int f(void) { return 7 + 1; }", &Settings::default());
    assert!(!model.items().is_empty());
}

#[test]
fn translation_units_that_share_a_header_are_rewritten_together() {
    let files = [
        ("n.hpp", "namespace n { int x(); }\n"),
        ("a.cpp", "#include \"n.hpp\"\nint a() { return n::x(); }\n"),
        ("b.cpp", "#include \"n.hpp\"\nint b() { return n::x(); }\n"),
    ];
    let entries: BTreeMap<PathBuf, Entry> =
        files.iter().map(|(path, text)| (PathBuf::from(path), Entry::file(*text))).collect();
    let tree = FileTree::directory("program", entries);
    let unit = |file: &str| Compilation { file: Path::new("/nowhere").join(file), arguments: Vec::new() };
    let project = Project { root: "/nowhere".into(), compilations: vec![unit("a.cpp"), unit("b.cpp")] };
    let model = RewriteModel::new(&tree, &project, &Settings::default()).expect("libclang is installed");
    let dissolved = model.items().iter().position(|item| item.kind == "dissolve namespace").expect("one namespace");
    let result = model.render(&all_but(&model, &[dissolved])).unwrap();
    assert!(compiles(&project, &result));
    let expected = Entry::file("#include \"n.hpp\"\nint b() { return x(); }\n");
    assert_eq!(result.entry(Path::new("b.cpp")), Some(&expected));
}

/// Repeatedly takes the first rewrite that compiles. This terminates, and the result is small.
#[test]
fn rewriting_comes_to_an_end() {
    let mut current = PROGRAM.to_owned();
    for _ in 0..1_000 {
        let model = model(&current, &Settings { page: 0..20, ..Settings::default() });
        if model.items().is_empty() {
            assert_eq!(model.left(), 0);
            assert!(current.len() < PROGRAM.len() / 2, "{current}");
            return;
        }
        current = text(&model.render(&all_but(&model, &[0])).unwrap());
    }
    panic!("it goes on for ever: {current}");
}

#[test]
fn nothing_is_reshaped_unless_asked_for() {
    let program = "struct pair { int first, second; };\nint f(int a, int b) { struct pair p; p.first = a; p.second = b; return p.first + p.second + a + b; }\n";
    let kinds = |reshapes| {
        let model = model(program, &Settings { reshapes, ..Settings::default() });
        model.opportunities().iter().filter(|one| RewriteKind::named(one.kind).unwrap().reshapes).count()
    };
    assert!(kinds(true) > 0);
    assert_eq!(kinds(false), 0);
}

/// A reused reader has read another text before.
#[test]
fn readers_that_are_kept_say_what_new_ones_say() {
    let other = "#include <stddef.h>\nstatic int half(int n) { return n / 2; }\nint main(void) { int x = half(4) + 1; return x; }\n";
    let readers = Readers::default();
    for text in [PROGRAM, other, PROGRAM] {
        let tree = FileTree::file("input.c", text);
        let kept = RewriteModel::read_by(&readers, &tree, &project(), &Settings::default()).unwrap();
        let labels = |model: &RewriteModel| model.items().iter().map(|item| item.label.clone()).collect::<Vec<_>>();
        assert!(!labels(&kept).is_empty());
        assert_eq!(labels(&kept), labels(&model(text, &Settings::default())));
    }
}

#[test]
fn lines_are_joined_only_if_that_is_wanted() {
    let inlines = |body: &str, joins_lines| {
        let text = format!("void f(int);\nvoid g(int n) {body}\nint main(void) {{\n  g(1);\n}}\n");
        let model = model(&text, &Settings { joins_lines, layout: Layout::KeepLines, ..Settings::default() });
        model.opportunities().iter().any(|one| one.kind == "inline function")
    };
    assert!(inlines("{\n  f(n);\n  f(2);\n}", true));
    assert!(!inlines("{\n  f(n);\n  f(2);\n}", false));
    assert!(inlines("{\n  f(n);\n}", false), "one line may move");
}

#[test]
fn values_stay_unless_others_may_be_invented() {
    let kinds = |invents| {
        let model = model(PROGRAM, &Settings { invents, tries_hard: true, ..Settings::default() });
        model.opportunities().iter().filter(|one| RewriteKind::named(one.kind).unwrap().invents).count()
    };
    assert!(kinds(true) > 0);
    assert_eq!(kinds(false), 0);
}

#[test]
fn declarations_of_a_function_in_two_files_stay_alike() {
    let declaration = |text: &'static str| (PathBuf::from("a.c"), Entry::file(text));
    let definition = (PathBuf::from("b.c"), Entry::file("int f(int *p)\n{\n    return *p;\n}\n"));
    let compilations =
        ["a.c", "b.c"].map(|name| Compilation { file: PathBuf::from("/nowhere").join(name), arguments: Vec::new() });
    let project = Project { root: PathBuf::from("/nowhere"), compilations: compilations.to_vec() };
    let to_void = |first: &'static str| {
        let tree = FileTree::directory("d", [declaration(first), definition.clone()].into());
        let model = RewriteModel::new(&tree, &project, &Settings::default()).expect("libclang is installed");
        model.opportunities().iter().any(|one| one.kind == "result to void")
    };
    assert!(!to_void("int f(int *p);\nint main(void)\n{\n    f(0);\n    return 0;\n}\n"));
    assert!(to_void("int main(void)\n{\n    return 0;\n}\n"), "nobody else says what f is");
}

#[test]
fn every_kind_of_rewrite_is_described_in_the_docs() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/concepts/clang-model.md");
    let text = std::fs::read_to_string(page).unwrap();
    let missing: Vec<_> = kinds().filter(|kind| !text.contains(&format!("\n| {} |", kind.name))).collect();
    assert!(missing.is_empty(), "the table of rewrites lacks {missing:?}");
}
