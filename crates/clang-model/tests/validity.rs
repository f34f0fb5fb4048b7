//! Laws of the model, on programs that use much of C and C++: the full set is the input, every
//! solution compiles, and rendering depends only on the items kept.

use lapidary_clang::{Compilation, Reader};
use lapidary_clang_model::{ClangModel, Demands, Detail, Layout, Project, View};
use lapidary_logic::{Reasoner, VarSet, random_solution};
use lapidary_reduce::{Content, Entry, FileTree, Model};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const CANDIDATES: u64 = 40;

struct Case {
    project: Project,
    tree: FileTree,
}

impl Case {
    fn fixture(name: &str, arguments: &[&str]) -> Case {
        let path = folder().join(name);
        let own_name = path.file_name().unwrap().to_string_lossy().into_owned();
        let tree = FileTree::file(own_name, std::fs::read(&path).unwrap());
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        Case { project: Project::single(&path, arguments), tree }
    }

    fn text(name: &str, text: impl Into<Vec<u8>>) -> Case {
        let text: Vec<u8> = text.into();
        Case {
            project: Project::single(&Path::new("/nowhere").join(name), Vec::new()),
            tree: FileTree::file(name, text),
        }
    }

    /// Two units and a header that both include.
    fn several_files() -> Case {
        let root = folder().join("project");
        let names = ["main.c", "queue.c", "queue.h"];
        let read = |name: &&str| (PathBuf::from(*name), Entry::file(std::fs::read(root.join(name)).unwrap()));
        let tree = FileTree::directory("project", names.iter().map(read).collect::<BTreeMap<_, _>>());
        let unit = |name: &str| Compilation { file: root.join(name), arguments: Vec::new() };
        Case { project: Project { compilations: vec![unit("main.c"), unit("queue.c")], root }, tree }
    }

    fn model(&self, detail: Detail, layout: Layout) -> ClangModel {
        ClangModel::new(&self.project, &self.tree, View { detail, layout }).unwrap()
    }

    /// Every random solution compiles; the full set is the input.
    fn check(&self) {
        self.check_some(Detail::Statements, CANDIDATES);
    }

    fn check_some(&self, detail: Detail, candidates: u64) {
        let model = self.model(detail, Layout::Compact);
        let all = VarSet::full(model.constraint().variables());
        assert_eq!(model.render(&all).unwrap(), self.tree);
        let reasoner = Reasoner::new(model.constraint());
        let mut readers: Vec<Reader> = self.project.compilations.iter().cloned().map(Reader::new).collect();
        for seed in 0..candidates {
            let keep = random_solution(&reasoner, seed);
            let candidate = model.render(&keep).unwrap();
            assert_eq!(candidate, model.render(&keep).unwrap());
            for reader in &mut readers {
                let complaints = reader.complaints(&self.project.sources(&candidate)).unwrap();
                assert!(complaints.is_empty(), "seed {seed}: {complaints:?}\n{}", texts(&candidate));
            }
        }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

fn texts(tree: &FileTree) -> String {
    let text = |entry: &Entry| match entry {
        Entry::File { content, .. } => String::from_utf8_lossy(content).into_owned(),
        Entry::Link { .. } | Entry::EmptyDirectory => String::new(),
    };
    match tree.content() {
        Content::File(entry) => text(entry),
        Content::Directory(entries) => {
            entries.iter().map(|(path, entry)| format!("== {}\n{}", path.display(), text(entry))).collect()
        }
    }
}

#[test]
fn declarations_of_c() {
    Case::fixture("declarations.c", &[]).check();
}

#[test]
fn jumps_and_blocks() {
    Case::fixture("control.c", &[]).check();
}

#[test]
fn macros_and_conditionals() {
    Case::fixture("macros.c", &[]).check();
}

#[test]
fn classes_and_bases() {
    Case::fixture("classes.cpp", &["-std=c++17"]).check();
}

#[test]
fn templates_and_specialisations() {
    Case::fixture("templates.cpp", &["-std=c++17"]).check();
}

#[test]
fn namespaces_and_using() {
    Case::fixture("scopes.cpp", &["-std=c++17"]).check();
}

#[test]
fn lambdas_bindings_and_exceptions() {
    Case::fixture("modern.cpp", &["-std=c++17"]).check();
}

#[test]
fn concepts_and_constants() {
    Case::fixture("concepts.cpp", &["-std=c++20"]).check();
}

#[test]
fn classes_in_containers() {
    Case::fixture("library.cpp", &["-std=c++17"]).check_some(Detail::Statements, 10);
}

#[test]
fn values_and_operands() {
    for name in ["declarations.c", "control.c", "macros.c"] {
        Case::fixture(name, &[]).check_some(Detail::Expressions, CANDIDATES);
    }
    for name in ["classes.cpp", "templates.cpp", "scopes.cpp", "modern.cpp", "library.cpp"] {
        Case::fixture(name, &["-std=c++17"]).check_some(Detail::Expressions, 10);
    }
    Case::fixture("concepts.cpp", &["-std=c++20"]).check_some(Detail::Expressions, CANDIDATES);
}

#[test]
fn operands_of_unknown_types_stay() {
    let kinds = |text: &str| {
        let model = Case::text("less.cpp", text).model(Detail::Expressions, Layout::Compact);
        model.items().iter().filter(|item| item.kind == "operand").count()
    };
    assert_eq!(kinds("template <class T> bool less(T a, T b) { return a < b; }\n"), 0);
    assert_eq!(kinds("bool less(int a, int b) { return a < b; }\n"), 2);
}

#[test]
fn one_file_of_several() {
    Case::fixture("project/queue.c", &[]).check();
    Case::fixture("project/shelf.cpp", &["-std=c++17"]).check();
}

#[test]
fn several_files_and_a_header() {
    Case::several_files().check();
}

#[test]
fn windows_lines_and_no_last_line_break() {
    let unix = std::fs::read_to_string(folder().join("macros.c")).unwrap();
    Case::text("macros.c", unix.trim_end().replace('\n', "\r\n")).check();
}

#[test]
fn a_file_of_one_line() {
    let unix = std::fs::read_to_string(folder().join("control.c")).unwrap();
    let lines = unix.lines().filter(|line| !line.starts_with('#') && !line.contains("printf"));
    let joined: Vec<&str> = lines.map(str::trim).collect();
    let text = format!("#include <stdarg.h>\nint puts(const char *);{}", joined.join(" "));
    Case::text("control.c", text).check();
}

#[test]
fn text_that_is_not_utf8() {
    Case::text("latin.c", b"/* \xe4 */ char *name = \"\xfc\"; int f(void) { return name[0]; /* \xdf */ }\n".to_vec())
        .check();
}

#[test]
fn digraphs() {
    Case::text("digraphs.c", "%:define SIZE 3\nint a<:SIZE:> = <%1, 2%>;\nint f(void) <% return a<:0:>; %>\n").check();
}

#[test]
fn kept_lines_keep_their_numbers() {
    for name in ["control.c", "macros.c", "classes.cpp", "templates.cpp"] {
        let case = Case::fixture(name, &[]);
        let model = case.model(Detail::Statements, Layout::KeepLines);
        let original = texts(&case.tree);
        let reasoner = Reasoner::new(model.constraint());
        for seed in 0..CANDIDATES {
            let candidate = texts(&model.render(&random_solution(&reasoner, seed)).unwrap());
            assert_eq!(candidate.lines().count(), original.lines().count());
            for (before, after) in original.lines().zip(candidate.lines()) {
                let mut left = before.chars();
                let is_part = after
                    .chars()
                    .filter(|letter| !" ;".contains(*letter))
                    .all(|letter| left.any(|other| other == letter));
                assert!(is_part, "{name}, seed {seed}: `{after}` is not what is left of `{before}`");
            }
        }
    }
}

#[test]
fn building_twice_gives_the_same_model() {
    let case = Case::fixture("classes.cpp", &["-std=c++17"]);
    let (one, other) =
        (case.model(Detail::Statements, Layout::Compact), case.model(Detail::Statements, Layout::Compact));
    assert_eq!(one.items(), other.items());
    assert_eq!(format!("{:?}", one.constraint()), format!("{:?}", other.constraint()));
}

/// A stack that is too small would crash the process, and a cost cubic in the depth would never
/// finish.
#[test]
fn deeply_nested_code() {
    let parentheses = format!("int main(void) {{ return {}1{}; }}\n", "(".repeat(5_000), ")".repeat(5_000));
    let links: String = (0..500).map(|number| format!("if (x == {number}) return {number}; else ")).collect();
    let chain = format!("int f(int x) {{ {links}return 0; }}\nint main(void) {{ return f(3); }}\n");
    for text in [parentheses, chain] {
        Case::text("deep.c", text).check_some(Detail::Expressions, 0);
    }
}

/// Solutions of a model for a linked program use nothing that no unit defines.
#[test]
fn what_is_used_is_defined() {
    let root = folder().join("project");
    let files = [
        (
            "main.c",
            "extern int limit; int twice(int x); int three(void);\nint main(void) { return twice(limit) + three(); }\n",
        ),
        ("twice.c", "int limit = 3;\nstatic int once(int x) { return x; }\nint twice(int x) { return 2 * once(x); }\n"),
        ("three.c", "int three(void) { return 3; }\n"),
    ];
    let entries = files.iter().map(|(name, text)| (PathBuf::from(name), Entry::file(text.as_bytes().to_vec())));
    let tree = FileTree::directory("project", entries.collect::<BTreeMap<_, _>>());
    let unit = |name: &str| Compilation { file: root.join(name), arguments: Vec::new() };
    let project = Project { compilations: files.iter().map(|(name, _)| unit(name)).collect(), root };
    let view = View { detail: Detail::Statements, layout: Layout::Compact };
    let is_linkable = |candidate: &FileTree| {
        let text = texts(candidate);
        let uses = |name: &str| text.contains(&format!("{name}(limit)")) || text.contains(&format!("+ {name}()"));
        (!uses("twice") || text.contains("return 2 *")) && (!uses("three") || text.contains("return 3;"))
    };
    let broken = |model: &ClangModel| {
        let reasoner = Reasoner::new(model.constraint());
        (0..100).filter(|seed| !is_linkable(&model.render(&random_solution(&reasoner, *seed)).unwrap())).count()
    };
    assert!(broken(&ClangModel::new(&project, &tree, view).unwrap()) > 0, "the test can fail");
    assert_eq!(broken(&ClangModel::linked(&project, &tree, view).unwrap()), 0);
}

const DETAILS: [Detail; 3] = [Detail::Declarations, Detail::Statements, Detail::Expressions];

/// Solutions of a model for a test that demands values read only variables that were assigned
/// before, and their functions return a value.
#[test]
fn what_is_read_has_a_value() {
    let warnings = ["uninitialized", "sometimes-uninitialized", "conditional-uninitialized", "return-type"];
    let warnings: Vec<String> = warnings.iter().map(|name| format!("-Werror={name}")).collect();
    let warnings: Vec<&str> = warnings.iter().map(String::as_str).collect();
    let cases = [("values.c", &DETAILS[..]), ("handlers.cpp", &DETAILS[1..])];
    let broken = |case: &Case, detail: Detail, demands: Demands| {
        let view = View { detail, layout: Layout::Compact };
        let model = ClangModel::meeting(&case.project, &case.tree, view, demands).unwrap();
        assert_eq!(model.render(&VarSet::full(model.constraint().variables())).unwrap(), case.tree);
        let reasoner = Reasoner::new(model.constraint());
        let mut reader = Reader::new(case.project.compilations[0].clone());
        let mut complaints = |candidate: &FileTree| reader.complaints(&case.project.sources(candidate)).unwrap();
        assert_eq!(complaints(&case.tree), []);
        let candidates = (0..150).map(|seed| model.render(&random_solution(&reasoner, seed)).unwrap());
        candidates.filter_map(|candidate| Some((complaints(&candidate).pop()?, texts(&candidate)))).collect::<Vec<_>>()
    };
    for (name, detail) in cases.iter().flat_map(|(name, details)| details.iter().map(|detail| (*name, *detail))) {
        let case = &Case::fixture(name, &warnings);
        assert!(!broken(case, detail, Demands::default()).is_empty(), "the test can fail");
        let found = broken(case, detail, Demands { initialised: true, returned: true, ..Demands::default() });
        assert!(found.is_empty(), "{}: {}\n{}", found.len(), found[0].0, found[0].1);
    }
}

/// The clauses about a variable do not grow with the square of its uses.
#[test]
fn a_variable_with_thousands_of_uses() {
    let uses = "y = y + x; if (x) y = x; else y = 0; ".repeat(4_000);
    let case = Case::text("many.c", format!("int f(int x) {{ int y; y = x; {uses} return y; }}\n"));
    let view = View { detail: Detail::Expressions, layout: Layout::Compact };
    let demands = Demands { initialised: true, returned: true, ..Demands::default() };
    let literals = |demands: Demands| {
        let model = ClangModel::meeting(&case.project, &case.tree, view, demands).unwrap();
        model.constraint().clauses().map(|clause| clause.premises.len() + clause.conclusions.len()).sum::<usize>()
    };
    let more = literals(demands) - literals(Demands::default());
    assert!((1..300 * 4_000).contains(&more), "{more}");
}

/// A function has all its statements, or no body.
#[test]
fn declarations_keep_their_bodies_whole() {
    let text = "struct s { int a; int b; };\nint f(struct s *x) { x->a = 1; return x->b; }\nint g(int y) { y++; if (y) y--; return y; }\n";
    let case = Case::text("whole.c", text);
    case.check_some(Detail::Declarations, CANDIDATES);
    let model = case.model(Detail::Declarations, Layout::Compact);
    let reasoner = Reasoner::new(model.constraint());
    let all: Vec<String> =
        (0..CANDIDATES).map(|seed| texts(&model.render(&random_solution(&reasoner, seed)).unwrap())).collect();
    for (start, whole) in [("x->a", "x->a = 1; return x->b; }"), ("y++", "y++; if (y) y--; return y; }")] {
        assert!(all.iter().all(|text| text.contains(whole) || !text.contains(start)));
        assert!(all.iter().any(|text| text.contains(whole)) && all.iter().any(|text| !text.contains(start)));
    }
}

/// Statements stay whole, apart from their values.
#[test]
fn a_model_of_values_keeps_every_statement() {
    let text = "int g(int y) { int z = y + 1; z++; return z * 2; }\nint f(void) { return g(7); }\n";
    let case = Case::text("values.c", text);
    case.check_some(Detail::Values, CANDIDATES);
    let model = case.model(Detail::Values, Layout::Compact);
    let all = VarSet::full(model.constraint().variables());
    let smallest = texts(&model.render(&Reasoner::new(model.constraint()).minimal_solution(&all, &[])).unwrap());
    assert_eq!(smallest, "int g(int y) { int z = 0; z; return 0; }\nint f(void) { return 0; }\n");
}

/// Returns whether some solution has one text and not the other.
fn can_do_without(text: &str, kept: &str, gone: &str) -> bool {
    let model = Case::text("unasked.cpp", text).model(Detail::Statements, Layout::Compact);
    let reasoner = Reasoner::new(model.constraint());
    let candidates = (0..200).map(|seed| texts(&model.render(&random_solution(&reasoner, seed)).unwrap()));
    candidates.into_iter().any(|candidate| candidate.contains(kept) && !candidate.contains(gone))
}

/// A class gets a constructor and a destructor implicitly, if they have nothing to pass to its
/// members.
#[test]
fn implicit_members_need_no_declaration() {
    let made = "struct A { A() : x(0) {} int x; };\nint main() { A *a = new A(); return a->x; }\n";
    assert!(can_do_without(made, "new A()", "{ A()"));
    Case::text("unasked.cpp", made).check();
    let given = "int g;\nstruct A { A() : x(g) {} int &x; };\nint main() { A *a = new A(); return a->x; }\n";
    assert!(!can_do_without(given, "new A(); return a->x", "{ A()"));
    Case::text("unasked.cpp", given).check();
    let other = "struct A { A() {} A(int) {} };\nint main() { A a; A b(1); }\n";
    assert!(!can_do_without(other, "A(int)", "{ A()"));
    Case::text("unasked.cpp", other).check();
    let handed = "#include <vector>\nstruct A { ~A() {} };\nint main() { std::vector<A *> all; return all.size(); }\n";
    assert!(can_do_without(handed, "vector<A *> all", "~A"));
}

/// A call that creates temporary objects for its arguments is a call like any other.
#[test]
fn parameters_of_a_constructor_go_with_arguments_that_are_converted() {
    let text =
        "struct S { S(const char *); ~S(); };\nstruct A { A(const S &s, int n) {} };\nint main() { A a(\"\", 1); }\n";
    let model = Case::text("made.cpp", text).model(Detail::Statements, Layout::Compact);
    let labels: Vec<&str> = model.items().iter().map(|item| item.label.as_str()).collect();
    assert!(labels.contains(&"A(s)") && labels.contains(&"A(n)"), "{labels:?}");
    Case::text("made.cpp", text).check();
}

/// Values that select a specialisation, or that a template requires, are not values of the program.
#[test]
fn specialisations_stay_apart() {
    let text = "
        template <int N, bool IsSmall = (N <= 4)> struct Pick;
        template <int N> struct Pick<N, true> { int value = 1 + N; };
        template <int N> struct Pick<N, false> { int value = 2 * N; };
        template <typename T> requires (sizeof(T) > 1 && true) int size(T t) noexcept(sizeof(T) > 2) { return sizeof t + 1; }
        int both() { return Pick<3>().value + Pick<2 + 5>().value + size(1L + 2); }
    ";
    let path = Path::new("/nowhere/pick.cpp");
    let project = Project::single(path, vec!["-std=c++20".to_owned()]);
    let case = Case { project, tree: FileTree::file("pick.cpp", text) };
    [Detail::Expressions, Detail::Values].into_iter().for_each(|detail| case.check_some(detail, CANDIDATES));
}
