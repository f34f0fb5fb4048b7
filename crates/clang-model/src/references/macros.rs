//! Preprocessor directives: the text they are in, and the uses of the macros they define.

use crate::draft::Draft;
use crate::preprocessor::{Preprocessor, words};
use crate::presence::Presence;
use crate::program::Program;
use crate::source_text::SourceText;
use lapidary_clang::{Directive, DirectiveKind, FileId, TokenKind};
use lapidary_logic::Var;
use std::collections::HashMap;

pub(super) fn macros(program: &Program, draft: &mut Draft, presence: &Presence, found: &Preprocessor) {
    let lines = lines(program, found);
    for line in &lines {
        let around = presence.at(draft, line.file, &line.directive.range);
        around.into_iter().filter(|item| *item != line.item).for_each(|item| draft.need(&[line.item], &[item]));
    }
    let names = definitions(program, &lines);
    macros_need_macros(program, draft, &lines, &names);
    for (index, text) in program.texts.iter().enumerate() {
        text_needs_macros(draft, presence, FileId::new(index), text, &names);
    }
}

/// A directive that is an item.
struct Line<'p> {
    file: FileId,
    directive: &'p Directive,
    item: Var,
}

fn lines<'p>(program: &'p Program, found: &Preprocessor) -> Vec<Line<'p>> {
    let mut lines = Vec::new();
    for (index, text) in program.texts.iter().enumerate() {
        let file = FileId::new(index);
        let item = |directive: &Directive| found.at.get(&(file, directive.range.start)).copied();
        let all = text.directives.iter();
        lines.extend(all.filter_map(|directive| Some(Line { file, directive, item: item(directive)? })));
    }
    lines
}

/// Returns the items that define each macro.
fn definitions<'p>(program: &'p Program, lines: &[Line<'p>]) -> HashMap<&'p [u8], Vec<Var>> {
    let mut names: HashMap<&[u8], Vec<Var>> = HashMap::new();
    for line in lines.iter().filter(|line| line.directive.kind == DirectiveKind::Define) {
        let text = program.texts[line.file.index()].slice(line.directive.range.clone());
        words(text).nth(1).into_iter().for_each(|name| names.entry(name).or_default().push(line.item));
    }
    names
}

/// Makes a macro need the macros in its text, and the `#undef` of its own name. Without the
/// `#undef`, the name would keep its meaning.
fn macros_need_macros(program: &Program, draft: &mut Draft, lines: &[Line<'_>], names: &HashMap<&[u8], Vec<Var>>) {
    for line in lines {
        let text = program.texts[line.file.index()].slice(line.directive.range.clone());
        match line.directive.kind {
            DirectiveKind::Define => {
                let used = words(text).skip(2).filter_map(|word| names.get(word));
                used.for_each(|items| draft.need(&[line.item], items));
            }
            DirectiveKind::Undefine => {
                let defined = words(text).nth(1).and_then(|name| names.get(name));
                defined.into_iter().flatten().for_each(|item| draft.need(&[*item], &[line.item]));
            }
            _ => {}
        }
    }
}

/// Makes the text need the macros it names. libclang reports the macros that the text calls, but
/// not those that they call with their arguments.
fn text_needs_macros(
    draft: &mut Draft,
    presence: &Presence,
    file: FileId,
    text: &SourceText,
    names: &HashMap<&[u8], Vec<Var>>,
) {
    for token in text.tokens.iter().filter(|token| token.kind == TokenKind::Word) {
        if let Some(items) = names.get(text.slice(token.range.clone())) {
            let premises = presence.at(draft, file, &token.range);
            draft.need(&premises, items);
        }
    }
}
