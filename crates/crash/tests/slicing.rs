//! A run can be sliced whatever flags the program is compiled with. The tracing runtime is compiled
//! along.

use lapidary_clang_model::Project;
use lapidary_crash::{Build, Execution, Slicer};
use lapidary_reduce::{Cancel, FileTree};
use lapidary_slice::Criterion;
use std::path::Path;

const TEXT: &str = "int main()\n{\n    int n = 0;\n    int m = 1;\n    m = m + 1;\n    return 1 / n;\n}\n";

/// Returns whether the slice of the division leaves out everything unrelated to it.
fn is_sliced(name: &str, flags: &[&str]) -> bool {
    let flags: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
    let file = Path::new("/nowhere").join(name);
    let for_libclang = flags.iter().filter(|flag| !flag.starts_with("-fsanitize")).cloned().collect();
    let (project, execution) = (Project::single(&file, for_libclang), Execution::default());
    let build = Build { flags, ..Build::default() };
    let slicer = Slicer { project: &project, build: &build, execution: &execution };
    let tree = FileTree::file(name, TEXT);
    let criterion = Criterion { file: file.clone(), line: 6, variable: None };
    let units = project.units(&tree).unwrap();
    let slice = slicer.dynamic_slice(&tree, &units, &criterion, &Cancel::new()).unwrap();
    let removed = &slice.file(&file).unwrap().removed;
    let is_gone = |text: &str| {
        let start = TEXT.find(text).unwrap();
        removed.iter().any(|removal| removal.start <= start && start + text.len() <= removal.end)
    };
    is_gone("m = m + 1") && !is_gone("n = 0")
}

#[test]
fn strict_flags_are_for_the_program_alone() {
    assert!(is_sliced("a.c", &[]));
    assert!(is_sliced("a.c", &["-std=c17", "-pedantic-errors", "-Wall"]));
    assert!(is_sliced("a.c", &["-std=c89", "-pedantic-errors"]));
    assert!(is_sliced("a.c", &["-std=c17", "-fsanitize=undefined"]));
    assert!(is_sliced("a.cpp", &["-std=c++17", "-pedantic-errors"]));
}
