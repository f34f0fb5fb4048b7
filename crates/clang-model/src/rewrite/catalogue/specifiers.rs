//! Removes specifiers and attributes of declarations, one by one, and each word everywhere at once.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::{Program, is_word};
use lapidary_clang::{FileId, Token, TokenKind};
use std::collections::BTreeMap;
use std::ops::Range;

pub(crate) const KIND: &str = "specifier";

const WORDS: &[&str] = &[
    "static",
    "extern",
    "inline",
    "__inline",
    "__inline__",
    "const",
    "__const",
    "volatile",
    "__volatile__",
    "register",
    "restrict",
    "__restrict",
    "__restrict__",
    "__extension__",
    "_Noreturn",
    "_Atomic",
    "_Thread_local",
    "__thread",
    "thread_local",
    "explicit",
    "virtual",
    "override",
    "final",
    "noexcept",
    "constexpr",
    "consteval",
    "constinit",
    "mutable",
    "friend",
    "typename",
    "unsigned",
    "signed",
];

/// Words that are followed by a list in parentheses.
const LISTS: &[&str] = &["__attribute__", "__attribute", "__declspec", "alignas", "_Alignas", "noexcept"];

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let mut found = Vec::new();
    let mut by_word: BTreeMap<&[u8], Vec<Edit>> = BTreeMap::new();
    for file in files(program) {
        for (word, range) in specifiers(program, file) {
            let edit = Edit::delete(file, range.clone());
            by_word.entry(word).or_default().push(edit.clone());
            found.push(Opportunity { label: program.label_at(file, range, "drop"), kind: KIND, edits: vec![edit] });
        }
    }
    let all = by_word.into_iter().filter(|(_, edits)| edits.len() > 1).map(|(word, edits)| Opportunity {
        label: format!("drop every `{}`", String::from_utf8_lossy(word)),
        kind: KIND,
        edits,
    });
    found.extend(all);
    found
}

/// Returns the files that contain nodes.
fn files(program: &Program<'_>) -> Vec<FileId> {
    let mut files: Vec<FileId> = program.syntax.nodes.iter().map(|node| node.file).collect();
    files.sort_unstable();
    files.dedup();
    files
}

fn specifiers<'p>(program: &'p Program<'_>, file: FileId) -> Vec<(&'p [u8], Range<usize>)> {
    let skipped: Vec<Range<usize>> =
        program.syntax.skipped.iter().filter(|(other, _)| *other == file).map(|(_, range)| range.clone()).collect();
    let is_read = |at: usize| !skipped.iter().any(|range| range.contains(&at)) && !program.is_in_expansion(file, at);
    let tokens = program.tokens(file).iter();
    let found = tokens.filter_map(|token| Some((program.spelled(file, token), specifier(program, file, token)?)));
    found.filter(|(_, range)| is_read(range.start)).collect()
}

/// Returns the range of a specifier that starts at a token.
fn specifier(program: &Program<'_>, file: FileId, token: &Token) -> Option<Range<usize>> {
    let text = std::str::from_utf8(program.spelled(file, token)).ok()?;
    let next = program.after(file, token.range.end)?;
    if text == "[" && program.spelled(file, next) == b"[" && next.range.start == token.range.end {
        return Some(token.range.start..program.past_bracket(file, token.range.start)?);
    }
    if is_word(token) && LISTS.contains(&text) && program.spelled(file, next) == b"(" {
        return Some(token.range.start..program.past_bracket(file, next.range.start)?);
    }
    let is_linkage = text == "extern" && next.kind == TokenKind::Text;
    let previous = program.before(file, token.range.start).map_or(&b""[..], |token| program.spelled(file, token));
    let is_parameter = text == "typename" && matches!(previous, b"<" | b",");
    (is_word(token) && WORDS.contains(&text) && !is_linkage && !is_parameter).then(|| token.range.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::{check_c, check_cpp};

    #[test]
    fn words_go_one_by_one_and_everywhere() {
        check_c(
            opportunities,
            &[
                ("static const int x = 1;", &["const int x = 1;", "static int x = 1;"]),
                ("extern int x; extern int y;", &["int x; extern int y;", "extern int x; int y;", "int x; int y;"]),
                ("#define S static\nS int x;", &[]),
                ("#if 0\nstatic int x;\n#endif\nint y;", &[]),
            ],
        );
    }

    #[test]
    fn attributes_go_with_their_lists() {
        check_c(opportunities, &[("int x __attribute__((aligned(8)));", &["int x;"])]);
        check_cpp(
            opportunities,
            &[
                ("[[nodiscard]] int f() noexcept(true);", &["int f() noexcept(true);", "[[nodiscard]] int f();"]),
                ("extern \"C\" int x;", &[]),
                ("struct A { virtual int f(); };", &["struct A { int f(); };"]),
                (
                    "struct A final { explicit A(int); };",
                    &["struct A { explicit A(int); };", "struct A final { A(int); };"],
                ),
            ],
        );
    }
}
