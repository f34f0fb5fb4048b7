//! Linked programs: every solution of the model has definitions of all functions it calls, in
//! templates as well.

use lapidary_clang_model::{ClangModel, Detail, Layout, Project, View};
use lapidary_logic::{Reasoner, random_solution};
use lapidary_reduce::{FileTree, Model};
use std::path::Path;

const CANDIDATES: u64 = 40;

const TEMPLATES: &str = "
struct Pool { char bytes[64]; int used = 0; char *take(int n) { used += n; return bytes + used - n; } void give(char *) { used = 0; } };
template <typename T> struct Reference { const T *start; Reference(const T *from) : start(from) {} operator const T *() const { return start; } };
template <typename A> struct Stack {
    struct Level { bool open; Level(bool is) : open(is) {} };
    A *pool; Level level;
    Stack(A *from) : pool(from), level(true) {}
    template <typename T> explicit Stack(T, A *from) : pool(from), level(sizeof(T) > 1) {}
    template <typename T> T *push(int n) { return reinterpret_cast<T *>(pool->take(n)); }
    void clear() { pool->give(nullptr); }
};
namespace deep { template <typename T> struct Helper; }
template <typename T> void same(T *, const T *);
template <typename T> class Text {
    friend void same<>(T *, const T *);
    template <typename U> friend struct deep::Helper;
    T first{};
public:
    void put(T c) { first = c; }
    T get() const { return first; }
};
template <typename T> void same(T *to, const T *from) { *to = *from; }
template <typename A> int use(A &pool) {
    Stack<A> stack(&pool), other(1, &pool);
    char *made = stack.template push<char>(4);
    Text<char> text;
    text.put('a');
    same(made, \"x\");
    stack.clear();
    other.clear();
    return made[0] + text.get() + *static_cast<const char *>(Reference<char>(made));
}
typedef int word __attribute__((__mode__(__word__)));
int main() { Pool pool; return use(pool) == 0; }
";

/// The functions that a template calls are known only where it is used. In a linked program, every
/// function it may call is defined.
#[test]
fn templates_call_what_is_defined() {
    let project = Project::single(Path::new("/nowhere/templates.cpp"), Vec::new());
    let tree = FileTree::file("templates.cpp", TEMPLATES);
    let view = View { detail: Detail::Statements, layout: Layout::Compact };
    let broken = |model: &ClangModel| {
        let reasoner = Reasoner::new(model.constraint());
        let rendered = (0..CANDIDATES).map(|seed| text(&model.render(&random_solution(&reasoner, seed)).unwrap()));
        rendered.filter(|text| !is_linked(text)).collect::<Vec<_>>()
    };
    assert!(is_linked(TEMPLATES));
    assert!(!broken(&ClangModel::new(&project, &tree, view).unwrap()).is_empty(), "the test can fail");
    let wrong = broken(&ClangModel::linked(&project, &tree, view).unwrap());
    assert!(wrong.is_empty(), "{} of {CANDIDATES}: {}", wrong.len(), wrong[0]);
}

/// Returns whether the text can be compiled and linked.
fn is_linked(text: &str) -> bool {
    let directory = tempfile::tempdir().unwrap();
    let (source, program) = (directory.path().join("a.cpp"), directory.path().join("a"));
    std::fs::write(&source, text).unwrap();
    let mut compiler = std::process::Command::new("c++");
    compiler.args(["-std=c++17", "-w"]).arg(&source).arg("-o").arg(&program);
    compiler.output().unwrap().status.success()
}

fn text(tree: &FileTree) -> String {
    String::from_utf8_lossy(tree.only_file().expect("a file stays a file")).into_owned()
}
