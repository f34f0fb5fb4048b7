//! Java programs: the classes of a jar, a directory or a single file, the libraries, the models.

use anyhow::{Context, bail};
use lapidary_java_model::{ClassModel, CollapseModel, Detail, ItemModel, ManifestModel, ParameterModel};
use lapidary_jvm::{ClassPath, Platform};
use lapidary_reduce::{Builder, Content, Entry, FileTree, Model};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// A Java program with its class path.
pub struct JavaProgram {
    /// The files in the jar, or the directory.
    tree: FileTree,
    class_path: Arc<ClassPath>,
    main_view: JavaView,
    overview: OnceLock<Overview>,
}

/// Facts from the item model of the whole program. Building that model takes seconds for a large
/// program, so they are kept.
struct Overview {
    notes: Vec<String>,
    detail: Detail,
    items: usize,
    clauses: usize,
}

impl Overview {
    fn of(model: &ItemModel, detail: Detail) -> Overview {
        Overview { notes: model.notes(), detail, items: model.items().len(), clauses: model.constraint().len() }
    }
}

/// A view, its strategy, and whether the model's preference is obeyed.
pub(crate) type JavaStage<'s> = (JavaView, &'s str, bool);

/// One way to see a program as items.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum JavaView {
    Classes,
    Items,
    Statements,
    Parameters,
    Collapse,
    Manifest,
}

impl JavaView {
    /// The view that `--as KIND` asks for.
    pub fn requested(kind: &str) -> Option<JavaView> {
        match kind {
            "java" => Some(JavaView::Items),
            "java-classes" => Some(JavaView::Classes),
            "java-statements" => Some(JavaView::Statements),
            "java-parameters" => Some(JavaView::Parameters),
            "java-collapse" => Some(JavaView::Collapse),
            "java-manifest" => Some(JavaView::Manifest),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            JavaView::Classes => "classes",
            JavaView::Items => "items",
            JavaView::Statements => "statements",
            JavaView::Parameters => "parameters",
            JavaView::Collapse => "collapse",
            JavaView::Manifest => "manifest",
        }
    }

    /// Whether removing an item also changes the code that uses it.
    pub fn changes_callers(self) -> bool {
        matches!(self, JavaView::Parameters | JavaView::Collapse)
    }

    /// The detail of the item model of this view, if it has one.
    fn detail(self) -> Option<Detail> {
        match self {
            JavaView::Items => Some(Detail::Items),
            JavaView::Statements => Some(Detail::Statements),
            JavaView::Classes | JavaView::Parameters | JavaView::Collapse | JavaView::Manifest => None,
        }
    }
}

impl JavaProgram {
    /// Opens the files of a program: a directory, or the files of a jar.
    pub(crate) fn open(tree: &FileTree, libraries: &[PathBuf], main_view: JavaView) -> anyhow::Result<JavaProgram> {
        if !tree.entries().any(|(path, _)| is_class_file(path)) {
            bail!("{} holds no class files", tree.name());
        }
        let platform = Platform::installed();
        let class_path = ClassPath::open(libraries, platform.ok()).context("--classpath")?;
        let tree = tree.clone();
        Ok(JavaProgram { tree, class_path: Arc::new(class_path), main_view, overview: OnceLock::new() })
    }

    /// The JDK whose classes the program uses.
    pub(crate) fn platform(&self) -> Option<&Platform> {
        self.class_path.platform()
    }

    /// The directories and jars with the classes that the program uses.
    pub fn libraries(&self) -> Vec<PathBuf> {
        self.class_path.paths().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned())).collect()
    }

    pub(crate) fn name(&self) -> &'static str {
        match self.main_view {
            JavaView::Classes => "java-classes",
            JavaView::Items => "java",
            JavaView::Statements => "java-statements",
            JavaView::Parameters => "java-parameters",
            JavaView::Collapse => "java-collapse",
            JavaView::Manifest => "java-manifest",
        }
    }

    /// Remarks about the input that a user should know before the reduction.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.class_path.platform().is_none() {
            notes.push("no JDK was found, so the classes of Java itself count as missing; set JAVA_HOME".to_owned());
        }
        match self.main_view {
            // These views need no item model.
            JavaView::Classes => notes.extend_from_slice(ClassModel::new(&self.tree).notes()),
            JavaView::Manifest => {}
            _ => notes.extend_from_slice(&self.overview().notes),
        }
        notes
    }

    /// The number of items and clauses of the main view on the whole program, if it is an item
    /// model that was built.
    pub(crate) fn measured(&self) -> Option<(usize, usize)> {
        let overview = self.overview.get().filter(|overview| Some(overview.detail) == self.main_view.detail())?;
        Some((overview.items, overview.clauses))
    }

    fn overview(&self) -> &Overview {
        let detail = self.main_view.detail().unwrap_or(Detail::Items);
        self.overview.get_or_init(|| Overview::of(&ItemModel::new(&self.tree, self.class_path.clone(), detail), detail))
    }

    fn item_model(&self, tree: &FileTree, detail: Detail) -> ItemModel {
        let model = ItemModel::new(tree, self.class_path.clone(), detail);
        if self.main_view.detail() == Some(detail) && tree.key() == self.tree.key() {
            self.overview.get_or_init(|| Overview::of(&model, detail));
        }
        model
    }

    /// The view that `lapidary model` shows and that a requested strategy works on.
    pub(crate) fn main_view(&self) -> JavaView {
        self.main_view
    }

    /// The stages of the default plan.
    pub(crate) fn stages(&self) -> &'static [JavaStage<'static>] {
        match self.main_view {
            JavaView::Classes => &[(JavaView::Classes, "binary", false)],
            JavaView::Parameters => &[(JavaView::Parameters, "gbr+polish", false)],
            JavaView::Collapse => &[(JavaView::Collapse, "gbr+polish", false)],
            JavaView::Manifest => &[(JavaView::Manifest, "gbr+polish", false)],
            JavaView::Items | JavaView::Statements => &[
                (JavaView::Classes, "binary", false),
                (JavaView::Items, "gbr", true),
                (JavaView::Items, "gbr", false),
                (JavaView::Manifest, "gbr+polish", false),
                (JavaView::Statements, "gbr+polish", false),
                (JavaView::Parameters, "gbr+polish", false),
                (JavaView::Collapse, "gbr+polish", false),
            ],
        }
    }

    /// Builds the model of a view, or none if it has no items.
    pub(crate) fn builder(&self, view: JavaView) -> Builder<'_> {
        Box::new(move |tree| {
            let class_path = self.class_path.clone();
            match view {
                JavaView::Classes => Some(Box::new(ClassModel::new(tree))),
                JavaView::Items => Some(Box::new(self.item_model(tree, Detail::Items))),
                JavaView::Statements => Some(Box::new(self.item_model(tree, Detail::Statements))),
                JavaView::Parameters => unless_empty(ParameterModel::new(tree, class_path)),
                JavaView::Collapse => unless_empty(CollapseModel::new(tree, class_path)),
                JavaView::Manifest => ManifestModel::new(tree).map(|model| Box::new(model) as Box<dyn Model>),
            }
        })
    }
}

fn unless_empty(model: impl Model + 'static) -> Option<Box<dyn Model>> {
    (!model.items().is_empty()).then(|| Box::new(model) as Box<dyn Model>)
}

/// Whether an input looks like a Java program: it has the name of a jar, or is a zip archive or a
/// directory with class files. A directory that also has sources is a project, and reduced as text.
pub fn is_java(input: &FileTree) -> bool {
    match input.content() {
        Content::Directory(entries) => {
            let has_sources = entries.keys().any(|path| path.extension().is_some_and(|extension| extension == "java"));
            !has_sources && has_class_files(input)
        }
        Content::File(entry) => is_called_jar(input.name()) || is_archive_of_classes(entry),
    }
}

/// Whether a file has the name of a jar.
pub(crate) fn is_called_jar(name: &str) -> bool {
    let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|called| ["jar", "war", "ear"].iter().any(|jar| called.eq_ignore_ascii_case(jar)))
}

/// Whether a directory or an archive contains a class file.
pub fn has_class_files(input: &FileTree) -> bool {
    match input.content() {
        Content::Directory(entries) => {
            entries.iter().any(|(path, entry)| is_class_file(path) && has_magic(entry, CLASS))
        }
        Content::File(entry) => is_archive_of_classes(entry),
    }
}

const CLASS: &[u8] = &[0xca, 0xfe, 0xba, 0xbe];
const ZIP: &[u8] = b"PK\x03\x04";

/// Whether a file is a zip archive whose directory names class files. Nothing is unpacked.
fn is_archive_of_classes(entry: &Entry) -> bool {
    const IN_DIRECTORY: &[u8] = b"PK\x01\x02";
    const NAME: usize = 46;
    let Entry::File { content, .. } = entry else { return false };
    let names_a_class = |header: &[u8]| {
        let length = header.get(28..30).map_or(0, |length| usize::from(u16::from_le_bytes([length[0], length[1]])));
        header.get(NAME..NAME + length).is_some_and(|name| name.ends_with(b".class"))
    };
    let mut headers = (0..content.len()).filter(|&at| content[at..].starts_with(IN_DIRECTORY));
    content.starts_with(ZIP) && headers.any(|at| names_a_class(&content[at..]))
}

fn is_class_file(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "class")
}

fn has_magic(entry: &Entry, magic: &[u8]) -> bool {
    matches!(entry, Entry::File { content, .. } if content.starts_with(magic))
}
