//! C and C++ programs in one file: how libclang reads them, and the models that see them.

use lapidary_clang::{Compilation, LoadError, is_available, parse};
use lapidary_clang_model::{ClangModel, Detail, Language, Layout, Project, View};
use lapidary_reduce::{Builder, Entry, FileTree, Model};
use std::path::Path;

/// A program that libclang can read.
pub struct CProgram {
    project: Project,
    /// How many things libclang has to say against it.
    complaints: usize,
}

/// One way to look at a program.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CView {
    Statements,
    Expressions,
}

impl CView {
    pub fn name(self) -> &'static str {
        match self {
            CView::Statements => "statements",
            CView::Expressions => "expressions",
        }
    }
}

impl CProgram {
    /// `flags` are the compiler's; without any, the standard is the one that libclang complains least about.
    pub fn open(path: &Path, tree: &FileTree, language: Language, flags: &[String]) -> Result<CProgram, LoadError> {
        is_available()?;
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let standards: &[&str] = match language {
            _ if flags.iter().any(|flag| flag.starts_with("-std=")) => &[""],
            Language::C => &["", "-std=gnu89"],
            Language::Cpp => &["-std=gnu++17", "-std=gnu++20", "-std=gnu++14", "-std=gnu++98"],
        };
        let mut best: Option<CProgram> = None;
        for standard in standards {
            let arguments = arguments(language, standard, flags);
            let file = path.with_file_name(tree.name());
            let project = Project::single(&file, arguments);
            let complaints = count_complaints(&project, tree);
            if best.as_ref().is_none_or(|best| complaints < best.complaints) {
                best = Some(CProgram { project, complaints });
            }
            if complaints == 0 {
                break;
            }
        }
        Ok(best.expect("there is a standard"))
    }

    pub fn project(&self) -> &Project {
        &self.project
    }

    /// The program with an error added, by which a test shows whether it asks for a program that compiles.
    pub fn broken(&self, tree: &FileTree) -> Option<FileTree> {
        let Some(Entry::File { content, .. }) = tree.entry(Path::new("")) else { return None };
        let text = [content, &b"\nint lapidary_error = ;\n"[..]].concat();
        Some(tree.with_file(Path::new(""), text.into()))
    }

    pub fn builder(&self, view: CView) -> Builder<'_> {
        let detail = match view {
            CView::Statements => Detail::Statements,
            CView::Expressions => Detail::Expressions,
        };
        Box::new(move |tree| {
            let model = ClangModel::new(&self.project, tree, View { detail, layout: Layout::Compact }).ok()?;
            (!model.items().is_empty()).then(|| Box::new(model) as Box<dyn Model>)
        })
    }
}

fn arguments(language: Language, standard: &str, flags: &[String]) -> Vec<String> {
    let kind = match language {
        Language::C => "-xc",
        Language::Cpp => "-xc++",
    };
    let ours = [kind, standard].into_iter().filter(|flag| !flag.is_empty()).map(str::to_owned);
    ours.chain(flags.iter().cloned()).collect()
}

fn count_complaints(project: &Project, tree: &FileTree) -> usize {
    let sources = project.sources(tree);
    let count =
        |compilation: &Compilation| parse(&sources, compilation).map_or(usize::MAX, |syntax| syntax.complaints.len());
    project.compilations.iter().map(count).max().unwrap_or(0)
}
