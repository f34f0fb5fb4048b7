//! The input: a tree of files, as classes that are understood and files that are not.

use lapidary_classfile::raw::{ClassFile, Constant};
use lapidary_classfile::{Class, Text};
use lapidary_reduce::{Entry, FileTree};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A program to be reduced.
pub struct Program {
    name: String,
    files: Vec<ProgramFile>,
    classes: Vec<ProgramClass>,
    by_name: HashMap<Text, usize>,
    methods: HashMap<(usize, Text, Text), usize>,
    /// What a user should know about the input.
    pub notes: Vec<String>,
}

struct ProgramFile {
    path: PathBuf,
    entry: Entry,
    content: FileOf,
}

/// A class of the program.
pub struct ProgramClass {
    pub class: Arc<Class>,
    /// The number of the file it is in.
    file: usize,
}

/// What a file of the program is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileOf {
    Class(usize),
    /// Anything that is not understood as a class, by its number among these.
    Resource(usize),
    /// The manifest of a jar, which always stays.
    Manifest,
}

impl Program {
    /// Takes a directory apart. A single file has nothing in it.
    pub fn read(tree: &FileTree) -> Program {
        let mut program = Program {
            name: tree.name().to_owned(),
            files: Vec::new(),
            classes: Vec::new(),
            by_name: HashMap::new(),
            methods: HashMap::new(),
            notes: Vec::new(),
        };
        let mut resources = 0;
        for (path, entry) in tree.entries().filter(|_| tree.is_directory()) {
            program.add(path, entry, &mut resources);
        }
        program
    }

    fn add(&mut self, path: &Path, entry: &Entry, resources: &mut usize) {
        let content = match self.understand(path, entry) {
            Some(class) => FileOf::Class(self.add_class(class)),
            None if path == Path::new("META-INF/MANIFEST.MF") => FileOf::Manifest,
            None => {
                *resources += 1;
                FileOf::Resource(*resources - 1)
            }
        };
        self.files.push(ProgramFile { path: path.to_owned(), entry: entry.clone(), content });
    }

    fn add_class(&mut self, class: Class) -> usize {
        let index = self.classes.len();
        self.by_name.insert(class.name.clone(), index);
        for (place, method) in class.methods.iter().enumerate() {
            self.methods.entry((index, method.name.clone(), method.descriptor.clone())).or_insert(place);
        }
        self.classes.push(ProgramClass { class: Arc::new(class), file: self.files.len() });
        index
    }

    /// The class in a file, unless it is malformed, another release's version, or the second of its name: then the file
    /// is kept or dropped as a whole.
    fn understand(&mut self, path: &Path, entry: &Entry) -> Option<Class> {
        let class = class_in(path, entry)?;
        let class = match class {
            Ok(class) => class,
            Err(error) => {
                self.notes.push(format!("{} is not looked into: {error}", path.display()));
                return None;
            }
        };
        if path.starts_with("META-INF/versions") {
            return None;
        }
        if self.by_name.contains_key(&class.name) {
            self.notes.push(format!("{} is not looked into: there is another class {}", path.display(), class.name));
            return None;
        }
        Some(class)
    }

    pub fn classes(&self) -> impl ExactSizeIterator<Item = &Arc<Class>> {
        self.classes.iter().map(|class| &class.class)
    }

    pub fn class(&self, index: usize) -> &Class {
        &self.classes[index].class
    }

    /// The class of that internal name.
    pub fn find(&self, name: &Text) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// A method that a class of the program declares itself.
    pub fn find_method(&self, class: &Text, name: &Text, descriptor: &Text) -> Option<(usize, usize)> {
        let class = self.find(class)?;
        let method = self.methods.get(&(class, name.clone(), descriptor.clone()))?;
        Some((class, *method))
    }

    /// The files that are not understood, in the order of their numbers.
    pub(crate) fn resources(&self) -> impl Iterator<Item = (&Path, &Entry)> {
        let resources = self.files.iter().filter(|file| matches!(file.content, FileOf::Resource(_)));
        resources.map(|file| (file.path.as_path(), &file.entry))
    }

    /// Pairs of files of which the first cannot do without the second: versions, for the same release, of classes that
    /// are inside of each other know each other's secrets.
    pub(crate) fn inseparable_resources(&self) -> Vec<(usize, usize)> {
        let mut nests: BTreeMap<(PathBuf, Vec<u8>), Vec<usize>> = BTreeMap::new();
        for (number, (path, entry)) in self.resources().enumerate() {
            if let Some(Ok(class)) = class_in(path, entry) {
                let release = path.iter().take(3).collect();
                let outermost = class.name.as_bytes().split(|byte| *byte == b'$').next().unwrap_or_default().to_vec();
                nests.entry((release, outermost)).or_default().push(number);
            }
        }
        let around = |nest: Vec<usize>| {
            let next = nest.clone().into_iter().cycle().skip(1);
            nest.into_iter().zip(next).filter(|(one, other)| one != other).collect::<Vec<_>>()
        };
        nests.into_values().flat_map(around).collect()
    }

    /// The file that a class is in, as it was.
    pub(crate) fn original(&self, class: usize) -> &Entry {
        &self.files[self.classes[class].file].entry
    }

    /// The other classes of the program that the constant pool of a class names, whether or not anything uses the name.
    pub(crate) fn named_in_pool(&self, class: usize) -> BTreeSet<usize> {
        let Entry::File { content, .. } = self.original(class) else { return BTreeSet::new() };
        let Ok(file) = ClassFile::parse(content) else { return BTreeSet::new() };
        let name = |constant: &Constant<'_>| match constant {
            Constant::Class(name) => match file.pool.get(*name) {
                Constant::Utf8(bytes) => self.find(&Text::from_bytes(bytes)),
                _ => None,
            },
            _ => None,
        };
        file.pool.constants().iter().filter_map(name).filter(|named| *named != class).collect()
    }

    /// The tree with what `content` gives for each file: none if the file goes.
    pub(crate) fn assemble(&self, mut content: impl FnMut(FileOf, &Entry) -> Option<Entry>) -> FileTree {
        let files = self.files.iter().filter_map(|file| Some((file.path.clone(), content(file.content, &file.entry)?)));
        FileTree::directory(&self.name, files.collect())
    }
}

/// The class in a file, or why it is none, if the file's name says that it should hold one.
pub(crate) fn class_in(path: &Path, entry: &Entry) -> Option<Result<Class, lapidary_classfile::ParseError>> {
    match entry {
        Entry::File { content, .. } if path.extension().is_some_and(|extension| extension == "class") => {
            Some(Class::read(content))
        }
        _ => None,
    }
}
