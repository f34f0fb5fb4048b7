//! The search approaches of the thesis, and our own.

use super::coarse::CoarseModel;
use super::enumerated::Enumerated;
use super::renaming::RenameModel;
use super::slices::{SeenRun, SliceModel};
use super::statements::Statements;
use super::target::{Care, Target};
use super::tokens::{TokenModel, Tokens};
use crate::failure::Kind;
use lapidary_clang_model::rewrite::{RewriteModel, Settings};
use lapidary_clang_model::{ClangModel, Detail, Layout};
use lapidary_logic::{CountLimit, count};
use lapidary_reduce::strategy::named;
use lapidary_reduce::{Builder, FileTree, Key, Model, Outcome, Plan, Session, Source, Stage, Strategy, run};
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

/// The approach to the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approach {
    /// A slice, then everything that the language rules allow, then rewrites, then all sub-programs
    /// if they are few.
    Default,
    /// Every valid sub-program in order of size (section 5.1).
    Naive,
    /// Delta debugging on statements and declarations (section 5.2).
    Delta,
    /// A static slice, a dynamic slice, delta, naive (section 5.3).
    Slicing,
}

/// The outcome of a search. The result itself is the session's best.
pub struct Found {
    pub outcome: Outcome,
    /// The number of sub-programs of the result, in terms of statements and declarations, if every
    /// one was tried.
    pub tried: Option<u32>,
}

/// The maximum number of sub-programs to enumerate. Trying all of them proves that the result is
/// the smallest.
const FEW: u32 = 64;

/// Reduces the session's input until nothing more can be gained.
pub fn search(session: &mut Session<'_>, target: &Target, approach: Approach) -> Found {
    // The default is careful at first, when much can be removed, and tries everything later.
    let care = if approach == Approach::Default { Care::Initialised } else { Care::Linked };
    let statements = Rc::new(Statements::new(target, care));
    let enumerated = Enumerated::default();
    let plans = plans(target, approach, &statements, &enumerated);
    let (mut rounds, mut next, mut has_skipped) = (0, 0, false);
    loop {
        let size = session.best_size();
        let outcome = run(session, &plans[next]);
        rounds += outcome.rounds;
        has_skipped |= outcome.has_skipped;
        // A plan runs once the plans before it gain nothing more. If it gains something itself, the
        // first one runs again.
        next = if next > 0 && session.best_size() < size { 0 } else { next + 1 };
        if outcome.stop.is_some() || next == plans.len() {
            let tried = enumerated.count_of(session.best()).filter(|_| outcome.stop.is_none() && !has_skipped);
            return Found { outcome: Outcome { rounds, has_skipped, ..outcome }, tried };
        }
    }
}

fn plans<'a>(
    target: &'a Target,
    approach: Approach,
    statements: &Rc<Statements<'a>>,
    enumerated: &Enumerated,
) -> Vec<Plan<'a>> {
    let mut plans = vec![stages(target, approach, statements)];
    if approach == Approach::Default {
        // If the reason must be preserved, an expression stays or becomes the value it had. Parts
        // of it may not replace it.
        let inside = !target.keeps_reason;
        // Values one by one take many tests, most of them in vain. A statement without some of its
        // tokens may be one that no other stage understands.
        let values = |strategy| inside.then(|| expressions(target, Detail::Expressions, Care::Reached, strategy));
        let some = rewrites(target, Effort::All, Haste::Hasty);
        let of_tokens = ["windows", "polish"].into_iter().filter(|_| inside);
        let of_tokens = of_tokens.map(|strategy| tokens(target, Tokens::All, strategy));
        plans.push(values("hasty sweep").into_iter().chain([some]).chain(of_tokens).collect());
        // At the end, look at everything that the hasty stages skipped.
        let all = rewrites(target, Effort::All, Haste::Thorough);
        let last = [Some(whole(statements, "sweep")), values("sweep"), Some(all)];
        plans.push(last.into_iter().flatten().collect());
        plans.push(vec![few_sub_programs(statements, enumerated)]);
    }
    plans.into_iter().map(|stages| Plan { stages, ..Plan::default() }).collect()
}

/// Gives short names to the program's declarations, as far as it still fails in the same way.
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
        Approach::Naive => vec![whole(statements, "exhaustive if small")],
        Approach::Delta => vec![whole(statements, "ddmin")],
        Approach::Slicing => vec![
            slice("static slice with the input", with_input),
            slice("static slice", of_text),
            slice("dynamic slice", Box::new(|tree| boxed(SliceModel::of_run(target, tree, &SeenRun::default())))),
            whole(statements, "ddmin"),
            whole(statements, "exhaustive if small"),
        ],
        Approach::Default => {
            // The dynamic slice is the smaller one. Once it has been taken, or the program has
            // become small in other ways, a slice costs more time than it saves.
            let original = Rc::new(OnceCell::new());
            let seen = Rc::new(SeenRun::default());
            let (of_run, completed) = (Rc::clone(&seen), Rc::clone(&seen));
            let of_run: Builder<'_> = Box::new(move |tree| boxed(SliceModel::of_run(target, tree, &of_run)));
            let completed: Builder<'_> = Box::new(move |tree| boxed(SliceModel::completed(target, tree, &completed)));
            let values = || once(expressions(target, Detail::Values, Care::Initialised, "gbr"));
            let mut stages = vec![
                // Often hardly anything is needed besides the calls.
                of_the_first(&original, calls(target, &seen, statements, "gallop near")),
                of_the_first(&original, slice("dynamic slice", of_run)),
                // Code that does not run may still be required: a function must return something.
                of_the_first(&original, slice("completed slice", completed)),
                of_the_first(&original, slice("static slice", of_text)),
                once(calls(target, &seen, statements, "gallop far")),
                whole(statements, "gbr, then sweep"),
                // A header costs time in every test, so remove unneeded ones early.
                tokens(target, Tokens::Includes, "polish"),
            ];
            stages.extend((!target.keeps_reason).then(values));
            stages.push(rewrites(target, Effort::Promising, Haste::Hasty));
            stages
        }
    }
}

/// Restricts a stage to the first tree it sees.
fn of_the_first<'a>(first: &Rc<OnceCell<Key>>, stage: Stage<'a>) -> Stage<'a> {
    let first = Rc::clone(first);
    when(stage, move |tree| *first.get_or_init(|| tree.key()) == tree.key())
}

/// Restricts a stage to one run. The last plan finds what it would find later.
fn once(stage: Stage<'_>) -> Stage<'_> {
    let has_run = Cell::new(false);
    when(stage, move |_| !has_run.replace(true))
}

fn when<'a>(stage: Stage<'a>, is_wanted: impl Fn(&FileTree) -> bool + 'a) -> Stage<'a> {
    let Source::Rebuilt(builder) = stage.source else { return stage };
    let builder: Builder<'_> = Box::new(move |tree| if is_wanted(tree) { builder(tree) } else { None });
    Stage { source: Source::Rebuilt(builder), ..stage }
}

fn boxed<M: Model + 'static>(model: Option<M>) -> Option<Box<dyn Model>> {
    model.map(|model| Box::new(model) as Box<dyn Model>)
}

fn slice<'a>(name: &str, builder: Builder<'a>) -> Stage<'a> {
    Stage { name: name.to_owned(), source: Source::Rebuilt(builder), strategy: by_name("polish"), steered: false }
}

fn whole<'a>(statements: &Rc<Statements<'a>>, strategy: &str) -> Stage<'a> {
    let statements = Rc::clone(statements);
    let builder: Builder<'_> = Box::new(move |tree| boxed(statements.model(tree)));
    Stage {
        name: "statements".to_owned(),
        source: Source::Rebuilt(builder),
        strategy: by_name(strategy),
        steered: false,
    }
}

/// The maximum number of items for the stage of calls. In larger programs, the few other items that
/// are needed are found by bisection.
const FEW_ENOUGH_FOR_CALLS: usize = 2_000;

/// Returns the stage that searches around the calls that led to the failure, which other calls of
/// the same functions only obscure.
fn calls<'a>(target: &'a Target, seen: &Rc<SeenRun>, statements: &Rc<Statements<'a>>, strategy: &str) -> Stage<'a> {
    let (seen, statements) = (Rc::clone(seen), Rc::clone(statements));
    let model = move |tree: &FileTree| {
        let seen = seen.of(target, tree).filter(|_| target.keeps_reason)?;
        let values = statements.values.get_or_init(|| target.known_values(seen));
        // An infinite recursion involves more than the calls that are active at the end.
        if target.failure.kind == Kind::StackOverflow {
            return None;
        }
        let model = target.model_of_calls(tree, Care::Initialised, values);
        model.filter(|model| model.items().len() <= FEW_ENOUGH_FOR_CALLS)
    };
    let builder: Builder<'_> = Box::new(move |tree| boxed(model(tree).map(CoarseModel::new)));
    Stage { name: "calls".to_owned(), source: Source::Rebuilt(builder), strategy: by_name(strategy), steered: false }
}

fn expressions<'t>(target: &'t Target, detail: Detail, care: Care, strategy: &str) -> Stage<'t> {
    let builder: Builder<'_> = Box::new(move |tree| boxed(target.model(tree, detail, care)));
    Stage {
        name: "expressions".to_owned(),
        source: Source::Rebuilt(builder),
        strategy: by_name(strategy),
        steered: false,
    }
}

/// The selection of rewrites to try.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    Promising,
    All,
}

/// Whether rewrites that were rejected are tried again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Haste {
    Hasty,
    Thorough,
}

fn rewrites(target: &Target, effort: Effort, haste: Haste) -> Stage<'_> {
    // A rewrite that saves nothing does not make the program easier to read. For C++, the compiler
    // has precompiled headers and answers as quickly as libclang, which must read them first.
    let unchecked = if target.is_cpp() { 200 } else { 0 };
    let settings = Settings {
        layout: Layout::KeepLines,
        least_saved: 1,
        unchecked,
        reshapes: false,
        tries_hard: effort == Effort::All,
        invents: !target.keeps_reason,
        // With two calls on one line, it would be unclear which of them failed.
        joins_lines: !target.keeps_reason,
        ..Settings::default()
    };
    let model = move |tree: &FileTree| RewriteModel::read_by(&target.readers, tree, &target.project, &settings).ok();
    let builder: Builder<'_> = Box::new(move |tree| boxed(model(tree)));
    let strategy = match haste {
        Haste::Hasty => "hasty sweep",
        Haste::Thorough => "sweep",
    };
    Stage { name: "rewrites".to_owned(), source: Source::Rebuilt(builder), strategy: by_name(strategy), steered: false }
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

/// Returns the stage that tries all sub-programs if they are few, and notes that it did.
fn few_sub_programs<'a>(statements: &Rc<Statements<'a>>, enumerated: &Enumerated) -> Stage<'a> {
    let (statements, noted) = (Rc::clone(statements), enumerated.clone());
    let model = move |tree: &FileTree| {
        let model = statements.without_values(tree)?;
        let count = few(&model);
        noted.note(count.map(|count| (tree.key(), count)));
        count.map(|_| model)
    };
    let builder: Builder<'_> = Box::new(move |tree| boxed(model(tree)));
    let strategy = Box::new(enumerated.strategy());
    Stage { name: "all sub-programs".to_owned(), source: Source::Rebuilt(builder), strategy, steered: false }
}

/// Returns the number of sub-programs, if it is small.
fn few(model: &ClangModel) -> Option<u32> {
    const LITTLE_WORK: CountLimit = CountLimit { literals: 200_000 };
    let count = count(model.constraint(), &LITTLE_WORK).ok()?;
    u32::try_from(count).ok().filter(|count| *count <= FEW)
}

fn by_name(name: &str) -> Box<dyn Strategy> {
    named(name).expect("it is one of the engine's strategies")
}
