//! The approaches of the thesis, and ours.

use super::coarse::CoarseModel;
use super::gbr_then_sweep::GbrThenSweep;
use super::renaming::RenameModel;
use super::slices::{DynamicSlice, SliceModel};
use super::statements::Statements;
use super::tokens::{TokenModel, Tokens};
use super::watching::Watching;
use crate::build::Build;
use crate::execution::Execution;
use crate::failure::{Failure, Kind};
use lapidary_clang::{Compilation, FileId, Syntax};
use lapidary_clang_model::rewrite::{RewriteModel, Settings};
use lapidary_clang_model::{ClangModel, Demands, Detail, Layout, Place, Project, Readers, View};
use lapidary_logic::{CountLimit, count};
use lapidary_reduce::strategy::{Exhaustive, Sweep, named};
use lapidary_reduce::{Builder, Cancel, FileTree, Key, Model, Outcome, Plan, Session, Source, Stage, Strategy, run};
use std::cell::{Cell, OnceCell};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

/// A program and the failure that is to be kept.
pub struct Target {
    pub project: Project,
    pub readers: Arc<Readers>,
    pub build: Build,
    pub execution: Execution,
    pub failure: Failure,
    /// Whether the reason of the failure has to stay, and not only the error.
    pub keeps_reason: bool,
    /// The lines of the conditions that guard the failure, if the reason has to stay.
    pub guards: Vec<(PathBuf, u32)>,
    /// Fires when the user wants to stop.
    pub cancel: Cancel,
    /// When there is no more time.
    pub deadline: Option<Instant>,
    /// The original, if it is made ready to be watched.
    pub watching: Option<Watching>,
}

impl Target {
    pub(super) fn is_cpp(&self) -> bool {
        self.project.compilations.iter().any(Compilation::is_cpp)
    }

    /// The program as libclang reads it. None if it cannot.
    pub(super) fn units(&self, tree: &FileTree) -> Option<Vec<Syntax>> {
        self.readers.units(&self.project, tree).ok()
    }

    /// The program in this detail, as parts that can be linked. None if libclang cannot read the text.
    pub(super) fn model(&self, tree: &FileTree, detail: Detail, care: Care) -> Option<ClangModel> {
        self.model_with(tree, detail, care, &self.guards)
    }

    /// The statements of a program, with all calls that led to the failure: few others are needed, if any.
    pub(super) fn model_of_calls(&self, tree: &FileTree, care: Care) -> Option<ClangModel> {
        let calls = self.failure.frames.iter().map(|frame| (frame.file.clone(), frame.line));
        let kept: Vec<_> = self.guards.iter().cloned().chain(calls).collect();
        self.model_with(tree, Detail::Statements, care, &kept)
    }

    fn model_with(&self, tree: &FileTree, detail: Detail, care: Care, kept: &[(PathBuf, u32)]) -> Option<ClangModel> {
        // What was never set is no reason for anything.
        let care = if self.keeps_reason && care == Care::Reached { Care::Initialised } else { care };
        let view = View { detail, layout: Layout::KeepLines };
        let reached = self.place(tree).filter(|_| care >= Care::Reached);
        let (initialised, returned) = (care >= Care::Initialised, care >= Care::Reached);
        let demands = Demands { linked: true, initialised, returned, reached };
        let kept: Vec<Place> = kept.iter().filter_map(|(file, line)| self.place_of(tree, file, *line)).collect();
        ClangModel::read_by(&self.readers, &self.project, tree, view, demands, &kept).ok()
    }

    /// The failing line, which is the same in every candidate. Where a stack ends that overflows is chance.
    fn place(&self, tree: &FileTree) -> Option<Place> {
        let frame = self.failure.place_in(tree).filter(|_| self.failure.kind != Kind::StackOverflow)?;
        self.place_of(tree, &frame.file, frame.line)
    }

    fn place_of(&self, tree: &FileTree, file: &Path, line: u32) -> Option<Place> {
        let path = self.project.root.join(file);
        let file = self.project.sources(tree).files.iter().position(|file| file.path == path)?;
        Some(Place { file: FileId::new(file), line })
    }
}

/// Which candidates are not worth a test, beside those that cannot be linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Care {
    /// None: delta debugging would find less, since it passes over what the formula forbids.
    Linked,
    /// Those that cannot come to where the program fails, and functions that do not return what they should.
    Reached,
    /// Those that read what they have not set, too. The compiler rejects most of these, but not all.
    Initialised,
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approach {
    /// A slice, then everything under the compiler's rules, then rewrites, then all sub-programs if they are few.
    Default,
    /// Every valid sub-program in order of size (section 5.1).
    Naive,
    /// Delta debugging on statements and declarations (section 5.2).
    Delta,
    /// A static slice, a dynamic slice, delta, naive (section 5.3).
    Slicing,
}

/// How a search ended. The result itself is the session's best.
pub struct Found {
    pub outcome: Outcome,
    /// How many sub-programs the result has, by its statements and declarations, if every one was tried.
    pub tried: Option<u32>,
}

/// Of so many sub-programs every one is tried, which proves that the result is the smallest of them.
const FEW: u32 = 64;

/// Makes the session's input smaller for as long as that goes.
pub fn search(session: &mut Session<'_>, target: &Target, approach: Approach) -> Found {
    let statements = Rc::new(Statements::of(target, approach));
    let plans = plans(target, approach, &statements);
    let (mut rounds, mut next) = (0, 0);
    loop {
        let size = session.best_size();
        let outcome = run(session, &plans[next]);
        rounds += outcome.rounds;
        // A plan has its turn when those before it gain nothing any more, and gives back to them what it gained from.
        next = if next > 0 && session.best_size() < size { 0 } else { next + 1 };
        if outcome.stop.is_some() || next == plans.len() {
            let is_done = approach == Approach::Default && outcome.stop.is_none();
            let model = if is_done { statements.model(session.best()) } else { None };
            let tried = model.and_then(|model| few(&model));
            return Found { outcome: Outcome { rounds, ..outcome }, tried };
        }
    }
}

fn plans<'a>(target: &'a Target, approach: Approach, statements: &Rc<Statements<'a>>) -> Vec<Plan<'a>> {
    let mut plans = vec![stages(target, approach, statements)];
    if approach == Approach::Default {
        // Values one by one take many tests, of which most are for nothing. And what is left of a statement without some
        // of its tokens may be one that no other stage understands.
        let values = expressions(target, Detail::Expressions, Care::Reached, Box::new(Sweep));
        let mut last = vec![values, rewrites(target, Effort::All)];
        last.extend(["windows", "polish"].map(|strategy| tokens(target, Tokens::All, strategy)));
        plans.push(last);
        plans.push(vec![few_sub_programs(statements)]);
    }
    plans.into_iter().map(|stages| Plan { stages, ..Plan::default() }).collect()
}

/// Gives short names to what the program declares, as far as it then still fails in the same way.
pub fn rename(session: &mut Session<'_>, target: &Target) -> Outcome {
    let builder: Builder<'_> = Box::new(|tree| boxed(RenameModel::new(target, tree)));
    let source = Source::Rebuilt(builder);
    let stage = Stage { name: "names".to_owned(), source, strategy: by_name("gbr+polish"), steered: false };
    run(session, &Plan { stages: vec![stage], ..Plan::default() })
}

fn stages<'a>(target: &'a Target, approach: Approach, statements: &Rc<Statements<'a>>) -> Vec<Stage<'a>> {
    let of_text: Builder<'_> = Box::new(|tree| boxed(SliceModel::of_text(target, tree)));
    let with_input: Builder<'_> = Box::new(|tree| boxed(SliceModel::of_text_and_input(target, tree)));
    match approach {
        Approach::Naive => vec![whole(statements, Box::new(Exhaustive::default()))],
        Approach::Delta => vec![whole(statements, by_name("ddmin"))],
        Approach::Slicing => vec![
            slice("static slice with the input", with_input),
            slice("static slice", of_text),
            slice("dynamic slice", Box::new(|tree| boxed(SliceModel::of_run(target, tree, &DynamicSlice::default())))),
            whole(statements, by_name("ddmin")),
            whole(statements, Box::new(Exhaustive::default())),
        ],
        Approach::Default => {
            // The dynamic slice is the smaller one. Once it is taken, and whenever the program has become small in
            // other ways, a slice costs more time than it saves.
            let original = Rc::new(OnceCell::new());
            let found = Rc::new(DynamicSlice::default());
            let again = Rc::clone(&found);
            let of_run: Builder<'_> = Box::new(move |tree| boxed(SliceModel::of_run(target, tree, &found)));
            let completed: Builder<'_> = Box::new(move |tree| boxed(SliceModel::completed(target, tree, &again)));
            vec![
                slice("dynamic slice", of_the_first(&original, of_run)),
                // What is not run may have to be there all the same: a function has to return something.
                slice("completed slice", of_the_first(&original, completed)),
                slice("static slice", of_the_first(&original, of_text)),
                once(calls(target)),
                whole(statements, Box::new(GbrThenSweep::default())),
                // A header costs time in every test, so those that can go do so early.
                tokens(target, Tokens::Includes, "polish"),
                once(expressions(target, Detail::Values, Care::Initialised, by_name("gbr"))),
                rewrites(target, Effort::Promising),
            ]
        }
    }
}

/// Builds models of the first tree that is seen, and of no other.
fn of_the_first<'a>(first: &Rc<OnceCell<Key>>, builder: Builder<'a>) -> Builder<'a> {
    let first = Rc::clone(first);
    Box::new(move |tree| if *first.get_or_init(|| tree.key()) == tree.key() { builder(tree) } else { None })
}

fn boxed<M: Model + 'static>(model: Option<M>) -> Option<Box<dyn Model>> {
    model.map(|model| Box::new(model) as Box<dyn Model>)
}

fn slice<'a>(name: &str, builder: Builder<'a>) -> Stage<'a> {
    Stage { name: name.to_owned(), source: Source::Rebuilt(builder), strategy: by_name("polish"), steered: false }
}

fn whole<'a>(statements: &Rc<Statements<'a>>, strategy: Box<dyn Strategy>) -> Stage<'a> {
    let statements = Rc::clone(statements);
    let builder: Builder<'_> = Box::new(move |tree| boxed(statements.model(tree)));
    Stage { name: "statements".to_owned(), source: Source::Rebuilt(builder), strategy, steered: false }
}

/// In more items than this, what few others are needed is found by bisection.
const FEW_ENOUGH_FOR_CALLS: usize = 2_000;

/// The search around the calls that led to the failure, which other calls of the same functions only hide.
fn calls(target: &Target) -> Stage<'_> {
    let is_wanted = target.keeps_reason && target.failure.kind != Kind::StackOverflow;
    let model = move |tree: &FileTree| {
        let model = if is_wanted { target.model_of_calls(tree, Care::Initialised) } else { None };
        model.filter(|model| model.items().len() <= FEW_ENOUGH_FOR_CALLS)
    };
    let builder: Builder<'_> = Box::new(move |tree| boxed(model(tree).map(CoarseModel::new)));
    Stage { name: "calls".to_owned(), source: Source::Rebuilt(builder), strategy: by_name("gallop"), steered: false }
}

fn expressions(target: &Target, detail: Detail, care: Care, strategy: Box<dyn Strategy>) -> Stage<'_> {
    let builder: Builder<'_> = Box::new(move |tree| boxed(target.model(tree, detail, care)));
    Stage { name: "expressions".to_owned(), source: Source::Rebuilt(builder), strategy, steered: false }
}

/// A stage that has one turn. What it would find later the last plan finds.
fn once(stage: Stage<'_>) -> Stage<'_> {
    let Source::Rebuilt(builder) = stage.source else { return stage };
    let has_run = Cell::new(false);
    let builder: Builder<'_> = Box::new(move |tree| if has_run.replace(true) { None } else { builder(tree) });
    Stage { source: Source::Rebuilt(builder), ..stage }
}

/// Which rewrites are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    Promising,
    All,
}

fn rewrites(target: &Target, effort: Effort) -> Stage<'_> {
    // What saves nothing does not make the program easier to read. The compiler, which has the headers of C++ precompiled,
    // answers as soon as libclang does, which has to read them first.
    let unchecked = if target.is_cpp() { 200 } else { 0 };
    let settings = Settings {
        layout: Layout::KeepLines,
        least_saved: 1,
        unchecked,
        reshapes: false,
        tries_hard: effort == Effort::All,
        ..Settings::default()
    };
    let model = move |tree: &FileTree| RewriteModel::read_by(&target.readers, tree, &target.project, &settings).ok();
    let builder: Builder<'_> = Box::new(move |tree| boxed(model(tree)));
    Stage { name: "rewrites".to_owned(), source: Source::Rebuilt(builder), strategy: Box::new(Sweep), steered: false }
}

fn tokens<'a>(target: &'a Target, which: Tokens, strategy: &str) -> Stage<'a> {
    let name = match which {
        Tokens::All => "tokens",
        Tokens::Includes => "includes",
    };
    let builder: Builder<'_> = Box::new(move |tree| boxed(TokenModel::new(target, tree, which)));
    let source = Source::Rebuilt(builder);
    Stage { name: name.to_owned(), source, strategy: by_name(strategy), steered: false }
}

fn few_sub_programs<'a>(statements: &Rc<Statements<'a>>) -> Stage<'a> {
    let statements = Rc::clone(statements);
    let builder: Builder<'_> = Box::new(move |tree| boxed(statements.model(tree).filter(|model| few(model).is_some())));
    let strategy = Box::new(Exhaustive::default());
    Stage { name: "all sub-programs".to_owned(), source: Source::Rebuilt(builder), strategy, steered: false }
}

/// How many sub-programs there are, if they are few.
fn few(model: &ClangModel) -> Option<u32> {
    const LITTLE_WORK: CountLimit = CountLimit { literals: 200_000 };
    let count = count(model.constraint(), &LITTLE_WORK).ok()?;
    u32::try_from(count).ok().filter(|count| *count <= FEW)
}

fn by_name(name: &str) -> Box<dyn Strategy> {
    named(name).expect("it is one of the engine's strategies")
}
