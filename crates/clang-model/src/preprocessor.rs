//! Preprocessor directives as items: includes, macros, conditionals.

use crate::draft::Draft;
use crate::source_text::SourceText;
use lapidary_clang::{Directive, DirectiveKind, FileId, Syntax, TokenKind, tokens};
use lapidary_logic::Var;
use std::collections::HashMap;
use std::ops::Range;

/// The items of the directives.
#[derive(Default)]
pub(crate) struct Preprocessor {
    /// Items by file and position of the directive.
    pub at: HashMap<(FileId, usize), Var>,
}

/// Makes the items of one file. Removing a conditional leaves the branch that its condition chose.
pub(crate) fn preprocessor(
    draft: &mut Draft,
    text: &SourceText,
    file: FileId,
    syntax: &Syntax,
    found: &mut Preprocessor,
) {
    let mut markers = Vec::new();
    for directive in &text.directives {
        let kind = match directive.kind {
            DirectiveKind::Include => "include",
            DirectiveKind::Define => "macro",
            DirectiveKind::Undefine | DirectiveKind::Pragma => "directive",
            DirectiveKind::If | DirectiveKind::Else | DirectiveKind::EndIf => continue,
            DirectiveKind::Other if is_line_marker(text, directive) => {
                markers.push(directive.range.clone());
                continue;
            }
            DirectiveKind::Other => "directive",
        };
        let range = text.with_comments(directive.range.clone());
        let (var, is_new) = draft.item(file, range.clone(), kind, None, || line(text, &directive.range));
        if is_new {
            draft.patch(var, file, range, "");
            found.at.insert((file, directive.range.start), var);
        }
    }
    line_markers(draft, file, markers);
    pushes_and_pops(draft, text, file, found);
    conditionals(draft, text, file, syntax, found);
}

/// Returns whether a directive is a line marker, left by the preprocessor to name the line and file
/// of the following text. All of them are one item.
fn is_line_marker(text: &SourceText, directive: &Directive) -> bool {
    text.slice(directive.range.clone())[1..].trim_ascii_start().first().is_some_and(u8::is_ascii_digit)
}

fn line_markers(draft: &mut Draft, file: FileId, markers: Vec<Range<usize>>) {
    let Some(first) = markers.first().cloned() else { return };
    let (var, is_new) = draft.item(file, first, "line markers", None, || "line markers".to_owned());
    if is_new {
        markers.into_iter().for_each(|range| draft.patch(var, file, range, ""));
    }
}

/// Makes a pragma that pops need the one that pushes, and vice versa.
fn pushes_and_pops(draft: &mut Draft, text: &SourceText, file: FileId, found: &Preprocessor) {
    let mut open: Vec<Var> = Vec::new();
    for directive in text.directives.iter().filter(|directive| directive.kind == DirectiveKind::Pragma) {
        let Some(item) = found.at.get(&(file, directive.range.start)) else { continue };
        let words: Vec<&[u8]> = words(text.slice(directive.range.clone())).collect();
        if words.iter().any(|word| word.starts_with(b"push")) {
            open.push(*item);
        } else if words.iter().any(|word| word.starts_with(b"pop"))
            && let Some(push) = open.pop()
        {
            draft.need(&[*item], &[push]);
            draft.need(&[push], &[*item]);
        }
    }
}

fn conditionals(draft: &mut Draft, text: &SourceText, file: FileId, syntax: &Syntax, found: &mut Preprocessor) {
    let mut lines: HashMap<usize, Vec<&Directive>> = HashMap::new();
    for directive in &text.directives {
        directive.conditional.into_iter().for_each(|which| lines.entry(which).or_default().push(directive));
    }
    let mut whole: Vec<(usize, Vec<&Directive>)> = lines.into_iter().filter(|(_, lines)| is_whole(lines)).collect();
    whole.sort_by_key(|(which, _)| *which);
    let defined = macros(text, file, found);
    for (_, lines) in whole {
        let Some(parts) = parts_that_go(text, file, syntax, &lines) else { continue };
        let first = lines[0].range.clone();
        let (var, is_new) = draft.item(file, first.clone(), "conditional", None, || line(text, &first));
        if is_new {
            parts.into_iter().for_each(|part| draft.patch(var, file, part, ""));
            need_macros(draft, text, &lines, &defined, var);
        }
    }
}

fn is_whole(lines: &[&Directive]) -> bool {
    lines.first().is_some_and(|first| first.kind == DirectiveKind::If)
        && lines.last().is_some_and(|last| last.kind == DirectiveKind::EndIf)
}

/// Returns the directives of the conditional and the branches not taken. `None` if it is itself in
/// a branch not taken.
fn parts_that_go(text: &SourceText, file: FileId, syntax: &Syntax, lines: &[&Directive]) -> Option<Vec<Range<usize>>> {
    let whole = lines[0].range.start..lines[lines.len() - 1].range.end;
    let skipped =
        |range: &Range<usize>| syntax.skipped.iter().any(|(other, skipped)| *other == file && contains(skipped, range));
    if skipped(&whole) {
        return None;
    }
    let mut parts = Vec::new();
    for pair in lines.windows(2) {
        let branch = pair[0].range.end..pair[1].range.start;
        let goes = skipped(&trimmed(text, branch.clone()));
        parts.push(if goes { pair[0].range.start..branch.end } else { pair[0].range.clone() });
    }
    parts.push(lines[lines.len() - 1].range.clone());
    Some(parts)
}

/// Trims white space at both ends. libclang lets a skipped range end at the next directive or after
/// it.
fn trimmed(text: &SourceText, range: Range<usize>) -> Range<usize> {
    let inside = text.slice(range.clone());
    let before = inside.len() - inside.trim_ascii_start().len();
    range.start + before..range.start + before + inside.trim_ascii().len()
}

fn contains(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Returns the items that define each macro, by name.
fn macros<'t>(text: &'t SourceText, file: FileId, found: &Preprocessor) -> HashMap<&'t [u8], Vec<Var>> {
    let mut all: HashMap<&[u8], Vec<Var>> = HashMap::new();
    for directive in text.directives.iter().filter(|directive| directive.kind == DirectiveKind::Define) {
        let name = words(text.slice(directive.range.clone())).nth(1).unwrap_or_default();
        all.entry(name).or_default().extend(found.at.get(&(file, directive.range.start)));
    }
    all
}

/// Makes a conditional need the macros in its condition, on which its meaning depends.
fn need_macros(
    draft: &mut Draft,
    text: &SourceText,
    lines: &[&Directive],
    defined: &HashMap<&[u8], Vec<Var>>,
    var: Var,
) {
    for directive in lines {
        for word in words(text.slice(directive.range.clone())) {
            defined.get(word).into_iter().flatten().for_each(|item| draft.need(&[var], &[*item]));
        }
    }
}

/// Returns the words of a directive, starting with its name.
pub(crate) fn words(directive: &[u8]) -> impl Iterator<Item = &[u8]> {
    let line = directive.strip_prefix(b"%:").or(directive.strip_prefix(b"#")).unwrap_or(directive);
    let found = tokens(line).into_iter().filter(|token| token.kind == TokenKind::Word);
    found.map(|token| &line[token.range])
}

fn line(text: &SourceText, range: &Range<usize>) -> String {
    String::from_utf8_lossy(text.slice(range.clone())).split_whitespace().collect::<Vec<_>>().join(" ")
}
