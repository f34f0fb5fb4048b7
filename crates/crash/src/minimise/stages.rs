//! The approaches of the thesis, and ours.

use super::renaming::RenameModel;
use super::slices::SliceModel;
use super::tokens::TokenModel;
use crate::build::Build;
use crate::execution::Execution;
use crate::failure::Failure;
use lapidary_clang_model::rewrite::{RewriteModel, Settings};
use lapidary_clang_model::{ClangModel, Detail, Layout, Project, View};
use lapidary_logic::{CountLimit, count};
use lapidary_reduce::strategy::{Exhaustive, named};
use lapidary_reduce::{Builder, FileTree, Key, Model, Outcome, Plan, Session, Source, Stage, Strategy, run};
use std::cell::OnceCell;
use std::rc::Rc;

/// A program and the failure that is to be kept.
pub struct Target {
    pub project: Project,
    pub build: Build,
    pub execution: Execution,
    pub failure: Failure,
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

/// Of so many sub-programs every one is tried, which proves that the result is the smallest of them.
const FEW: u32 = 64;

/// Makes the session's input smaller for as long as that goes.
pub fn search(session: &mut Session<'_>, target: &Target, approach: Approach) -> Outcome {
    let plan = Plan { stages: stages(target, approach), ..Plan::default() };
    let proof =
        (approach == Approach::Default).then(|| Plan { stages: vec![few_sub_programs(target)], ..Plan::default() });
    let mut rounds = 0;
    loop {
        let mut outcome = run(session, &plan);
        let size = session.best_size();
        rounds += outcome.rounds;
        if let Some(proof) = proof.as_ref().filter(|_| outcome.stop.is_none()) {
            // Every sub-program of what is left is tried when nothing else gains any more, and not before: it is only
            // then that none of this is for nothing.
            outcome.stop = run(session, proof).stop;
        }
        if outcome.stop.is_some() || session.best_size() == size {
            return Outcome { rounds, ..outcome };
        }
    }
}

/// Gives short names to what the program declares, as far as it then still fails in the same way.
pub fn rename(session: &mut Session<'_>, target: &Target) -> Outcome {
    let builder: Builder<'_> = Box::new(|tree| boxed(RenameModel::new(target, tree)));
    let source = Source::Rebuilt(builder);
    let stage = Stage { name: "names".to_owned(), source, strategy: by_name("gbr+polish"), steered: false };
    run(session, &Plan { stages: vec![stage], ..Plan::default() })
}

fn stages(target: &Target, approach: Approach) -> Vec<Stage<'_>> {
    let of_text: Builder<'_> = Box::new(|tree| boxed(SliceModel::of_text(target, tree)));
    let of_run: Builder<'_> = Box::new(|tree| boxed(SliceModel::of_run(target, tree)));
    match approach {
        Approach::Naive => vec![clang(target, Detail::Statements, Box::new(Exhaustive::default()))],
        Approach::Delta => vec![clang(target, Detail::Statements, by_name("ddmin"))],
        Approach::Slicing => vec![
            slice("static slice", of_text),
            slice("dynamic slice", of_run),
            clang(target, Detail::Statements, by_name("ddmin")),
            clang(target, Detail::Statements, Box::new(Exhaustive::default())),
        ],
        Approach::Default => {
            // The dynamic slice is the smaller one. Once it is taken, and whenever the program has become small in
            // other ways, a slice costs more time than it saves.
            let original = Rc::new(OnceCell::new());
            vec![
                slice("dynamic slice", of_the_first(&original, of_run)),
                slice("static slice", of_the_first(&original, of_text)),
                clang(target, Detail::Statements, by_name("gbr")),
                rewrites(target),
                clang(target, Detail::Expressions, by_name("gbr+polish")),
                rewrites(target),
                tokens(target, "windows"),
                tokens(target, "polish"),
            ]
        }
    }
}

/// Builds models of the first tree that is seen, and of no other.
fn of_the_first<'a>(first: &Rc<OnceCell<Key>>, builder: Builder<'a>) -> Builder<'a> {
    let first = Rc::clone(first);
    Box::new(move |tree| if *first.get_or_init(|| tree.key()) == tree.key() { builder(tree) } else { None })
}

/// Whether the default approach has tried every sub-program of the result.
pub fn is_smallest(target: &Target, result: &FileTree) -> bool {
    statements(target, result).is_some_and(|model| has_few(&model))
}

fn boxed<M: Model + 'static>(model: Option<M>) -> Option<Box<dyn Model>> {
    model.map(|model| Box::new(model) as Box<dyn Model>)
}

fn slice<'a>(name: &str, builder: Builder<'a>) -> Stage<'a> {
    Stage { name: name.to_owned(), source: Source::Rebuilt(builder), strategy: by_name("polish"), steered: false }
}

fn clang(target: &Target, detail: Detail, strategy: Box<dyn Strategy>) -> Stage<'_> {
    let name = match detail {
        Detail::Statements => "statements",
        Detail::Expressions => "expressions",
    };
    let view = View { detail, layout: Layout::KeepLines };
    let builder: Builder<'_> = Box::new(move |tree| boxed(ClangModel::new(&target.project, tree, view).ok()));
    Stage { name: name.to_owned(), source: Source::Rebuilt(builder), strategy, steered: false }
}

fn rewrites(target: &Target) -> Stage<'_> {
    let settings = Settings { layout: Layout::KeepLines, ..Settings::default() };
    let builder: Builder<'_> = Box::new(move |tree| boxed(RewriteModel::new(tree, &target.project, &settings).ok()));
    Stage { name: "rewrites".to_owned(), source: Source::Rebuilt(builder), strategy: by_name("polish"), steered: false }
}

fn tokens<'a>(target: &'a Target, strategy: &str) -> Stage<'a> {
    let builder: Builder<'_> = Box::new(move |tree| boxed(TokenModel::new(target, tree)));
    let source = Source::Rebuilt(builder);
    Stage { name: "tokens".to_owned(), source, strategy: by_name(strategy), steered: false }
}

fn few_sub_programs(target: &Target) -> Stage<'_> {
    let builder: Builder<'_> = Box::new(move |tree| boxed(statements(target, tree).filter(has_few)));
    let strategy = Box::new(Exhaustive::default());
    Stage { name: "all sub-programs".to_owned(), source: Source::Rebuilt(builder), strategy, steered: false }
}

fn statements(target: &Target, tree: &FileTree) -> Option<ClangModel> {
    let view = View { detail: Detail::Statements, layout: Layout::KeepLines };
    ClangModel::new(&target.project, tree, view).ok()
}

fn has_few(model: &ClangModel) -> bool {
    const LITTLE_WORK: CountLimit = CountLimit { literals: 200_000 };
    count(model.constraint(), &LITTLE_WORK).is_ok_and(|count| count <= FEW.into())
}

fn by_name(name: &str) -> Box<dyn Strategy> {
    named(name).expect("it is one of the engine's strategies")
}
