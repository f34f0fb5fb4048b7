//! The approaches of the thesis, and ours.

use super::slices::SliceModel;
use crate::build::Build;
use crate::execution::Execution;
use crate::failure::Failure;
use lapidary_clang_model::rewrite::{RewriteModel, Settings};
use lapidary_clang_model::{ClangModel, Detail, Layout, Project, View};
use lapidary_logic::{CountLimit, count};
use lapidary_reduce::strategy::{Exhaustive, named};
use lapidary_reduce::{Builder, FileTree, Model, Plan, Source, Stage, Strategy};

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
    /// Slices, then everything under the compiler's rules, then rewrites, then all sub-programs if they are few.
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

pub fn plan(target: &Target, approach: Approach) -> Plan<'_> {
    let stages = match approach {
        Approach::Naive => vec![clang(target, Detail::Statements, Box::new(Exhaustive::default()))],
        Approach::Delta => vec![clang(target, Detail::Statements, by_name("ddmin"))],
        Approach::Slicing => vec![
            slice("static slice", Box::new(|tree| boxed(SliceModel::of_text(target, tree)))),
            slice("dynamic slice", Box::new(|tree| boxed(SliceModel::of_run(target, tree)))),
            clang(target, Detail::Statements, by_name("ddmin")),
            clang(target, Detail::Statements, Box::new(Exhaustive::default())),
        ],
        Approach::Default => vec![
            slice("static slice", Box::new(|tree| boxed(SliceModel::of_text(target, tree)))),
            slice("dynamic slice", Box::new(|tree| boxed(SliceModel::of_run(target, tree)))),
            clang(target, Detail::Statements, by_name("gbr")),
            rewrites(target),
            clang(target, Detail::Expressions, by_name("gbr+polish")),
            rewrites(target),
            few_sub_programs(target),
        ],
    };
    Plan { stages, keep: None, seed: 0 }
}

/// Whether the last stage of the default approach has tried every sub-program of the result.
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
