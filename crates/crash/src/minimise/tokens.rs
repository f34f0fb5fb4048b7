//! A model whose items are tokens. It covers text that is no unit of the grammar but can be
//! removed, such as the variable that a result is assigned to.
//!
//! Brackets stay, since their contents are left to the other stages. The failing line stays as
//! well. In C++ only preprocessor directives are items. Trying the others takes too long: hardly
//! any two neighbours can be removed, and only the compiler can tell.

use super::target::Target;
use lapidary_clang::{FileId, Sources, Token, TokenKind, tokens};
use lapidary_clang_model::{Layout, Project, apply};
use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{FileTree, Item, Model, RenderError};
use std::collections::BTreeMap;
use std::ops::Range;

/// The maximum number of tokens. Larger programs are left to the other stages.
const MOST: usize = 300;

/// A program with few tokens.
pub(super) struct TokenModel {
    project: Project,
    tree: FileTree,
    sources: Sources,
    places: Vec<(FileId, Range<usize>)>,
    items: Vec<Item>,
    constraint: Cnf,
}

/// The tokens that are items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tokens {
    All,
    Includes,
}

impl TokenModel {
    pub fn new(target: &Target, tree: &FileTree, which: Tokens) -> Option<TokenModel> {
        let sources = target.project.sources(tree);
        let is_cpp = target.is_cpp();
        let mut places = Vec::new();
        for (index, file) in sources.files.iter().enumerate() {
            let failing = failing_line(target, tree, &sources, index);
            let found = tokens(&file.text);
            let all = may_go_in_c(&file.text, &found);
            let may_go = |(number, token): &(usize, Token)| {
                let number = *number;
                let is_wanted = match which {
                    Tokens::Includes => is_include(&file.text, token),
                    Tokens::All if is_cpp => token.kind == TokenKind::Directive,
                    Tokens::All => all[number],
                };
                // Removing `=` could leave a variable that is read but was never set.
                let gives_a_value = target.keeps_reason && &file.text[token.range.clone()] == b"=";
                is_wanted && !gives_a_value && !failing.as_ref().is_some_and(|line| line.contains(&token.range.start))
            };
            let tokens = found.into_iter().enumerate().filter(may_go);
            places.extend(tokens.map(|(_, token)| (FileId::new(index), token.range)));
        }
        if places.is_empty() || places.len() > MOST {
            return None;
        }
        let item = |(file, range): &(FileId, Range<usize>)| {
            let text = String::from_utf8_lossy(&sources.files[file.index()].text[range.clone()]).into_owned();
            Item::new(text, "token").costing(range.len() as u64)
        };
        let items: Vec<Item> = places.iter().map(item).collect();
        let constraint = Cnf::new(items.len());
        let (project, tree) = (target.project.clone(), tree.clone());
        Some(TokenModel { project, tree, sources, places, items, constraint })
    }
}

impl Model for TokenModel {
    fn items(&self) -> &[Item] {
        &self.items
    }

    fn constraint(&self) -> &Cnf {
        &self.constraint
    }

    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError> {
        let mut gone: BTreeMap<FileId, Vec<Range<usize>>> = BTreeMap::new();
        for (index, (file, range)) in self.places.iter().enumerate() {
            if !keep.contains(Var::new(index)) {
                gone.entry(*file).or_default().push(range.clone());
            }
        }
        let texts = gone.into_iter().map(|(file, ranges)| {
            let edits = ranges.into_iter().map(|range| (range, &b""[..]));
            (file, apply(&self.sources.files[file.index()].text, edits, Layout::KeepLines))
        });
        Ok(self.project.with_texts(&self.tree, texts))
    }
}

/// Returns the range of the failing line, if it is in this file.
fn failing_line(target: &Target, tree: &FileTree, sources: &Sources, index: usize) -> Option<Range<usize>> {
    let place = target.failure.place_in(tree)?;
    let file = &sources.files[index];
    if file.path != target.project.root.join(&place.file) {
        return None;
    }
    let mut start = 0;
    for (number, line) in (1..).zip(file.text.split(|byte| *byte == b'\n')) {
        if number == place.line {
            return Some(start..start + line.len());
        }
        start += line.len() + 1;
    }
    None
}

fn is_include(text: &[u8], token: &Token) -> bool {
    let name = text[token.range.clone()].strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
    token.kind == TokenKind::Directive && name.is_some_and(|name| name.starts_with(b"include"))
}

/// Returns, for each token of C, whether it is an item. The text in the parentheses of a call or a
/// function is left to other stages: a parameter without its argument, or the reverse, still
/// compiles and means whatever is in a register. A semicolon next to a brace is no item either,
/// because compilers then take a struct for the type of the following text.
fn may_go_in_c(text: &[u8], tokens: &[Token]) -> Vec<bool> {
    let word = |token: &Token| &text[token.range.clone()];
    let mut result = Vec::new();
    let mut open: Vec<bool> = Vec::new();
    let mut before: Option<&Token> = None;
    for (token, next) in tokens.iter().zip(tokens.iter().skip(1).map(Some).chain([None])) {
        let in_a_list = open.last() == Some(&true);
        match word(token) {
            b"(" => open.push(in_a_list || before.is_some_and(|before| is_name(word(before)))),
            b")" => _ = open.pop(),
            _ => {}
        }
        let is_behind = before.is_some_and(|before| word(before) == b"}");
        let is_before = next.is_some_and(|next| word(next) == b"}");
        let is_superfluous = before.is_some_and(|before| matches!(word(before), b"{" | b";"));
        let is_needed = word(token) == b";" && !is_superfluous && (is_behind || is_before);
        let is_no_parameter = word(token) == b"void"
            && before.is_some_and(|before| word(before) == b"(")
            && next.is_some_and(|next| word(next) == b")");
        result.push((!in_a_list || is_no_parameter) && !is_needed && !is_bracket(text, token));
        before = Some(token);
    }
    result
}

/// Returns whether a word before a parenthesis is a called or declared name.
fn is_name(word: &[u8]) -> bool {
    const OTHERS: [&[u8]; 6] = [b"if", b"while", b"for", b"switch", b"return", b"sizeof"];
    let is_word = word.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') || word == b")";
    is_word && !OTHERS.contains(&word)
}

fn is_bracket(text: &[u8], token: &Token) -> bool {
    matches!(&text[token.range.clone()], b"(" | b")" | b"[" | b"]" | b"{" | b"}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Build;
    use crate::execution::Execution;
    use crate::failure::{Failure, Frame, Kind};
    use std::sync::{Arc, OnceLock};

    fn model(name: &str, text: &str) -> Option<TokenModel> {
        model_of(Tokens::All, name, text)
    }

    fn model_of(which: Tokens, name: &str, text: &str) -> Option<TokenModel> {
        let frame = Frame { function: "main".into(), file: name.into(), line: 2, column: None };
        let target = Target {
            project: Project::single(&std::path::Path::new("/nowhere").join(name), Vec::new()),
            readers: Arc::default(),
            build: Build::default(),
            execution: Execution::default(),
            failure: Failure::new(Kind::Abort, "", vec![frame]),
            keeps_reason: false,
            guards: Vec::new(),
            fixed: Vec::new(),
            varying: Arc::default(),
            cancel: lapidary_reduce::Cancel::new(),
            deadline: None,
            watching: None,
            slice: OnceLock::new(),
        };
        TokenModel::new(&target, &FileTree::file(name, text), which)
    }

    #[test]
    fn everything_may_go_but_brackets_and_the_failing_line() {
        let model = model("a.c", "#include <x.h>\nabort();\nint n = f(1);\n").unwrap();
        let labels: Vec<&str> = model.items().iter().map(|item| item.label.as_str()).collect();
        assert_eq!(labels, ["#include <x.h>", "int", "n", "=", "f", ";"]);
        let keep = VarSet::of(6, [4, 5].map(Var::new));
        let text = model.render(&keep).unwrap();
        let Some(lapidary_reduce::Entry::File { content, .. }) = text.entry(std::path::Path::new("")) else { panic!() };
        let words = String::from_utf8_lossy(content).split_whitespace().map(String::from).collect::<Vec<_>>();
        assert_eq!(words, ["abort();", "f(1);"]);
    }

    #[test]
    fn only_directives_are_items_in_cpp() {
        assert_eq!(model("a.cpp", "#include <x>\nint n;\nint m;\n").unwrap().items().len(), 1);
        assert!(model("b.cpp", "int n;\n").is_none());
    }

    #[test]
    fn what_calls_and_declarations_are_made_of_stays_together() {
        let text = "struct s { int n; };\n\nint g(void);int f(int n) { ; while (n > 1) g(n + (2)); return (n); }\n";
        let model = model("a.c", text).unwrap();
        let labels: Vec<&str> = model.items().iter().map(|item| item.label.as_str()).collect();
        let expected = [
            "struct", "s", "int", "n", "int", "g", "void", ";", "int", "f", ";", "while", "n", ">", "1", "g", ";",
            "return", "n",
        ];
        assert_eq!(labels, expected);
    }

    #[test]
    fn includes_are_told_from_other_lines_of_the_preprocessor() {
        let text = "#include <x>\n#define include\n# include \"y\"\nint include;\n";
        let model = model_of(Tokens::Includes, "a.c", text).unwrap();
        let labels: Vec<&str> = model.items().iter().map(|item| item.label.as_str()).collect();
        assert_eq!(labels, ["#include <x>", "# include \"y\""]);
    }
}
