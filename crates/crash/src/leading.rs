//! Finds the standard headers at the start of a file, including those at the start of the program's
//! own headers.
//!
//! The prefix consists of the `#include <...>` lines at the start of a file, and those at the start
//! of each of the program's headers included there. Reading them first makes no difference, since
//! only comments, guards and inclusions come before or between them. Anything else ends the prefix,
//! in whatever file it is.

use crate::build::{Source, normal};
use lapidary_reduce::{Entry, FileTree};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Returns the lines of the prefix, each once.
pub fn prefix(source: &Source, tree: &FileTree) -> Vec<String> {
    let path = if tree.is_directory() { source.path.as_path() } else { Path::new("") };
    let mut reading = Reading { tree, read: Vec::new(), lines: Vec::new() };
    reading.file(path, Role::Source);
    reading.lines
}

/// The maximum number of bytes to read of a file.
const LONGEST: usize = 1 << 16;

struct Reading<'t> {
    tree: &'t FileTree,
    /// Files of the program that have been or are being read.
    read: Vec<PathBuf>,
    lines: Vec<String>,
}

impl<'t> Reading<'t> {
    /// Reads the start of a file. Returns false if the prefix ends in it.
    fn file(&mut self, path: &Path, role: Role) -> bool {
        let Some(text) = self.text(path) else { return false };
        self.read.push(path.to_path_buf());
        let start = Start::of(&text, role);
        for header in start.headers {
            let goes_on = match header {
                Header::Standard(name) if self.named(name).next().is_none() => self.add(format!("#include <{name}>\n")),
                Header::Standard(_) => false,
                Header::Beside(name) => match self.own(path, name) {
                    Some(own) => self.read.contains(&own) || self.file(&own, Role::Header),
                    None => false,
                },
            };
            if !goes_on {
                return false;
            }
        }
        start.is_all && text.len() < LONGEST
    }

    fn add(&mut self, line: String) -> bool {
        if !self.lines.contains(&line) {
            self.lines.push(line);
        }
        true
    }

    fn text(&self, path: &Path) -> Option<Cow<'t, str>> {
        let Some(Entry::File { content, .. }) = self.tree.entry(path) else { return None };
        Some(String::from_utf8_lossy(&content[..content.len().min(LONGEST)]))
    }

    /// Returns the program's file that an inclusion refers to: the one beside the including file,
    /// or the only one of this name.
    fn own(&self, from: &Path, name: &str) -> Option<PathBuf> {
        let beside = normal(&from.parent().unwrap_or(Path::new("")).join(name));
        if self.tree.is_directory() && matches!(self.tree.entry(&beside), Some(Entry::File { .. })) {
            return Some(beside);
        }
        let mut found = self.named(name);
        found.next().filter(|_| found.next().is_none()).map(Path::to_path_buf)
    }

    /// Returns all files of the program that the name could refer to.
    fn named(&self, name: &str) -> impl Iterator<Item = &'t Path> {
        let all = self.tree.is_directory().then(|| self.tree.entries()).into_iter().flatten();
        let name = PathBuf::from(name);
        all.map(|(path, _)| path).filter(move |path| path.ends_with(&name))
    }
}

/// The role of a file. Only a header has a guard.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Source,
    Header,
}

#[derive(Debug, PartialEq, Eq)]
enum Header<'t> {
    /// `#include <...>`
    Standard(&'t str),
    /// `#include "..."`
    Beside(&'t str),
}

/// The start of a text, up to the first thing other than inclusions, comments and guards.
struct Start<'t> {
    headers: Vec<Header<'t>>,
    /// Whether the text contains nothing else.
    is_all: bool,
}

impl Start<'_> {
    fn of(text: &str, role: Role) -> Start<'_> {
        let mut headers = Vec::new();
        let mut rest = if role == Role::Header { past_guard(text) } else { text }.trim_start();
        while !rest.is_empty() {
            let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
            let (word, argument) = directive(line).unwrap_or_default();
            if let Some(header) = included(word, argument) {
                headers.push(header);
                rest = after;
            } else if is_comment(line) || word == "pragma" && argument == "once" {
                rest = after;
            } else if let Some(comment) = rest.strip_prefix("/*") {
                rest = comment.split_once("*/").map_or("", |(_, after)| after);
            } else {
                break;
            }
            rest = rest.trim_start();
        }
        Start { headers, is_all: rest.is_empty() || rest.trim_end() == "#endif" }
    }
}

fn is_comment(line: &str) -> bool {
    line.starts_with("//") && !line.trim_end().ends_with('\\')
}

/// Returns the text after `#ifndef NAME` and `#define NAME` at its start, or all of it without such
/// a guard.
fn past_guard(text: &str) -> &str {
    let mut rest = text.trim_start();
    let mut names = Vec::new();
    for wanted in ["ifndef", "define"] {
        while let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, after)| after).trim_start();
        }
        while is_comment(rest.split('\n').next().unwrap_or_default()) {
            rest = rest.split_once('\n').map_or("", |(_, after)| after).trim_start();
        }
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        match directive(line) {
            Some((word, name)) if word == wanted => names.push(name),
            _ => return text,
        }
        rest = after.trim_start();
    }
    if names[0] == names[1] { rest } else { text }
}

/// Splits a directive into its name and the rest.
fn directive(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(rest.len());
    Some((&rest[..end], rest[end..].trim()))
}

fn included<'t>(word: &str, argument: &'t str) -> Option<Header<'t>> {
    if word != "include" || argument.ends_with('\\') {
        return None;
    }
    let closing = if argument.starts_with('<') { '>' } else { '"' };
    let (name, after) = argument.strip_prefix(['<', '"'])?.split_once(closing)?;
    let nothing_more = after.trim().is_empty() || after.trim_start().starts_with("//");
    let header = if closing == '>' { Header::Standard(name) } else { Header::Beside(name) };
    nothing_more.then_some(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefix_of(files: &[(&str, &str)]) -> Vec<String> {
        let entries = files.iter().map(|(path, text)| (path.into(), Entry::file(*text))).collect();
        prefix(&Source { path: files[0].0.into(), flags: Vec::new() }, &FileTree::directory("p", entries))
    }

    fn names(text: &str) -> Vec<String> {
        prefix(&Source { path: "a.cpp".into(), flags: Vec::new() }, &FileTree::file("a.cpp", text))
    }

    #[test]
    fn a_prefix_ends_with_anything_that_could_change_a_header() {
        let text = "// a\n/* b\n c */ #include <vector>\n\n# include <map> // m\n#define NDEBUG\n#include <cassert>\n";
        assert_eq!(names(text), ["#include <vector>\n", "#include <map>\n"]);
        assert!(names("#define A\n#include <map>\n").is_empty());
        assert!(names("#include <map> /* a\n*/ int x;").is_empty());
        assert_eq!(
            names("#include <set>\n#include \"a.h\"\n#include <map>\n"),
            ["#include <set>\n"],
            "it is elsewhere"
        );
        assert_eq!(names("#include <set>\n\u{fffd}\n#include <map>\n"), ["#include <set>\n"]);
    }

    const GUARDED: &str = "// A list.\n#ifndef LIST_H\n#define LIST_H\n/* It is\n   long. */\n#include <vector>\n#include \"node.h\"\n#include <set>\nstruct list;\n#endif\n";

    fn lines(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| format!("#include <{name}>\n")).collect()
    }

    #[test]
    fn headers_of_the_program_begin_with_headers_too() {
        let source = "#include <map>\n#include \"list.h\"\n#include <queue>\n";
        let node = "#pragma once\n#include <string>\n#include \"list.h\"\n";
        let files = |node| prefix_of(&[("src/a.cpp", source), ("include/list.h", GUARDED), ("include/node.h", node)]);
        assert_eq!(files(node), lines(&["map", "vector", "string", "set"]));
        assert_eq!(files("#include <string>\nstruct node;\n"), lines(&["map", "vector", "string"]));
        assert_eq!(files("#define NDEBUG\n#include <string>\n"), lines(&["map", "vector"]));
    }

    #[test]
    fn a_header_of_inclusions_alone_does_not_end_the_prefix() {
        let source = "#include \"all.h\"\n#include <map>\nint x;\n";
        let all = "#ifndef ALL_H\n#define ALL_H\n#include <set>\n#endif\n";
        assert_eq!(prefix_of(&[("a.cpp", source), ("all.h", all)]), lines(&["set", "map"]));
        assert_eq!(prefix_of(&[("a.cpp", all), ("b.cpp", "")]), lines(&[]), "a source has no guard");
        let long = format!("#include <set>\n/*{}*/\n#define NDEBUG\n", " ".repeat(LONGEST));
        assert_eq!(prefix_of(&[("a.cpp", source), ("all.h", &long)]), lines(&["set"]), "who knows what comes then");
        let other = all.replace("#define ALL_H", "#define OTHER_H");
        assert_eq!(prefix_of(&[("a.cpp", source), ("all.h", &other)]), lines(&[]), "that is no guard");
    }

    #[test]
    fn what_may_be_another_file_ends_the_prefix() {
        let source = "#include \"all.h\"\n";
        let all = "#include <set>\n";
        assert_eq!(prefix_of(&[("src/a.cpp", source), ("x/all.h", all)]), lines(&["set"]));
        assert_eq!(prefix_of(&[("src/a.cpp", source), ("x/all.h", all), ("y/all.h", all)]), lines(&[]));
        assert_eq!(prefix_of(&[("src/a.cpp", source), ("src/all.h", all), ("y/all.h", all)]), lines(&["set"]));
        assert_eq!(prefix_of(&[("a.cpp", "#include <set>\n#include <map>\n"), ("compat/set", "")]), lines(&[]));
    }
}
