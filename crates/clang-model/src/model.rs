//! A C or C++ program as a model.

use crate::draft::{Draft, List};
use crate::edit::Layout;
use crate::expressions::expressions;
use crate::initialisation::{initialisation, returns};
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
use lapidary_clang::{FileId, ParseError, Syntax};
use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{FileTree, Item, Model, RenderError};
use std::collections::BTreeSet;

/// How fine the items are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Functions and classes with all that is in them, or without a body, or not at all.
    Declarations,
    Statements,
    /// Values and operands in expressions as well.
    Expressions,
    /// Values and operands alone: declarations and statements stay, for whoever has just found that they are needed.
    Values,
}

/// How a program is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    pub detail: Detail,
    pub layout: Layout,
}

/// What is asked of a candidate, beside that it compiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Demands {
    /// What is called is defined.
    pub linked: bool,
    /// What is read has been given a value, as far as compilers warn of it.
    pub initialised: bool,
    /// A function with a result returns one, in the same way.
    pub returned: bool,
    /// This line is run, as far as that takes calls that are written.
    pub reached: Option<Place>,
}

/// A line of a file; the first is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: FileId,
    pub line: u32,
}

/// The items are declarations, bodies, statements, headers, parameters, lines of the preprocessor.
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
    /// Reads the tree with libclang. What does not compile is read as far as possible.
    pub fn new(project: &Project, tree: &FileTree, view: View) -> Result<ClangModel, ParseError> {
        ClangModel::meeting(project, tree, view, Demands::default())
    }

    /// The same for a program that is linked: what is called has to be defined and not only declared.
    pub fn linked(project: &Project, tree: &FileTree, view: View) -> Result<ClangModel, ParseError> {
        ClangModel::meeting(project, tree, view, Demands { linked: true, ..Demands::default() })
    }

    /// The same for a program of which more is asked than that it compiles.
    pub fn meeting(project: &Project, tree: &FileTree, view: View, demands: Demands) -> Result<ClangModel, ParseError> {
        Ok(from_units(project, tree, view, demands, &[], project.units(tree)?))
    }

    /// The same for whoever makes one model after the other. Something of each of the `kept` lines stays.
    pub fn read_by(
        readers: &Readers,
        project: &Project,
        tree: &FileTree,
        view: View,
        demands: Demands,
        kept: &[Place],
    ) -> Result<ClangModel, ParseError> {
        Ok(from_units(project, tree, view, demands, kept, readers.units(project, tree)?))
    }
}

fn from_units(
    project: &Project,
    tree: &FileTree,
    view: View,
    demands: Demands,
    kept: &[Place],
    units: Vec<Syntax>,
) -> ClangModel {
    let sources = project.sources(tree);
    let texts: Vec<SourceText> = sources.files.iter().map(SourceText::of).collect();
    let mut draft = Draft::default();
    let mut directives = Preprocessor::default();
    let parsed = units.into_iter().map(|syntax| {
        for (index, text) in texts.iter().enumerate() {
            if let Some(file) = read_file(&syntax, index) {
                preprocessor(&mut draft, text, file, &syntax, &mut directives);
            }
        }
        let outline = outline(&syntax, &texts, &mut draft);
        (syntax, outline)
    });
    let parsed: Vec<_> = parsed.collect();
    let mut program = Program::new(texts, parsed);
    parameters(&mut program, &mut draft);
    let statements = draft.items.len();
    if matches!(view.detail, Detail::Expressions | Detail::Values) {
        program.units.iter().for_each(|unit| expressions(&unit.syntax, &program.texts, &mut draft));
    }
    let presence = Presence::of(&draft, sources.files.len());
    references(&program, &mut draft, &presence, &directives, demands.linked);
    if demands.linked {
        linking(&program, &mut draft, &presence);
    }
    if demands.initialised {
        initialisation(&program, &mut draft, &presence);
    }
    if demands.returned {
        returns(&program, &mut draft, &presence);
    }
    if let Some(place) = demands.reached {
        reaching(&program, &mut draft, &presence, place);
    }
    for place in kept {
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
    let mut by_file: Vec<Vec<_>> = sources.files.iter().map(|_| Vec::new()).collect();
    patches.into_iter().for_each(|patch| by_file[patch.file.index()].push(patch));
    let files =
        by_file.into_iter().zip(&sources.files).map(|(patches, file)| PatchedFile::new(file.text.clone(), patches));
    ClangModel {
        project: project.clone(),
        tree: tree.clone(),
        layout: view.layout,
        items,
        constraint,
        files: files.collect(),
        lists,
    }
}

/// The file by its place, if the unit has read it.
fn read_file(syntax: &Syntax, index: usize) -> Option<FileId> {
    let is_read = syntax.nodes.iter().any(|node| node.file.index() == index);
    is_read.then(|| FileId::new(index))
}

impl ClangModel {
    /// The items that have a token of a certain kind in their text; a token is told by where it starts.
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
