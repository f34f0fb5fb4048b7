//! Test helpers for rewrites: a source, and the sources it can become.

use super::catalogue::Finder;
use super::program::Program;
use super::tidy::sound;
use super::{Opportunity, RewriteKind};
use crate::{Layout, apply};
use lapidary_clang::{Compilation, Reader, SourceFile, Sources, parse};
use std::path::PathBuf;

/// Checks that a rewrite turns the first of each pair of C sources into exactly the others, in
/// order, and that all of them compile.
pub(crate) fn check_c(find: Finder, table: &[(&str, &[&str])]) {
    check("case.c", &[], find, table);
}

pub(crate) fn check_cpp(find: Finder, table: &[(&str, &[&str])]) {
    check("case.cpp", &[], find, table);
}

/// Checks a rewrite in a file of this name that is compiled with these arguments.
pub(crate) fn check(name: &str, arguments: &[&str], find: Finder, table: &[(&str, &[&str])]) {
    let complaints = |text: &str| complaints(inputs(name, arguments, text));
    for (before, after) in table {
        assert_eq!(complaints(before), "", "{before} must compile");
        assert_eq!(rewritten(inputs(name, arguments, before), before, find), *after, "from {before}");
        after.iter().for_each(|text| assert_eq!(complaints(text), "", "{text} must compile"));
    }
}

/// Returns the texts that a source becomes by one opportunity each.
fn rewritten((sources, compilation): Inputs, text: &str, find: Finder) -> Vec<String> {
    let syntax = parse(&sources, &compilation).expect("libclang is installed");
    let program = Program::new(&syntax);
    let found = sound(&program, find(&program));
    found.iter().for_each(|one| assert!(RewriteKind::named(one.kind).is_some(), "{}", one.kind));
    found.iter().map(|one| applied(text, one)).collect()
}

fn applied(text: &str, opportunity: &Opportunity) -> String {
    let edits = opportunity.edits.iter().map(|edit| (edit.range.clone(), &*edit.with));
    String::from_utf8(apply(text.as_bytes(), edits, Layout::Compact)).expect("UTF-8 stays UTF-8")
}

fn complaints((sources, compilation): Inputs) -> String {
    let found = Reader::new(compilation).complaints(&sources).expect("libclang is installed");
    found.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

type Inputs = (Sources, Compilation);

fn inputs(name: &str, arguments: &[&str], text: &str) -> Inputs {
    let file = PathBuf::from("/nowhere").join(name);
    let source = SourceFile { path: file.clone(), text: text.as_bytes().into() };
    let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
    (Sources { files: vec![source] }, Compilation { file, arguments })
}
