//! C and C++ programs in one file: how libclang reads them, and their models.

use lapidary_clang::{Compilation, Complaint, LoadError, ParseError, complaints_about_declarations, is_available};
use lapidary_clang_model::rewrite::{RewriteModel, Settings};
use lapidary_clang_model::{ClangModel, Demands, Detail, Language, Layout, Milestone, Project, View, demands};
use lapidary_reduce::{Builder, Cancel, FileTree, Key, Model, Predicate, PredicateError};
use std::cell::{Cell, RefCell};
use std::path::Path;
use std::sync::Arc;

/// A program that libclang can read.
pub struct CProgram {
    project: Project,
    milestone: Milestone,
    /// The demands of the test on the program.
    demands: Cell<Demands>,
    /// A remark about a header that libclang does not find.
    missing: Option<String>,
    /// The last model that was built, for further requests on the same program.
    last: RefCell<Option<Built>>,
    /// The last program that libclang could not read. Trying again may take seconds.
    unread: RefCell<Option<(Key, ParseError)>>,
}

struct Built {
    tree: Key,
    view: CView,
    model: Arc<ClangModel>,
}

/// One way to see a program as items.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CView {
    Declarations,
    Statements,
    Expressions,
    Rewrites,
}

/// The largest program for which rewrites are collected. A larger one has too many, most of them in
/// code that will be removed.
const WORTH_REWRITING_BYTES: u64 = 32 << 10;

impl CView {
    pub fn name(self) -> &'static str {
        match self {
            CView::Declarations => "declarations",
            CView::Statements => "statements",
            CView::Expressions => "expressions",
            CView::Rewrites => "rewrites",
        }
    }
}

impl CProgram {
    /// Opens a program with these compiler flags. Without `-std=`, the standard is the one for
    /// which libclang reports the fewest errors.
    pub fn open(path: &Path, tree: &FileTree, language: Language, flags: &[String]) -> Result<CProgram, LoadError> {
        is_available()?;
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let file = path.with_file_name(tree.name());
        let standards: &[&str] = match language {
            _ if flags.iter().any(|flag| flag.starts_with("-std=")) => &[""],
            Language::C => &["", "-std=gnu89"],
            Language::Cpp => &["-std=gnu++17", "-std=gnu++20", "-std=gnu++14", "-std=gnu++98"],
        };
        let projects = standards.iter().map(|standard| Project::single(&file, arguments(language, standard, flags)));
        let (project, complaints) = least_complained_of(projects.collect(), tree);
        let missing = complaints.iter().find(|complaint| complaint.message.contains("file not found"));
        let missing = missing.map(|complaint| {
            format!("{complaint}, so less of the program is understood; name the directory with --cflags -IDIR")
        });
        let (milestone, demands, last) = (Milestone::default(), Cell::default(), RefCell::default());
        Ok(CProgram { project, milestone, demands, missing, last, unread: RefCell::default() })
    }

    pub fn project(&self) -> &Project {
        &self.project
    }

    /// Remarks about the program that a user should know before the reduction.
    pub fn notes(&self) -> Vec<String> {
        self.missing.iter().cloned().collect()
    }

    pub fn milestone(&self) -> &Milestone {
        &self.milestone
    }

    /// Finds out what the test demands of the program.
    pub fn ask(&self, tree: &FileTree, test: &dyn Predicate, cancel: &Cancel) -> Result<(), PredicateError> {
        self.demands.set(demands(tree, test, cancel)?);
        Ok(())
    }

    /// Builds the first model of the program, which the first stage will use. Returns the reason if
    /// libclang cannot read the program: it may crash where the user's compiler does. Later
    /// programs are smaller, and libclang may be able to read them.
    pub fn try_reading(&self, tree: &FileTree) -> Option<ParseError> {
        self.model(tree, CView::Declarations).err()
    }

    pub fn is_linked(&self) -> bool {
        self.demands.get().linked
    }

    pub fn builder(&self, view: CView) -> Builder<'_> {
        Box::new(move |tree| {
            self.milestone.reach(tree);
            let model: Box<dyn Model> = match view {
                CView::Rewrites => Box::new(self.rewrites(tree)?),
                _ => Box::new(self.model(tree, view).ok()?),
            };
            (!model.items().is_empty()).then_some(model)
        })
    }

    fn model(&self, tree: &FileTree, view: CView) -> Result<Arc<ClangModel>, ParseError> {
        let key = tree.key();
        let detail = match view {
            CView::Declarations => Detail::Declarations,
            CView::Expressions => Detail::Expressions,
            _ => Detail::Statements,
        };
        if let Some(last) = self.last.borrow().as_ref().filter(|last| last.tree == key && last.view == view) {
            return Ok(last.model.clone());
        }
        self.require_read(key)?;
        let view_of_all = View { detail, layout: Layout::Compact };
        let model = ClangModel::meeting(&self.project, tree, view_of_all, self.demands.get());
        let model = Arc::new(model.inspect_err(|error| *self.unread.borrow_mut() = Some((key, error.clone())))?);
        *self.last.borrow_mut() = Some(Built { tree: key, view, model: model.clone() });
        Ok(model)
    }

    /// Returns the error if libclang is known not to read a program.
    fn require_read(&self, tree: Key) -> Result<(), ParseError> {
        let known = self.unread.borrow();
        known.as_ref().filter(|(unread, _)| *unread == tree).map_or(Ok(()), |(_, error)| Err(error.clone()))
    }

    fn rewrites(&self, tree: &FileTree) -> Option<RewriteModel> {
        let is_small = tree.bytes() <= WORTH_REWRITING_BYTES && self.require_read(tree.key()).is_ok();
        is_small.then(|| RewriteModel::new(tree, &self.project, &Settings::default()).ok())?
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

/// The first project with the fewest errors from libclang, and these.
fn least_complained_of(projects: Vec<Project>, tree: &FileTree) -> (Project, Vec<Complaint>) {
    let mut best: Option<(Option<Vec<Complaint>>, Project)> = None;
    let count = |complaints: &Option<Vec<Complaint>>| complaints.as_ref().map_or(usize::MAX, Vec::len);
    for project in projects {
        let complaints = complaints(&project, tree);
        let is_done = count(&complaints) == 0;
        if best.as_ref().is_none_or(|(least, _)| count(&complaints) < count(least)) {
            best = Some((complaints, project));
        }
        if is_done {
            break;
        }
    }
    let (complaints, project) = best.expect("there is a project");
    (project, complaints.unwrap_or_default())
}

/// The errors that libclang finds in the file; `None` if it cannot read it.
fn complaints(project: &Project, tree: &FileTree) -> Option<Vec<Complaint>> {
    let sources = project.sources(tree);
    let of = |compilation: &Compilation| complaints_about_declarations(&sources, compilation).ok();
    project.compilations.iter().map(of).collect::<Option<Vec<_>>>().map(|found| found.concat())
}
