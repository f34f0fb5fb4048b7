//! The subject of a run: an input and its kind.

use crate::c::CProgram;
use crate::container::{Container, Found};
use crate::error::{Error, Result};
use crate::input;
use crate::java::JavaProgram;
use crate::recognise::{FrontEnd, Reading};
use anyhow::{Context, bail};
use lapidary_java_model::CODE;
use lapidary_json_model::JsonModel;
use lapidary_jvm::Compression;
use lapidary_logic::{Var, VarSet, dimacs};
use lapidary_reduce::{Blob, Entry, FileTree, Item, Keep, Model};
use lapidary_tree_model::{Language, language_of};
use regex::RegexSet;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// An input and its kind.
pub struct Subject {
    path: PathBuf,
    input: FileTree,
    /// The archive or class file that the input is.
    found: Found,
    pub(crate) front_end: FrontEnd,
    /// The files that a result must not overwrite.
    files: Vec<PathBuf>,
    /// The options that decide how the input is read, in words.
    reading: Vec<String>,
    /// When reading the input began.
    pub(crate) since: Instant,
}

impl Subject {
    /// Reads a file or a directory and recognises its kind.
    pub fn open(path: impl AsRef<Path>) -> Result<Subject> {
        Subject::open_as(path, &Reading::default())
    }

    /// Reads a file or a directory as `reading` says.
    pub fn open_as(path: impl AsRef<Path>, reading: &Reading) -> Result<Subject> {
        let since = Instant::now();
        let path = path.as_ref();
        let mut files = vec![path.to_owned()];
        files.extend(reading.class_path.iter().filter(|path| path.is_file()).cloned());
        Ok(Subject { since, files, ..Subject::of(path, input::read(path)?, reading)? })
    }

    /// A file in memory. Its kind is recognised by its name, under which the test sees it: a name
    /// without an extension means text or bytes, `crash.json` is reduced as JSON.
    pub fn bytes(name: &str, content: Vec<u8>) -> Result<Subject> {
        Subject::tree(FileTree::file(name, content), &Reading::default())
    }

    /// A file or a directory in memory.
    pub fn tree(input: FileTree, reading: &Reading) -> Result<Subject> {
        if Path::new(input.name()).file_name().is_none_or(|name| name != input.name()) || input.name().contains('\0') {
            return Err(Error::BadInput(format!("{:?} cannot be the name of a file", input.name())));
        }
        if input.bytes() == 0 {
            return Err(Error::BadInput(format!("{} is empty: there is nothing to reduce", input.name())));
        }
        Ok(Subject::of(&PathBuf::from(input.name()), input, reading)?)
    }

    fn of(path: &Path, input: FileTree, reading: &Reading) -> anyhow::Result<Subject> {
        let since = Instant::now();
        let found = Container::of(&input, reading.kind.as_deref())?;
        let tree = found.container.as_ref().map_or(&input, Container::tree).clone();
        let front_end = FrontEnd::of(path, &input, &tree, reading)?;
        if !matches!(front_end, FrontEnd::Java(_)) && !reading.class_path.is_empty() {
            bail!("--classpath is for Java programs, which {} is not", input.name());
        }
        Ok(Subject {
            path: path.to_owned(),
            input: tree,
            found,
            front_end,
            files: Vec::new(),
            reading: described(reading),
            since,
        })
    }

    /// A model made by another program (docs/reference/model-format.md). If an input is given, too,
    /// the whole model must render to it.
    pub fn from_model(model: &Path, input: Option<&Path>) -> Result<Subject> {
        Ok(Subject::read_model(model, input)?)
    }

    fn read_model(model: &Path, input: Option<&Path>) -> anyhow::Result<Subject> {
        let since = Instant::now();
        let parsed = JsonModel::read(model)?;
        let whole = parsed.render(&VarSet::full(parsed.constraint().variables()))?;
        if let Some(input) = input {
            let given = input::read(input)?;
            if given.content() != whole.content() {
                bail!("{} differs from what {} renders to when all items are kept", input.display(), model.display());
            }
        }
        let path = input.map_or_else(|| model.with_file_name(whole.name()), Path::to_owned);
        let front_end = FrontEnd::Fixed(Box::new(parsed), "json");
        let files = [Some(model), input].into_iter().flatten().map(Path::to_owned).collect();
        Ok(Subject { path, input: whole, found: Found::default(), front_end, files, reading: Vec::new(), since })
    }

    /// The files that a result must not overwrite.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The options that decide how the input is read, in words.
    pub(crate) fn reading(&self) -> &[String] {
        &self.reading
    }

    /// The path of the input, or the name of one in memory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The files to reduce; for a jar, the files in it.
    pub fn input(&self) -> &FileTree {
        &self.input
    }

    pub(crate) fn c(&self) -> Option<&CProgram> {
        match &self.front_end {
            FrontEnd::C(program, _) => Some(program),
            _ => None,
        }
    }

    /// The Java program, if the subject is one.
    pub fn java(&self) -> Option<&JavaProgram> {
        match &self.front_end {
            FrontEnd::Java(program) => Some(program),
            _ => None,
        }
    }

    /// Remarks about the input that a user should know before the reduction.
    pub fn notes(&self) -> Vec<String> {
        self.found.notes.iter().cloned().chain(self.front_end_notes()).collect()
    }

    fn front_end_notes(&self) -> Vec<String> {
        match (&self.front_end, self.input.entry(Path::new(""))) {
            (FrontEnd::Java(program), _) => program.notes(),
            (FrontEnd::C(program, _), _) => program.notes(),
            (FrontEnd::Text(None), Some(Entry::File { content, .. })) => {
                let unread = language_of(Path::new(self.input.name()), content);
                let note = |language: Language| {
                    let (name, grammar) = (self.input.name(), language.name());
                    format!("the grammar of {grammar} takes too long on {name}, so it is treated as plain text")
                };
                unread.map(note).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Packs a tree in the form of the input: a jar, if that is one.
    pub fn packed(&self, tree: &FileTree) -> Result<FileTree> {
        Ok(self.packed_with(tree, Compression::Deflated)?)
    }

    /// Packs a result that will soon be replaced, so that a jar is not compressed.
    pub(crate) fn packed_for_now(&self, tree: &FileTree) -> anyhow::Result<FileTree> {
        self.packed_with(tree, Compression::Stored)
    }

    fn packed_with(&self, tree: &FileTree, compression: Compression) -> anyhow::Result<FileTree> {
        let Some(container) = self.container() else { return Ok(tree.clone()) };
        container.pack(tree, compression)?.with_context(|| format!("nothing is left of {}", tree.name()))
    }

    /// The archive or class file that the input is.
    pub(crate) fn container(&self) -> Option<&Container> {
        self.found.container.as_ref()
    }

    /// Unpacks a packed result into the tree it was made from.
    pub(crate) fn unpacked(&self, result: FileTree) -> anyhow::Result<FileTree> {
        self.container().map_or(Ok(result.clone()), |container| container.unpack(&result))
    }

    /// The kind of the input, as `--as` names it.
    pub fn name(&self) -> String {
        match &self.front_end {
            FrontEnd::Fixed(_, name) => (*name).to_owned(),
            FrontEnd::Java(program) => program.name().to_owned(),
            FrontEnd::C(_, language) => language.name().to_owned(),
            FrontEnd::Text(Some(language)) => format!("tree:{}", language.name()),
            FrontEnd::Text(None) => "text".to_owned(),
            FrontEnd::Directory => "dir".to_owned(),
            FrontEnd::Lines => "lines".to_owned(),
            FrontEnd::Tokens => "tokens".to_owned(),
            FrontEnd::Bytes => "bytes".to_owned(),
        }
    }

    /// The items of a fixed model.
    pub fn items(&self) -> Option<&[Item]> {
        match &self.front_end {
            FrontEnd::Fixed(model, _) => Some(model.items()),
            _ => None,
        }
    }

    /// The labels of the items, if the model has named items.
    pub(crate) fn labels(&self) -> Option<Vec<String>> {
        match &self.front_end {
            FrontEnd::Fixed(..) | FrontEnd::Java(_) => {
                self.with_model(&self.input, |model| model.items().iter().map(|item| item.label.clone()).collect())
            }
            _ => None,
        }
    }

    /// A function that says whether an item must stay: its label or that of its owner matches, a
    /// matching item is inside it, or it is in the code of a method whose code matches. The
    /// enclosing items are computed here, because a model of the classes does not know the items in
    /// them, and a model of the parameters does not know the methods.
    pub(crate) fn keeping(&self, labels: RegexSet) -> Keep<'static> {
        let around = match &self.front_end {
            FrontEnd::Java(_) => self.with_model(&self.input, |model| around(model.items(), &labels)),
            _ => None,
        };
        let around = around.unwrap_or_default();
        Box::new(move |item, items| {
            let stays = |label: &str| labels.is_match(label) || around.contains(label);
            let is_kept_code = |outer: &Item| outer.kind == CODE && labels.is_match(&outer.label);
            stays(&item.label) || item.owner.as_deref().is_some_and(stays) || item.ancestors(items).any(is_kept_code)
        })
    }

    /// A key of the items and clauses of a fixed model. Empty for other models, which follow from
    /// the input.
    pub(crate) fn fingerprint(&self) -> String {
        match &self.front_end {
            FrontEnd::Fixed(model, _) => {
                let label = |var: Var| model.items().get(var.index()).map(|item| item.label.clone());
                Blob::from(dimacs::write(model.constraint(), label).into_bytes()).key().to_string()
            }
            _ => String::new(),
        }
    }
}

/// How the input is read, as a command line would say it.
fn described(reading: &Reading) -> Vec<String> {
    let libraries = reading.class_path.iter().map(|path| {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        format!("--classpath {}", path.display())
    });
    let flags = reading.compiler_flags.iter().map(|flag| format!("--cflags {flag}"));
    libraries.chain(flags).collect()
}

/// The labels of all items that enclose a matching item.
fn around(items: &[Item], labels: &RegexSet) -> BTreeSet<String> {
    let matching = items.iter().filter(|item| labels.is_match(&item.label));
    matching.flat_map(|item| item.ancestors(items)).map(|outer| outer.label.clone()).collect()
}
