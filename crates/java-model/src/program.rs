//! The input: a tree of files, split into classes that were parsed and other files.

use lapidary_classfile::raw::{ClassFile, Constant};
use lapidary_classfile::{Class, Text};
use lapidary_reduce::{Entry, FileTree};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A program to be reduced.
pub struct Program {
    name: String,
    files: Vec<ProgramFile>,
    classes: Vec<ProgramClass>,
    by_name: HashMap<Text, usize>,
    methods: HashMap<(usize, Text, Text), usize>,
    /// Class files that are not analysed although no other class has their name, by their index
    /// among the resources.
    closed: HashMap<Text, usize>,
    /// Notes about the input for the user.
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
    /// The class without members and attributes, as a template for what is left of it.
    shell: Class,
    /// The index of the file that holds the class.
    file: usize,
}

/// The kind of a file of the program.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileOf {
    Class(usize),
    /// A file that is not analysed as a class, by its index among these.
    Resource(usize),
    /// The manifest of a jar, which always stays.
    Manifest,
}

impl Program {
    /// Reads a directory. A single file has no contents to remove.
    pub fn read(tree: &FileTree) -> Program {
        let mut program = Program {
            name: tree.name().to_owned(),
            files: Vec::new(),
            classes: Vec::new(),
            by_name: HashMap::new(),
            methods: HashMap::new(),
            closed: HashMap::new(),
            notes: Vec::new(),
        };
        let mut names = HashSet::new();
        let files: Vec<_> = tree.entries().filter(|_| tree.is_directory()).collect();
        let classes: Vec<_> = files.iter().map(|(path, entry)| program.understand(path, entry, &mut names)).collect();
        let too_deep = too_deep(classes.iter().flatten());
        if let Some(first) = too_deep.iter().min() {
            let count = too_deep.len();
            program
                .notes
                .push(format!("{count} classes have more than {LEVELS} above them and stay whole, {first} for one"));
        }
        let mut resources = 0;
        for ((path, entry), class) in files.into_iter().zip(classes) {
            let content = program.add(path, class, &too_deep, &mut resources);
            program.files.push(ProgramFile { path: path.to_owned(), entry: entry.clone(), content });
        }
        program
    }

    fn add(&mut self, path: &Path, class: Option<Class>, too_deep: &HashSet<Text>, resources: &mut usize) -> FileOf {
        match class {
            Some(class) if !too_deep.contains(&class.name) => return FileOf::Class(self.add_class(class)),
            Some(class) => _ = self.closed.insert(class.name, *resources),
            None if path == Path::new("META-INF/MANIFEST.MF") => return FileOf::Manifest,
            None => {}
        }
        *resources += 1;
        FileOf::Resource(*resources - 1)
    }

    fn add_class(&mut self, mut class: Class) -> usize {
        let index = self.classes.len();
        let shell = shell(&mut class);
        self.by_name.insert(class.name.clone(), index);
        for (place, method) in class.methods.iter().enumerate() {
            self.methods.entry((index, method.name.clone(), method.descriptor.clone())).or_insert(place);
        }
        self.classes.push(ProgramClass { class: Arc::new(class), shell, file: self.files.len() });
        index
    }

    /// The class in a file. `None` if it is malformed, a version for another release, or the second
    /// class of its name; such a file is kept or dropped as a whole.
    fn understand(&mut self, path: &Path, entry: &Entry, names: &mut HashSet<Text>) -> Option<Class> {
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
        if !names.insert(class.name.clone()) {
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

    /// A class with its name and supertypes, and nothing else.
    pub fn shell(&self, index: usize) -> &Class {
        &self.classes[index].shell
    }

    /// The index of the class with this internal name.
    pub fn find(&self, name: &Text) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The resource that holds the class of this name, if that class is not analysed.
    pub fn find_closed(&self, name: &Text) -> Option<usize> {
        self.closed.get(name).copied()
    }

    /// A method that a class of the program declares itself.
    pub fn find_method(&self, class: &Text, name: &Text, descriptor: &Text) -> Option<(usize, usize)> {
        let class = self.find(class)?;
        let method = self.methods.get(&(class, name.clone(), descriptor.clone()))?;
        Some((class, *method))
    }

    /// The files that are not analysed, in the order of their indices.
    pub(crate) fn resources(&self) -> impl Iterator<Item = (&Path, &Entry)> {
        let resources = self.files.iter().filter(|file| matches!(file.content, FileOf::Resource(_)));
        resources.map(|file| (file.path.as_path(), &file.entry))
    }

    /// Pairs of files, the first of which needs the second. Versions, for the same release, of
    /// classes nested in each other may use each other's private members.
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

    /// The original file of a class.
    pub(crate) fn original(&self, class: usize) -> &Entry {
        &self.files[self.classes[class].file].entry
    }

    /// The other classes of the program that the constant pool of a class names, used or not.
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

    /// Builds the tree with the content that `content` gives for each file; `None` removes the
    /// file.
    pub(crate) fn assemble(&self, mut content: impl FnMut(FileOf, &Entry) -> Option<Entry>) -> FileTree {
        let files = self.files.iter().filter_map(|file| Some((file.path.clone(), content(file.content, &file.entry)?)));
        FileTree::directory(&self.name, files.collect())
    }
}

/// Makes a copy without members and attributes, which are the bulk of a class.
fn shell(class: &mut Class) -> Class {
    let (fields, methods) = (std::mem::take(&mut class.fields), std::mem::take(&mut class.methods));
    let attributes = std::mem::take(&mut class.attributes);
    let shell = class.clone();
    (class.fields, class.methods, class.attributes) = (fields, methods, attributes);
    shell
}

/// The limit on supertype levels above an analysed class. Real programs have a few dozen, and the
/// JVM itself gives up at some thousands. The rules recurse over supertypes, and this bounds the
/// depth.
const LEVELS: usize = 500;

/// The classes with more supertype levels than the limit.
fn too_deep<'a>(classes: impl Iterator<Item = &'a Class>) -> HashSet<Text> {
    let classes: HashMap<&Text, &Class> = classes.map(|class| (&class.name, class)).collect();
    let mut names: Vec<&Text> = classes.keys().copied().collect();
    names.sort();
    let mut levels: HashMap<&Text, usize> = HashMap::new();
    for name in names {
        measure(name, &classes, &mut levels);
    }
    levels.into_iter().filter(|(_, level)| *level > LEVELS).map(|(name, _)| name.clone()).collect()
}

/// Computes the number of supertype levels of a class and of all its supertypes, without recursion.
/// In a cycle, the edge back to its start does not count.
fn measure<'a>(start: &'a Text, classes: &HashMap<&'a Text, &'a Class>, levels: &mut HashMap<&'a Text, usize>) {
    let mut open = vec![start];
    while let Some(name) = open.last().copied() {
        let above = classes.get(name).into_iter().flat_map(|class| class.superclass.iter().chain(&class.interfaces));
        let unknown: Vec<&Text> =
            above.clone().filter(|above| classes.contains_key(above) && !levels.contains_key(above)).collect();
        let is_new = levels.insert(name, 0).is_none();
        if is_new && !unknown.is_empty() {
            open.extend(unknown);
            continue;
        }
        let level = above.filter_map(|above| levels.get(above)).max().map_or(0, |highest| highest + 1);
        levels.insert(name, level);
        open.pop();
    }
}

/// The class in a file, or the reason why it cannot be parsed. `None` if the file's name is not
/// that of a class file.
pub(crate) fn class_in(path: &Path, entry: &Entry) -> Option<Result<Class, lapidary_classfile::ParseError>> {
    match entry {
        Entry::File { content, .. } if path.extension().is_some_and(|extension| extension == "class") => {
            Some(Class::read(content))
        }
        _ => None,
    }
}
