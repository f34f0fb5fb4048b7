//! A model whose items are names. Removing an item replaces the name by a short one throughout the
//! program.
//!
//! Only names that the program itself declares are offered, and none that the failure shows, such
//! as a function on the stack or a word of the message. A header may use the same word for
//! something else, which is not checked with libclang. A candidate in which this matters does not
//! compile and is rejected.

use super::target::Target;
use lapidary_clang::{FileId, Sources, Syntax, TokenKind, tokens};
use lapidary_clang_model::{Layout, Project, apply};
use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{FileTree, Item, Model, RenderError};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A program whose items are the names that stay unchanged.
pub(super) struct RenameModel {
    project: Project,
    tree: FileTree,
    sources: Sources,
    names: Vec<Name>,
    items: Vec<Item>,
    constraint: Cnf,
}

struct Name {
    short: String,
    places: Vec<(FileId, Range<usize>)>,
}

impl RenameModel {
    pub fn new(target: &Target, tree: &FileTree) -> Option<RenameModel> {
        let units = target.units(tree)?;
        let sources = target.project.sources(tree);
        let words = words(&sources);
        let shown = shown(target);
        let own = declared(&units).into_iter().filter(|name| name != "main" && !shown.contains(name));
        let mut long: Vec<(String, Vec<_>)> =
            own.filter_map(|name| words.places.get(name.as_bytes()).map(|places| (name, places.clone()))).collect();
        // The names that take the most space get the shortest replacements.
        long.sort_by_key(|(name, places)| (Reverse(name.len() * places.len()), name.clone()));
        let mut fresh = fresh(&words).peekable();
        let (mut names, mut items) = (Vec::new(), Vec::new());
        for (name, places) in long {
            let Some(short) = fresh.next_if(|short| short.len() < name.len()) else { continue };
            let saved = (name.len() - short.len()) * places.len();
            items.push(Item::new(format!("name {name}"), "name").costing(saved as u64));
            names.push(Name { short, places });
        }
        let (project, tree, constraint) = (target.project.clone(), tree.clone(), Cnf::new(items.len()));
        (!items.is_empty()).then_some(RenameModel { project, tree, sources, names, items, constraint })
    }
}

/// A range in a file and the text that replaces it.
type Replacement<'a> = (Range<usize>, &'a [u8]);

impl Model for RenameModel {
    fn items(&self) -> &[Item] {
        &self.items
    }

    fn constraint(&self) -> &Cnf {
        &self.constraint
    }

    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError> {
        let mut edits: BTreeMap<FileId, Vec<Replacement<'_>>> = BTreeMap::new();
        let changed = self.names.iter().enumerate().filter(|(index, _)| !keep.contains(Var::new(*index)));
        for (_, name) in changed {
            for (file, range) in &name.places {
                edits.entry(*file).or_default().push((range.clone(), name.short.as_bytes()));
            }
        }
        let texts = edits.into_iter().map(|(file, mut edits)| {
            edits.sort_by_key(|(range, _)| range.start);
            (file, apply(&self.sources.files[file.index()].text, edits, Layout::KeepLines))
        });
        Ok(self.project.with_texts(&self.tree, texts))
    }
}

/// All words of the files.
struct Words {
    /// The places of words outside directives.
    places: BTreeMap<Vec<u8>, Vec<(FileId, Range<usize>)>>,
    /// The words in directives, where a macro could use them for anything.
    in_directives: BTreeSet<Vec<u8>>,
}

fn words(sources: &Sources) -> Words {
    let mut words = Words { places: BTreeMap::new(), in_directives: BTreeSet::new() };
    for (index, file) in sources.files.iter().enumerate() {
        for token in tokens(&file.text) {
            let text = &file.text[token.range.clone()];
            match token.kind {
                TokenKind::Word => {
                    words.places.entry(text.to_vec()).or_default().push((FileId::new(index), token.range));
                }
                TokenKind::Directive => words.in_directives.extend(split(text).map(<[u8]>::to_vec)),
                TokenKind::Number | TokenKind::Text | TokenKind::Punctuation => {}
            }
        }
    }
    words.places.retain(|word, _| !words.in_directives.contains(word));
    words
}

/// Returns the names that are declared in the program's own files.
fn declared(units: &[Syntax]) -> BTreeSet<String> {
    let own = units.iter().flat_map(|unit| &unit.entities);
    let own = own.filter(|entity| !entity.declarations.is_empty() && !entity.is_foreign);
    own.map(|entity| entity.name.clone()).collect()
}

/// Returns the words of the failure as the user has seen it.
fn shown(target: &Target) -> BTreeSet<String> {
    let functions = target.failure.frames.iter().map(|frame| frame.function.as_str());
    let texts = functions.chain([target.failure.message.as_str()]);
    texts.flat_map(|text| split(text.as_bytes())).map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

fn split(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_')).filter(|word| !word.is_empty())
}

/// Returns the names `a`, `b`, …, `z`, `aa`, … that no file has as a word.
fn fresh(words: &Words) -> impl Iterator<Item = String> {
    const RESERVED: [&str; 3] = ["do", "if", "or"];
    let taken =
        |name: &str| words.places.contains_key(name.as_bytes()) || words.in_directives.contains(name.as_bytes());
    let pairs = ('a'..='z').flat_map(|first| ('a'..='z').map(move |second| format!("{first}{second}")));
    let all = ('a'..='z').map(String::from).chain(pairs);
    all.filter(move |name| !taken(name) && !RESERVED.contains(&name.as_str()))
}
