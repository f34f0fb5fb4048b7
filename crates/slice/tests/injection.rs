//! The input of a run replaces the expressions that read it.

use lapidary_clang::{Compilation, SourceFile, Sources, Syntax, parse};
use lapidary_slice::{Criterion, Inputs, apply, inject, static_slice};
use std::path::Path;

fn units(name: &str, text: &str) -> Vec<Syntax> {
    let file = Path::new("/injection").join(name);
    let sources = Sources { files: vec![SourceFile { path: file.clone(), text: text.as_bytes().into() }] };
    let unit = parse(&sources, &Compilation { file, arguments: Vec::new() }).expect("libclang");
    assert!(unit.complaints.is_empty(), "{:?}", unit.complaints);
    vec![unit]
}

/// Returns the text after injection.
fn injected(name: &str, text: &str, inputs: &Inputs) -> String {
    let edits = inject(&units(name, text), inputs);
    String::from_utf8(apply(&edits, &Path::new("/injection").join(name), text.as_bytes())).expect("text")
}

fn arguments(given: &[&str]) -> Inputs {
    Inputs { arguments: given.iter().map(|text| (*text).to_owned()).collect(), stdin: Vec::new() }
}

fn typed(stdin: &str) -> Inputs {
    Inputs { arguments: vec!["prog".to_owned()], stdin: stdin.as_bytes().to_vec() }
}

#[test]
fn arguments_take_the_place_of_what_reads_them() {
    let text = "#include <stdlib.h>\n#include <string.h>\nint main(int argc, char **argv) {\n\
                if (argc < 3) return 1;\nint n = atoi(argv[1]);\nchar *s = argv[2];\n\
                return strcmp(argv[2], \"x\") + argv[1][0] + n + s[0];\n}\n";
    let expected = "#include <stdlib.h>\n#include <string.h>\nint main(int argc, char **argv) {\n\
                    if (3 < 3) return 1;\nint n = (-7);\nchar *s = argv[2];\n\
                    return strcmp(\"a b\", \"x\") + \"-7\"[0] + n + s[0];\n}\n";
    assert_eq!(injected("a.c", text, &arguments(&["prog", "-7", "a b"])), expected);
}

#[test]
fn a_count_that_changes_stays() {
    let text = "int main(int argc, char **argv) { while (argc-- > 1) argv++; return argc + argv[0][0]; }";
    assert_eq!(injected("a.c", text, &arguments(&["prog", "x"])), text);
}

#[test]
fn numbers_from_the_input_are_assigned() {
    let text = "#include <stdio.h>\nint main(void) { int a, b; double c; scanf(\"%d %d\", &a, &b); scanf(\"%lf\", &c); return a + b + c; }";
    let result = injected("a.c", text, &typed("4 -5\n2.5\n"));
    assert!(result.contains("a = 4, b = (-5); c = 2.5;"), "{result}");
    let text = "#include <iostream>\nint main() { int a; long b; std::cin >> a >> b; return a + b; }";
    let result = injected("a.cpp", text, &typed("4 5"));
    assert!(result.contains("a = 4, b = 5;"), "{result}");
}

#[test]
fn input_that_is_read_elsewhere_too_stays() {
    let text = "#include <stdio.h>\nint main(void) { int a; scanf(\"%d\", &a); while (a--) getchar(); return a; }";
    assert_eq!(injected("a.c", text, &typed("4 xx")), text);
}

#[test]
fn a_slice_of_the_injected_program_is_smaller() {
    let reader = "#include <stdlib.h>\nint main(int argc, char **argv)\n{\nint a = atoi(argv[1]);\nreturn 1 / a;\n}\n";
    let criterion = Criterion { file: "/injection/a.c".into(), line: 5, variable: None };
    let before = static_slice(&units("a.c", reader), &criterion).expect("a slice");
    let changed = injected("a.c", reader, &arguments(&["prog", "0"]));
    let after = static_slice(&units("a.c", &changed), &criterion).expect("a slice");
    assert!(before.lines(&criterion.file).contains(&1), "the header is needed");
    assert!(!after.lines(&criterion.file).contains(&1), "the header is not needed any more");
}
