//! A C or C++ program as a model.

use crate::draft::{Draft, List, Patch};
use crate::edit::Layout;
use crate::expressions::expressions;
use crate::initialisation::{initialisation, returns};
use crate::known_values::{KnownValues, known_values};
use crate::linking::linking;
use crate::outline::outline;
use crate::parameters::parameters;
use crate::preprocessor::{Preprocessor, preprocessor};
use crate::presence::Presence;
use crate::program::Program;
use crate::reaching::{keeping, reaching};
use crate::readers::Readers;
use crate::references::references;
use crate::render::{ListsKept, PatchedFile};
use crate::source_text::SourceText;
use crate::sources::Project;
use lapidary_clang::{FileId, ParseError, Sources, Syntax};
use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{FileTree, Item, Model, RenderError};
use std::collections::BTreeSet;

/// The granularity of the items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Functions and classes: with their whole contents, without a body, or not at all.
    Declarations,
    Statements,
    /// Statements, and the values and operands in expressions.
    Expressions,
    /// Only values and operands. Declarations and statements stay, for callers that have just found
    /// them to be needed.
    Values,
}

/// The detail and layout of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    pub detail: Detail,
    pub layout: Layout,
}

/// Demands on a candidate beyond compiling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Demands {
    /// Each called function must be defined.
    pub linked: bool,
    /// Each variable that is read must have a value, to the extent that compilers warn about it.
    pub initialised: bool,
    /// Each function with a result must return one, to the same extent.
    pub returned: bool,
    /// This line must be run, as far as that takes calls that appear in the text.
    pub reached: Option<SourceLine>,
}

/// Knowledge about a program beyond its text.
#[derive(Clone, Copy, Default)]
pub struct Knowledge<'a> {
    /// Lines of which something must be kept.
    pub kept: &'a [SourceLine],
    /// Values that expressions may become.
    pub values: Option<&'a KnownValues>,
}

/// A line of a file, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLine {
    pub file: FileId,
    pub line: u32,
}

/// A program whose items are declarations, bodies, statements, headers, parameters and preprocessor
/// directives.
pub struct ClangModel {
    project: Project,
    tree: FileTree,
    layout: Layout,
    items: Vec<Item>,
    constraint: Cnf,
    files: Vec<PatchedFile>,
    lists: Vec<List>,
}

impl ClangModel {
    /// Builds the model of a tree, using libclang. Code that does not compile is read as far as
    /// possible.
    pub fn new(project: &Project, tree: &FileTree, view: View) -> Result<ClangModel, ParseError> {
        ClangModel::meeting(project, tree, view, Demands::default())
    }

    /// Builds the model of a program that is linked: each called function must be defined, not only
    /// declared.
    pub fn linked(project: &Project, tree: &FileTree, view: View) -> Result<ClangModel, ParseError> {
        ClangModel::meeting(project, tree, view, Demands { linked: true, ..Demands::default() })
    }

    /// Builds the model of a program with demands beyond compiling.
    pub fn meeting(project: &Project, tree: &FileTree, view: View, demands: Demands) -> Result<ClangModel, ParseError> {
        Ok(from_units(project, tree, view, demands, Knowledge::default(), project.units(tree)?))
    }

    /// Builds the model with readers that are reused between models, and with knowledge beyond the
    /// text.
    pub fn read_by(
        readers: &Readers,
        project: &Project,
        tree: &FileTree,
        view: View,
        demands: Demands,
        knowledge: Knowledge<'_>,
    ) -> Result<ClangModel, ParseError> {
        Ok(from_units(project, tree, view, demands, knowledge, readers.units(project, tree)?))
    }
}

fn from_units(
    project: &Project,
    tree: &FileTree,
    view: View,
    demands: Demands,
    knowledge: Knowledge<'_>,
    units: Vec<Syntax>,
) -> ClangModel {
    let sources = project.sources(tree);
    let mut draft = Draft::default();
    let mut directives = Preprocessor::default();
    let mut program = outlined(&sources, units, &mut draft, &mut directives);
    parameters(&mut program, &mut draft);
    let statements = draft.items.len();
    if matches!(view.detail, Detail::Expressions | Detail::Values) {
        program.units.iter().for_each(|unit| expressions(&unit.syntax, &program.texts, &mut draft));
    }
    if let Some(values) = knowledge.values {
        program.units.iter().for_each(|unit| known_values(&unit.syntax, values, sources.files.len(), &mut draft));
    }
    let presence = Presence::of(&draft, sources.files.len());
    references(&program, &mut draft, &presence, &directives, demands.linked);
    meet(demands, &program, &mut draft, &presence);
    for place in knowledge.kept {
        keeping(&program, &mut draft, &presence, *place);
    }
    if view.detail == Detail::Declarations {
        draft.keep_bodies_whole();
    }
    if view.detail == Detail::Values {
        (0..statements).for_each(|index| draft.need(&[], &[Var::new(index)]));
    }
    let constraint = draft.constraint();
    let Draft { items, patches, lists, .. } = draft;
    ClangModel {
        project: project.clone(),
        tree: tree.clone(),
        layout: view.layout,
        items,
        constraint,
        files: patched(&sources, patches),
        lists,
    }
}

/// Makes items of the directives, declarations and statements of all units.
fn outlined(sources: &Sources, units: Vec<Syntax>, draft: &mut Draft, directives: &mut Preprocessor) -> Program {
    let texts: Vec<SourceText> = sources.files.iter().map(SourceText::of).collect();
    let mut parsed = Vec::new();
    for syntax in units {
        for (index, text) in texts.iter().enumerate() {
            if let Some(file) = read_file(&syntax, index) {
                preprocessor(draft, text, file, &syntax, directives);
            }
        }
        let outline = outline(&syntax, &texts, draft);
        parsed.push((syntax, outline));
    }
    Program::new(texts, parsed)
}

/// Adds the clauses for demands beyond compiling.
fn meet(demands: Demands, program: &Program, draft: &mut Draft, presence: &Presence) {
    if demands.linked {
        linking(program, draft, presence);
    }
    if demands.initialised {
        initialisation(program, draft, presence);
    }
    if demands.returned {
        returns(program, draft, presence);
    }
    if let Some(place) = demands.reached {
        reaching(program, draft, presence, place);
    }
}

/// Sorts patches by file.
fn patched(sources: &Sources, patches: Vec<Patch>) -> Vec<PatchedFile> {
    let mut by_file: Vec<Vec<Patch>> = sources.files.iter().map(|_| Vec::new()).collect();
    patches.into_iter().for_each(|patch| by_file[patch.file.index()].push(patch));
    let files = by_file.into_iter().zip(&sources.files);
    files.map(|(patches, file)| PatchedFile::new(file.text.clone(), patches)).collect()
}

/// Returns the file at an index, if the unit has read it.
fn read_file(syntax: &Syntax, index: usize) -> Option<FileId> {
    let is_read = syntax.nodes.iter().any(|node| node.file.index() == index);
    is_read.then(|| FileId::new(index))
}

impl ClangModel {
    /// Returns the items whose text contains a wanted token. A token is identified by its start.
    pub fn items_with(&self, is_wanted: impl Fn(FileId, usize) -> bool) -> Vec<Var> {
        let found = self.files.iter().enumerate().flat_map(|(index, file)| {
            let is_wanted = |at: usize| is_wanted(FileId::new(index), at);
            file.items_with(&is_wanted)
        });
        let found: BTreeSet<Var> = found.collect();
        found.into_iter().collect()
    }
}

impl Model for ClangModel {
    fn items(&self) -> &[Item] {
        &self.items
    }

    fn constraint(&self) -> &Cnf {
        &self.constraint
    }

    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError> {
        let lists = ListsKept::of(&self.lists, keep);
        let changed = self
            .files
            .iter()
            .enumerate()
            .filter_map(|(index, file)| Some((index, file.write(keep, &lists, self.layout)?)));
        Ok(self.project.with_texts(&self.tree, changed.map(|(index, text)| (FileId::new(index), text))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn items_are_found_by_their_tokens() {
        let text = "int unused;\nint f(void)\n{\n    int a = 1; // wanted\n    int b = 2;\n    return a;\n}\n";
        let project = Project::single(Path::new("/nowhere/a.c"), Vec::new());
        let view = View { detail: Detail::Statements, layout: Layout::Compact };
        let model = ClangModel::new(&project, &FileTree::file("a.c", text), view).unwrap();
        let found = |word: &str| {
            let start = text.find(word).unwrap();
            let found = model.items_with(|_, at| (start..start + word.len()).contains(&at));
            found.into_iter().map(|var| model.items()[var.index()].label.clone()).collect::<Vec<_>>()
        };
        assert!(found("a = 1").iter().any(|label| label.contains('a')));
        assert!(found("a = 1").iter().any(|label| label.contains('f')), "what is around it is there too");
        assert!(!found("a = 1").iter().any(|label| label.contains('b') || label.contains("unused")));
        assert_eq!(found("// wanted"), Vec::<String>::new(), "a comment is no token");
    }
}
