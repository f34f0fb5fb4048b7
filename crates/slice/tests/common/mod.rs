//! Programs whose comments say what a slice keeps. `// kept` ends a line that stays; `// criterion`
//! ends the line the slice is for, with a variable if only one matters. Lines with only braces do
//! not count.

// Each test uses only some of these functions.
#![allow(dead_code)]

use lapidary_clang::{Compilation, SourceFile, Sources, Syntax, parse};
use lapidary_slice::{Criterion, Slice};
use std::path::{Path, PathBuf};

pub fn units(path: &Path) -> Vec<Syntax> {
    let text = std::fs::read(path).expect("a readable program");
    let sources = Sources { files: vec![SourceFile { path: path.to_owned(), text: text.into() }] };
    let is_cpp = path.extension().is_some_and(|extension| extension == "cpp");
    let standard = if is_cpp { "-std=c++17" } else { "-std=c17" };
    let compilation = Compilation { file: path.to_owned(), arguments: vec![standard.to_owned()] };
    let unit = parse(&sources, &compilation).expect("libclang");
    assert!(unit.complaints.is_empty(), "{}: {:?}", path.display(), unit.complaints);
    vec![unit]
}

pub fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let entries = std::fs::read_dir(&folder).expect("a folder of programs");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

pub fn criterion(path: &Path) -> Criterion {
    let text = std::fs::read_to_string(path).expect("a readable program");
    let marked = text.lines().enumerate().find_map(|(index, line)| {
        let (_, after) = line.split_once("// criterion")?;
        Some((index as u32 + 1, after.trim().to_owned()))
    });
    let (line, variable) = marked.expect("a line that is marked as the criterion");
    Criterion { file: path.to_owned(), line, variable: (!variable.is_empty()).then_some(variable) }
}

/// Returns the differences between the slice and the comments, one line each.
pub fn differences(path: &Path, slice: &Slice) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a readable program");
    let kept = slice.lines(path);
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let code = line.split("//").next().unwrap_or_default();
        let is_expected = line.contains("// kept") || line.contains("// criterion");
        let has_code = code.chars().any(|letter| !letter.is_whitespace() && !"{};".contains(letter));
        if has_code && is_expected != kept.contains(&number) {
            let what = if is_expected { "should be kept" } else { "should go" };
            found.push(format!("{}:{number} {what}: {line}", path.file_name().unwrap_or_default().to_string_lossy()));
        }
    }
    found
}
