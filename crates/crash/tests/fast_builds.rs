//! Work that is shared between candidates does not change the results.

use crate::support::{discovered, flags};
use lapidary_crash::{Build, CrashPredicate, Execution};
use lapidary_reduce::{Cancel, Entry, FileTree, Predicate, Verdict};

fn tree(files: &[(&str, &str)]) -> FileTree {
    FileTree::directory("p", files.iter().map(|(path, text)| (path.into(), Entry::file(*text))).collect())
}

fn discover(tree: &FileTree, build: Build) -> CrashPredicate {
    discovered(build, Execution::default(), tree, 1).unwrap().same_error()
}

fn judge(predicate: &CrashPredicate, tree: &FileTree) -> (Verdict, String) {
    let judgment = predicate.judge(tree, &Cancel::new()).unwrap();
    (judgment.verdict, judgment.reason)
}

/// A function that instantiates many functions of the library's containers.
const CONTAINERS: &str = "#include <deque>\n#include <map>\n#include <set>\n#include <string>\n#include <vector>\n\
    int use(std::string s) {\n  std::map<std::string, std::vector<std::string>> m;\n  m[s].push_back(s);\n  \
    std::map<int, std::deque<std::string>> d;\n  d[1].push_back(s);\n  std::set<std::vector<int>> t;\n  t.insert({1});\n  \
    std::vector<std::deque<int>> v(3);\n  v.at(1).push_back(2);\n  return m.size() + d.size() + t.size() + v.size();\n}\n";

#[test]
fn several_files_with_many_containers_are_compiled_by_themselves_in_the_end() {
    let main = "#include <cassert>\n#include <string>\nint use(std::string);\nint other;\nint main() {\n  \
                assert(use(\"a\") == 7);\n}\n";
    let original = tree(&[("a.cpp", main), ("b.cpp", CONTAINERS)]);
    let predicate = discover(&original, flags(&["-std=c++17"]));
    let smaller = tree(&[("a.cpp", &main.replace("int other;", "")), ("b.cpp", CONTAINERS)]);
    assert_eq!(judge(&predicate, &smaller).0, Verdict::Interesting);
    let plainly = judge(&predicate.compiling_plainly(), &smaller);
    assert_eq!(plainly.0, Verdict::Interesting, "{}", plainly.1);
}

#[test]
fn one_file_with_many_containers_fails_as_it_did() {
    let text = format!("#include <cassert>\n{CONTAINERS}int other;\nint main() {{\n  assert(use(\"a\") == 7);\n}}\n");
    let predicate = discover(&FileTree::file("a.cpp", text.as_str()), flags(&["-std=c++17"]));
    let without = |what: &str| FileTree::file("a.cpp", text.replace(what, "").as_str());
    assert_eq!(judge(&predicate, &without("int other;")).0, Verdict::Interesting);
    assert_eq!(judge(&predicate, &without("m[s].push_back(s);")).0, Verdict::Interesting);
    assert!(judge(&predicate, &without("#include <map>")).1.starts_with("does not compile"));
    let plainly = predicate.compiling_plainly();
    assert_eq!(judge(&plainly, &without("m[s].push_back(s);")).0, Verdict::Interesting);
}

#[test]
fn a_file_that_a_flag_includes_is_read_as_it_is_now() {
    let main = "#include <assert.h>\nint main(void) {\n  assert(LIMIT != 3);\n}\n";
    let limited = |limit: &str| tree(&[("a.c", main), ("config.h", limit)]);
    let predicate = discover(&limited("#define LIMIT 3\n"), flags(&["-include", "config.h"]));
    assert_eq!(judge(&predicate, &limited("#define LIMIT 4\n")).1, "does not fail: exit code 0");
    assert_eq!(judge(&predicate, &limited("#define LIMIT (3)\n")).0, Verdict::Interesting);
}

#[test]
fn a_source_that_is_converted_is_compiled_plainly() {
    // The source is read as Latin-1 and converted, so no other text can be put in its place.
    let text = "#include <assert.h>\nint other;\nint main(void) {\n  assert(sizeof \"\u{e9}\" == 2);\n}\n";
    let predicate = discover(&FileTree::file("a.c", text), flags(&["-finput-charset=latin1"]));
    assert_eq!(
        judge(&predicate, &FileTree::file("a.c", text.replace("int other;", "").as_str())).0,
        Verdict::Interesting
    );
}
