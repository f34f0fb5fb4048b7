//! The model that a JSON document describes.

use crate::format::{self, ClauseEntry, Document, ItemEntry, Object};
use crate::layout::{Layout, Part};
use crate::names::Names;
use crate::{ModelError, Place, Problem};
use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{Blob, Entry, FileTree, Item, Model, RenderError};
use std::fs;
use std::io;
use std::path::{Component, Path};

/// A model whose items and clauses come from a JSON file.
///
/// Kept items are written in the order in which they are listed. A removed item leaves its
/// placeholder, if it has one and its parent is kept.
pub struct JsonModel {
    name: String,
    items: Vec<Item>,
    texts: Vec<Text>,
    layout: Layout,
    constraint: Cnf,
    preference: Option<Cnf>,
}

/// The text that an item writes.
struct Text {
    kept: Blob,
    gone: Option<Blob>,
}

impl JsonModel {
    /// Reads a model file. The paths of its texts are relative to its directory.
    pub fn read(path: &Path) -> Result<JsonModel, ModelError> {
        let located = |problem| ModelError { path: path.to_owned(), problem: Box::new(problem) };
        let json = fs::read(path).map_err(|error| located(Problem::Unreadable(error)))?;
        let base = path.parent().unwrap_or(Path::new(""));
        format::document(&json).and_then(|document| JsonModel::build(document, base)).map_err(located)
    }

    /// Parses a model from JSON text. The paths of its texts are relative to the directory `base`.
    pub fn parse(text: &str, base: &Path) -> Result<JsonModel, Problem> {
        JsonModel::build(format::document(text.as_bytes())?, base)
    }

    fn build(document: Document, base: &Path) -> Result<JsonModel, Problem> {
        check_name(&document.name)?;
        if document.items.is_empty() {
            return Err(Problem::NoItems);
        }
        let names = Names::of(&document)?;
        let parents = parents(&document, &names)?;
        let layout = Layout::of(&document, &parents, &names)?;
        let constraint = constraint(&document, &parents, &names)?;
        let preference = preference(&document, &names)?;
        let texts = texts(&document, base, &names)?;
        let items = items(&document, &parents, &texts, &names)?;
        Ok(JsonModel { name: document.name, items, texts, layout, constraint, preference })
    }
}

impl Model for JsonModel {
    fn items(&self) -> &[Item] {
        &self.items
    }

    fn constraint(&self) -> &Cnf {
        &self.constraint
    }

    fn preference(&self) -> Option<&Cnf> {
        self.preference.as_ref()
    }

    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError> {
        let entry = |part: &Part, content: Blob| Entry::File { content, executable: part.executable };
        Ok(match &self.layout {
            Layout::File(part) => FileTree::single(&self.name, entry(part, concatenated(&self.written(part, keep)))),
            Layout::Directory(parts) => {
                let written = parts.iter().map(|(path, part)| (path, part, self.written(part, keep)));
                let left = written.filter(|(_, _, texts)| !texts.is_empty());
                let entries = left.map(|(path, part, texts)| (path.clone(), entry(part, concatenated(&texts))));
                FileTree::directory(&self.name, entries.collect())
            }
        })
    }
}

impl JsonModel {
    /// The texts of a file that are written when `keep` is kept. A file without any is removed.
    fn written(&self, part: &Part, keep: &VarSet) -> Vec<&Blob> {
        let written = part.items.iter().filter_map(|&index| {
            let parent_kept = || self.items[index].parent.is_none_or(|parent| keep.contains(parent));
            match keep.contains(Var::new(index)) {
                true => Some(&self.texts[index].kept),
                false => self.texts[index].gone.as_ref().filter(|_| parent_kept()),
            }
        });
        written.collect()
    }
}

/// Joins texts. A single text is shared, not copied, because most files of a candidate are
/// unchanged.
fn concatenated(texts: &[&Blob]) -> Blob {
    match texts {
        [text] => (*text).clone(),
        texts => texts.iter().map(|text| &text[..]).collect::<Vec<&[u8]>>().concat().into(),
    }
}

fn check_name(name: &str) -> Result<(), Problem> {
    let mut components = Path::new(name).components();
    let is_plain =
        matches!((components.next(), components.next()), (Some(Component::Normal(only)), None) if only == name);
    match is_plain && !name.contains('\0') {
        true => Ok(()),
        false => Err(Problem::NotAName { name: name.to_owned() }),
    }
}

fn parents(document: &Document, names: &Names<'_>) -> Result<Vec<Option<Var>>, Problem> {
    let parent = |(index, Object(entry)): (usize, &Object<ItemEntry>)| {
        entry.parent.as_ref().map(|label| names.parent(index, label)).transpose()
    };
    let parents: Vec<Option<Var>> = document.items.iter().enumerate().map(parent).collect::<Result<_, _>>()?;
    match cycle(&parents) {
        None => Ok(parents),
        Some(cycle) => {
            let labels = cycle.into_iter().map(|index| document.items[index].0.label.clone()).collect();
            Err(Problem::CyclicParents { labels })
        }
    }
}

/// A cycle of items, each of which is inside the next, and the last inside the first.
fn cycle(parents: &[Option<Var>]) -> Option<Vec<usize>> {
    // For each item, the start of the upward walk on which it was first seen.
    let mut seen_on: Vec<Option<usize>> = vec![None; parents.len()];
    for start in 0..parents.len() {
        let up = |index: &usize| parents[*index].map(Var::index);
        let mut current = Some(start);
        while let Some(index) = current.filter(|&index| seen_on[index].is_none()) {
            seen_on[index] = Some(start);
            current = up(&index);
        }
        if let Some(met) = current.filter(|&index| seen_on[index] == Some(start)) {
            let mut round = vec![met];
            round.extend(std::iter::successors(up(&met), up).take_while(|&index| index != met));
            return Some(round);
        }
    }
    None
}

fn constraint(document: &Document, parents: &[Option<Var>], names: &Names<'_>) -> Result<Cnf, Problem> {
    let mut cnf = Cnf::new(names.len());
    for (index, parent) in parents.iter().enumerate() {
        parent.iter().for_each(|&parent| cnf.imply(Var::new(index), parent));
    }
    let place = |position, clause| Place::Clause { position, clause };
    add_clauses(&mut cnf, document.clauses.as_deref(), names, place)?;
    Ok(cnf)
}

fn preference(document: &Document, names: &Names<'_>) -> Result<Option<Cnf>, Problem> {
    let mut cnf = Cnf::new(names.len());
    let place = |position, clause| Place::Preference { position, clause };
    add_clauses(&mut cnf, document.preference.as_deref(), names, place)?;
    Ok(Some(cnf).filter(|cnf| !cnf.is_empty()))
}

fn add_clauses(
    cnf: &mut Cnf,
    clauses: Option<&[Object<ClauseEntry>]>,
    names: &Names<'_>,
    place: impl Fn(usize, String) -> Place,
) -> Result<(), Problem> {
    let mut numbered = clauses.unwrap_or_default().iter().zip(1..);
    numbered.try_for_each(|(Object(clause), position)| names.add_clause(cnf, clause, |text| place(position, text)))
}

fn texts(document: &Document, base: &Path, names: &Names<'_>) -> Result<Vec<Text>, Problem> {
    let text = |(index, Object(entry)): (usize, &Object<ItemEntry>)| {
        let kept = match (&entry.text, &entry.from) {
            (Some(_), Some(_)) => return Err(Problem::TwoTexts { place: names.place(index) }),
            (text, None) => Blob::from(text.as_deref().unwrap_or_default()),
            (None, Some(from)) => {
                let path = base.join(from);
                content(&path).map_err(|error| Problem::UnreadableText { place: names.place(index), path, error })?
            }
        };
        Ok(Text { kept, gone: entry.placeholder.as_deref().map(Blob::from) })
    };
    document.items.iter().enumerate().map(text).collect()
}

/// Reads a regular file. Pipes and devices are rejected, because reading them need not end.
fn content(path: &Path) -> io::Result<Blob> {
    match fs::metadata(path)?.is_file() {
        true => fs::read(path).map(Blob::from),
        false => Err(io::Error::other("it is not a regular file")),
    }
}

fn items(
    document: &Document,
    parents: &[Option<Var>],
    texts: &[Text],
    names: &Names<'_>,
) -> Result<Vec<Item>, Problem> {
    let mut total = 0u64;
    let mut items = Vec::with_capacity(texts.len());
    for (index, (Object(entry), text)) in document.items.iter().zip(texts).enumerate() {
        let cost = entry.cost.unwrap_or(text.kept.len() as u64);
        total = total.checked_add(cost).ok_or_else(|| Problem::TooExpensive { place: names.place(index) })?;
        let kind = entry.kind.clone().unwrap_or_else(|| "item".to_owned());
        items.push(Item { parent: parents[index], ..Item::new(&entry.label, kind).costing(cost) });
    }
    Ok(items)
}
