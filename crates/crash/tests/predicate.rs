//! Candidates are judged by whether they fail in the same way at the same place.

use crate::support::{discover, discovered};
use lapidary_crash::{Build, CrashPredicate, Execution, LineMap, read_compile_commands};
use lapidary_reduce::{Cancel, Entry, FileTree, Predicate, Verdict};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const ORIGINAL: &str = "#include <assert.h>\n#include <stdlib.h>\nint half(int n) {\n  assert(n % 2 == 0);\n  return n / 2;\n}\n\
    int twice(int n) {\n  return half(2 * half(n));\n}\nint main(void) {\n  int *p = 0;\n  int n = 3;\n  n = twice(n);\n  \
    *p = n;\n}\n";

fn judge(predicate: &CrashPredicate, text: &str) -> (Verdict, String) {
    let judgment = predicate.judge(&FileTree::file("a.c", text), &Cancel::new()).unwrap();
    (judgment.verdict, judgment.reason)
}

#[test]
fn only_the_same_failure_is_interesting() {
    let predicate = discover("a.c", ORIGINAL).unwrap();
    assert_eq!(predicate.failure().headline(), "assertion `n % 2 == 0` failed at a.c:4 in half");
    let changed = |from: &str, to: &str| judge(&predicate, &ORIGINAL.replace(from, to));
    assert_eq!(changed("  *p = n;", "").0, Verdict::Interesting);
    assert_eq!(changed("twice(n);", "half(n);").1, "fails by another way: twice was not called");
    let direct =
        ORIGINAL.replace("twice(n);", "half(n);").replace("int twice(int n) {\n  return half(2 * half(n));\n}", "\n\n");
    assert_eq!(judge(&predicate, &direct).0, Verdict::Interesting, "a function that is gone is not missed");
    assert_eq!(
        changed("n = twice(n);", "").1,
        "fails differently: segmentation fault (SIGSEGV): null pointer at a.c:14 in main"
    );
    let elsewhere = changed("int half(int n) {", "int half(int n) { assert(n % 2 == 0);");
    assert_eq!(
        elsewhere,
        (Verdict::Uninteresting, "fails elsewhere: assertion `n % 2 == 0` failed at a.c:3 in half".into())
    );
    assert_eq!(changed("int half", "\nint half"), (Verdict::Uninteresting, "something else is asserted".into()));
    assert!(
        changed("int main(void) {", "int f(int n) { return twice(n); } int main(void) {").0 == Verdict::Interesting
    );
    let detour = ORIGINAL
        .replace("int main(void) {", "int f(int n) { return half(n); } int main(void) {")
        .replace("twice(n);", "f(n);");
    assert_eq!(judge(&predicate, &detour).1, "fails by another way: half < f < main");
    assert!(changed("int n = 3;", "").1.starts_with("does not compile: a.c:13:"));
    assert!(changed("#include <assert.h>", "").1.contains("implicit declaration"), "an accident of C is no success");
    assert_eq!(changed("3;", "4; return 5;").1, "does not fail: exit code 5");
}

#[test]
fn a_loop_without_end_times_out() {
    let predicate = discover("a.c", ORIGINAL).unwrap();
    let judgment = predicate
        .judge(&FileTree::file("a.c", ORIGINAL.replace("3;", "3; for (;;);").as_str()), &Cancel::new())
        .unwrap();
    assert!(judgment.timed_out && judgment.verdict == Verdict::Unresolved);
    assert!(judgment.reason.starts_with("timed out after"));
}

#[test]
fn a_compacted_text_needs_a_map_of_its_lines() {
    let predicate = discover("a.c", ORIGINAL).unwrap();
    let compact = "#include <assert.h>\nint half(int n) {\n  assert(n % 2 == 0);\n}\nint main(void) {\n  half(3);\n}\n";
    let compact = compact.replace("int half", "void half");
    assert_eq!(judge(&predicate, &compact).0, Verdict::Uninteresting);
    let mut lines = LineMap::new();
    lines.insert("a.c", 4, 3);
    assert_eq!(judge(&predicate.with_lines(lines), &compact).0, Verdict::Interesting);
}

#[test]
fn a_variable_that_is_no_longer_set_is_not_what_failed() {
    let text = "#include <stdlib.h>\nint main(void) {\n  int *p = 0;\n  int d;\n  d = 0;\n  int **q = malloc(8);\n  *q = p;\n  \
        if (d == 0) return **q;\n}\n";
    let predicate = discover("a.c", text).unwrap();
    assert_eq!(predicate.failure().message, "null pointer");
    for needed in [" = 0;\n  int d", "d = 0;", "*q = p;"] {
        let changed = text.replacen(needed, if needed.ends_with("int d") { ";\n  int d" } else { "" }, 1);
        assert_eq!(judge(&predicate, &changed).0, Verdict::Uninteresting, "without {needed}");
    }
}

#[test]
fn a_variable_that_was_never_set_is_no_reason() {
    let text = "#include <assert.h>\n#include <stdlib.h>\nint main(void) {\n  int d;\n  int *p = malloc(4);\n  d = -1;\n  *p = -1;\n  \
        assert(d > 0 || *p > 0);\n}\n";
    let predicate = discover("a.c", text).unwrap();
    for needed in ["d = -1;", "*p = -1;"] {
        let changed = text.replace(needed, "");
        assert_eq!(judge(&predicate, &changed).0, Verdict::Uninteresting, "without {needed}");
    }
    let array = text
        .replace("int d;", "struct { int n[90]; } s;")
        .replace("d = -1;", "s.n[n] = -1;")
        .replace("d > 0", "s.n[n] > 0");
    let array = array.replace("int main(void) {", "int n = 7; int main(void) {");
    let predicate = discover("a.c", &array).unwrap();
    assert_eq!(judge(&predicate, &array.replace("s.n[n] = -1;", "")).0, Verdict::Uninteresting);
}

/// A program that fails with every fill except zeros does not fail for its users.
#[test]
fn memory_that_holds_zeros_is_no_reason_either() {
    let original = "#include <assert.h>\n#include <stdlib.h>\nstruct box { int a; };\nint main(void) {\n  struct box local, *made = malloc(sizeof *made);\n  \
        local.a = 1;\n  made->a = 1;\n  struct box *all[] = {&local, made};\n  assert(!all[0]->a || !all[1]->a);\n}\n";
    let predicate = discover("a.c", original).unwrap();
    assert_eq!(judge(&predicate, original).0, Verdict::Interesting);
    for set in ["local.a = 1;", "made->a = 1;"] {
        let (verdict, reason) = judge(&predicate, &original.replace(set, ""));
        assert!(verdict == Verdict::Uninteresting && reason.contains("does not fail"), "{set}: {reason}");
    }
}

#[test]
fn one_lucky_run_of_threads_is_not_enough() {
    let directory = tempfile::tempdir().unwrap();
    let text = "#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\nint count(void) {\n  FILE *f = fopen(\"count\", \"a+\");\n  \
        fputc('x', f);\n  fflush(f);\n  return ftell(f);\n}\nvoid *work(void *p) {\n  if (ALWAYS || count() % 4) abort();\n  return p;\n}\n\
        int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, work, 0);\n  pthread_join(t, 0);\n}\n";
    let always = text.replace("ALWAYS", "1");
    let execution = Execution { directory: Some(directory.path().to_path_buf()), ..Execution::default() };
    let tree = FileTree::file("a.c", always.as_str());
    let predicate = discovered(Build::default(), execution, &tree, 2).unwrap().same_error();
    assert_eq!(judge(&predicate, &always).0, Verdict::Interesting);
    let (verdict, reason) = judge(&predicate, &text.replace("ALWAYS", "0"));
    assert_eq!(
        (verdict, reason.as_str()),
        (Verdict::Uninteresting, "fails only sometimes like this: does not fail: exit code 0")
    );
}

#[test]
fn a_failure_without_a_place_is_refused() {
    let text = "#include <signal.h>\nint main(void) {\n  raise(SIGKILL);\n}\n";
    let error = discover("a.c", text).map(|_| ()).unwrap_err().to_string();
    assert!(error.starts_with("the program fails (death by SIGKILL), but nothing tells at which"), "{error}");
}

#[test]
fn functions_that_call_each_other_without_end_stay_several() {
    let text = "int odd(int n);\nint even(int n) {\n  return 1 + odd(n + 1);\n}\nint odd(int n) {\n  return 1 + even(n + 1);\n}\n\
        int main(void) {\n  return even(3);\n}\n";
    let predicate = discover("a.c", text).unwrap();
    assert!(predicate.expect_place(Path::new("a.c"), 3).is_ok() && predicate.expect_place(Path::new("a.c"), 6).is_ok());
    assert!(predicate.expect_place(Path::new("a.c"), 9).is_err());
    let alone =
        text.replace("odd(n + 1)", "even(n + 1)").replace("int odd(int n) {\n  return 1 + even(n + 1);\n}", "\n\n");
    assert!(judge(&predicate, &alone).1.starts_with("fails elsewhere: stack overflow"));
}

#[test]
fn the_expected_place_is_checked() {
    let predicate = discover("a.c", ORIGINAL).unwrap();
    assert!(predicate.expect_place(Path::new("a.c"), 4).is_ok());
    let error = predicate.expect_place(Path::new("a.c"), 14).unwrap_err().to_string();
    assert_eq!(error, "the program does not fail at a.c:14, but: assertion `n % 2 == 0` failed at a.c:4 in half");
}

#[test]
fn a_failure_by_chance_is_reported_with_its_rate_and_tried_again() {
    let directory = tempfile::tempdir().unwrap();
    let text = "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n  FILE *f = fopen(\"count\", \"a+\");\n  fputc('x', f);\n  \
        fflush(f);\n  if (ftell(f) % 2) abort();\n}\n";
    let execution = Execution { directory: Some(directory.path().to_path_buf()), ..Execution::default() };
    let tree = FileTree::file("a.c", text);
    let found = discovered(Build::default(), execution, &tree, 6).unwrap();
    assert_eq!((found.reproduction.rate(), found.reproduction.is_steady()), (0.5, false));
    let predicate = found.same_error();
    for _ in 0..2 {
        assert_eq!(judge(&predicate, text).0, Verdict::Interesting);
    }
}

#[test]
fn input_arguments_environment_and_directory_reach_the_program() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("file"), "d").unwrap();
    let text = "#include <stdio.h>\n#include <stdlib.h>\nint main(int n, char **v) {\n  FILE *f = fopen(\"file\", \"r\");\n  \
        if (getchar() == 'a' && v[1][0] == 'b' && getenv(\"C\")[0] == 'c' && fgetc(f) == 'd') abort();\n}\n";
    let execution = Execution {
        arguments: vec!["b".into()],
        stdin: b"a".to_vec(),
        environment: vec![("C".into(), "c".into())],
        directory: Some(directory.path().to_path_buf()),
        ..Execution::default()
    };
    let tree = FileTree::file("a.c", text);
    let found = discovered(Build::default(), execution, &tree, 1);
    assert_eq!(found.unwrap().failure().headline(), "abort at a.c:5 in main");
}

/// Returns a project in two languages, with a header of its own and one that its build generated.
fn project(root: &Path) -> (FileTree, Build) {
    let files = [
        ("src/main.cpp", "#include \"length.h\"\n#include GENERATED\nint main() {\n  return length(TEXT);\n}\n"),
        (
            "src/length.c",
            "#include \"length.h\"\n#include <string.h>\nint length(const char *s) {\n  return strlen(s);\n}\n",
        ),
        ("src/unused.c", "int unused(void) {\n  return 1;\n}\n"),
        ("include/length.h", "#ifdef __cplusplus\nextern \"C\"\n#endif\nint length(const char *s);\n"),
    ];
    std::fs::create_dir_all(root.join("build/generated")).unwrap();
    std::fs::write(root.join("build/generated/text.h"), "#define TEXT nullptr\n").unwrap();
    let commands = r#"[
        {"directory": "DIR/build", "file": "../src/main.cpp", "command": "g++ -I../include -Igenerated '-DGENERATED=\"text.h\"' -o main.o -c ../src/main.cpp"},
        {"directory": "DIR/build", "file": "../src/length.c", "arguments": ["gcc", "-I", "../include", "-c", "../src/length.c"]},
        {"directory": "DIR/build", "file": "../src/unused.c", "arguments": ["gcc", "-c", "../src/unused.c"]}]"#;
    let commands = commands.replace("DIR", &root.display().to_string());
    std::fs::write(root.join("build/compile_commands.json"), commands).unwrap();
    let entries: BTreeMap<PathBuf, Entry> =
        files.iter().map(|(path, text)| (path.into(), Entry::file(*text))).collect();
    let tree = FileTree::directory("project", entries);
    let build = Build::of_project(&read_compile_commands(&root.join("build")).unwrap(), &tree, root);
    (tree, build)
}

#[test]
fn a_project_is_compiled_as_its_compile_commands_say() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    let (tree, build) = project(&root);
    let predicate = discovered(build, Execution::default(), &tree, 1).unwrap().same_error();
    let headline = "segmentation fault (SIGSEGV): null pointer in strlen at src/length.c:4 in length";
    assert_eq!(predicate.failure().headline(), headline);
    let judge = |tree: &FileTree| predicate.judge(tree, &Cancel::new()).unwrap();
    let mut entries: BTreeMap<PathBuf, Entry> =
        tree.entries().map(|(path, entry)| (path.to_path_buf(), entry.clone())).collect();
    entries.remove(Path::new("src/unused.c"));
    let smaller = FileTree::directory("project", entries.clone());
    assert!(judge(&smaller).is_interesting());
    let header = smaller.with_file(Path::new("include/length.h"), "int length(const char *s);\n".into());
    assert!(judge(&header).reason.contains("undefined reference"), "objects depend on their headers");
    assert!(judge(&smaller).is_interesting());
    entries.remove(Path::new("include/length.h"));
    let broken = judge(&FileTree::directory("project", entries));
    assert!(broken.reason.starts_with("does not compile: src/"), "{}", broken.reason);
}

fn tree(files: &[(&str, &str)]) -> FileTree {
    FileTree::directory("p", files.iter().map(|(path, text)| (path.into(), Entry::file(*text))).collect())
}

#[test]
fn headers_of_the_program_are_read_as_they_are_now() {
    let build =
        |flags: &[&str]| Build { flags: flags.iter().map(|flag| (*flag).to_owned()).collect(), ..Build::default() };
    let discover = |tree: &FileTree, build| discovered(build, Execution::default(), tree, 1).unwrap().same_error();
    let main = "#include <x.h>\n#include <assert.h>\nint main(void) {\n  assert(LIMIT != 3);\n}\n";
    let c = |limit: &str| tree(&[("a.c", main), ("b.c", "int b;\n"), ("inc/x.h", limit)]);
    let predicate = discover(&c("enum { LIMIT = 3 };\n"), build(&["-isystem", "inc"]));
    let changed = predicate.judge(&c("enum { LIMIT };\n"), &Cancel::new()).unwrap();
    assert_eq!(
        changed.reason, "does not fail: exit code 0",
        "the object depends on a header that is called a system's"
    );
    let cpp = |limit: &str| tree(&[("a.cpp", main), ("inc/x.h", limit)]);
    let predicate = discover(&cpp("#pragma once\nenum { LIMIT = 3 };\n"), build(&["-Iinc"]));
    for limit in 4..7 {
        let text = format!("#pragma once\nenum {{ LIMIT = {limit} }};\n");
        let changed = predicate.judge(&cpp(&text), &Cancel::new()).unwrap();
        assert_eq!(changed.reason, "does not fail: exit code 0");
    }
}

#[test]
fn a_header_that_is_not_part_of_the_program_is_where_it_was() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("src")).unwrap();
    std::fs::write(directory.path().join("src/lib.h"), "void f(void);\n").unwrap();
    let build = Build { origin: Some(directory.path().to_path_buf()), ..Build::default() };
    let files = [
        ("src/main.c", "#include \"lib.h\"\nint main(void) {\n  f();\n}\n"),
        ("src/a.c", "#include \"lib.h\"\nvoid f(void) {\n  __builtin_trap();\n}\n"),
    ];
    let found = discovered(build, Execution::default(), &tree(&files), 1);
    assert_eq!(found.unwrap().failure().place().unwrap().place(), "src/a.c:3 in f");
}

#[test]
fn a_language_that_is_told_by_a_flag() {
    let build = Build { flags: vec!["-x".into(), "c++".into()], ..Build::default() };
    let text = "#include <vector>\nint main() {\n  return std::vector<int>(3).at(7);\n}\n";
    let found = discovered(build, Execution::default(), &FileTree::file("a.c", text), 1);
    assert!(found.unwrap().failure().message.starts_with("std::out_of_range"));
}

#[test]
fn headers_are_precompiled_without_changing_the_answer() {
    let text = "\n#include <vector>\n#include <cassert>\nint main() {\n  std::vector<int> v(N);\n  assert(v.size() == 4);\n}\n";
    let tree = FileTree::file("a.cpp", text.replace('N', "3").as_str());
    let predicate = discovered(Build::default(), Execution::default(), &tree, 1).unwrap().same_error();
    let judge = |text: &str| predicate.judge(&FileTree::file("a.cpp", text), &Cancel::new()).unwrap();
    for _ in 0..6 {
        assert!(judge(&text.replace('N', "3")).is_interesting());
        assert_eq!(judge(&text.replace('N', "4")).reason, "does not fail: exit code 0");
    }
    let without = text.replace("#include <vector>", "").replace('N', "3");
    assert!(judge(&without).reason.starts_with("does not compile: a.cpp:5:"));
    let disabled = format!("#define NDEBUG{}", text.replace('N', "3"));
    assert_eq!(judge(&disabled).reason, "does not fail: exit code 0");
}

#[test]
fn several_threads_judge_at_once() {
    let predicate = discover("a.c", ORIGINAL).unwrap();
    let verdicts = std::thread::scope(|scope| {
        let judge = |number: usize| judge(&predicate, &ORIGINAL.replace("3;", &format!("{number};"))).0;
        let threads: Vec<_> = (0..6).map(|number| scope.spawn(move || judge(number))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    let interesting: Vec<bool> = verdicts.iter().map(|verdict| *verdict == Verdict::Interesting).collect();
    assert_eq!(interesting, [false, true, false, true, false, true]);
}
