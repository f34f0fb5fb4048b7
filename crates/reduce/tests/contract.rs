//! One suite for every strategy: the laws that all must keep, on random models with random
//! predicates.

use lapidary_logic::{Cnf, Reasoner, Var, VarSet};
use lapidary_reduce::journal::Resumed;
use lapidary_reduce::strategy::{Exhaustive, NAMES, STRATEGIES, Strategy as _, TooLarge, named};
use lapidary_reduce::{
    Blob, Cancel, Counts, Event, FileTree, Header, Item, Journal, Judgment, Key, Limits, Model, Observer, Outcome,
    Plan, Predicate, PredicateError, RenderError, Session, Source, Space, Stage, Stop, Verdict, run,
};
use lapidary_testkit::{Needs, Recorder, Scripted, ToyModel, cases, formula, graph};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// Everything about a run that must not depend on the number of jobs.
#[derive(Debug, PartialEq)]
struct Trace {
    events: Vec<(u64, Key, bool, u64)>,
    sizes: Vec<u64>,
    search: u64,
    confirm: u64,
    best: Vec<usize>,
    kept: VarSet,
}

#[derive(Default)]
struct Log<'a> {
    events: Vec<(u64, Key, bool, u64)>,
    sizes: Vec<u64>,
    journal: Option<&'a mut Journal>,
}

impl Observer for Log<'_> {
    fn test(&mut self, event: &Event<'_>, _: &Counts) -> Result<(), String> {
        self.events.push((event.number, event.key, event.judgment.is_interesting(), event.bytes));
        match &mut self.journal {
            Some(journal) => journal.test(event).map_err(|error| error.to_string()),
            None => Ok(()),
        }
    }

    fn improved(&mut self, best: &FileTree) -> Result<(), String> {
        self.sizes.push(best.bytes());
        Ok(())
    }
}

struct Case<'a> {
    strategy: &'a str,
    model: &'a dyn Model,
    needs: &'a Needs,
}

impl Case<'_> {
    /// Runs to the end or to the limit, and returns the trace, the outcome and the judged
    /// candidates.
    fn run(
        &self,
        limits: Limits,
        known: Vec<(Key, Judgment)>,
        journal: Option<&mut Journal>,
    ) -> (Trace, Outcome, Vec<Vec<usize>>) {
        let predicate = Scripted::new(|kept: &[usize]| self.needs.holds(kept));
        let input = self.model.render(&VarSet::full(self.model.constraint().variables())).unwrap();
        let strategy = named(self.strategy).unwrap();
        let stage = Stage { name: "toy".into(), source: Source::Fixed(self.model), strategy, steered: false };
        let plan = Plan { stages: vec![stage], ..Plan::default() };
        let mut log = Log { journal, ..Log::default() };
        let mut session = Session::new(input, &predicate, limits, &mut log);
        session.remember(known);
        let outcome = run(&mut session, &plan);
        let best = ToyModel::read(session.best());
        let Counts { search, confirm, .. } = session.counts();
        let kept = outcome.kept.clone().unwrap();
        drop(session);
        let Log { events, sizes, .. } = log;
        (Trace { events, sizes, search, confirm, best, kept }, outcome, predicate.asked())
    }
}

/// The result of a reduction as an input of its own: only its items, and the clauses between them.
struct Rest {
    items: Vec<Item>,
    constraint: Cnf,
    /// The numbers that the items had before.
    numbers: Vec<usize>,
}

impl Rest {
    fn of(model: &ToyModel, kept: &[usize]) -> Rest {
        let number = |var: &Var| kept.iter().position(|&item| item == var.index()).map(Var::new);
        let mut constraint = Cnf::new(kept.len());
        for clause in model.constraint().clauses() {
            let premises: Option<Vec<Var>> = clause.premises.iter().map(number).collect();
            let conclusions: Vec<Var> = clause.conclusions.iter().filter_map(number).collect();
            if let Some(premises) = premises {
                constraint.add(&premises, &conclusions).unwrap();
            }
        }
        let above = |var: &Var| model.items()[var.index()].parent;
        let parent = |item: &Item| std::iter::successors(item.parent, above).find_map(|ancestor| number(&ancestor));
        let items =
            kept.iter().map(|&item| &model.items()[item]).map(|item| Item { parent: parent(item), ..item.clone() });
        Rest { items: items.collect(), constraint, numbers: kept.to_vec() }
    }
}

impl Model for Rest {
    fn items(&self) -> &[Item] {
        &self.items
    }

    fn constraint(&self) -> &Cnf {
        &self.constraint
    }

    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError> {
        let text: String = keep.iter().map(|var| format!("{}\n", self.numbers[var.index()])).collect();
        Ok(FileTree::file("toy", Blob::from(text.into_bytes())))
    }
}

fn jobs(jobs: usize) -> Limits {
    Limits { jobs, ..Limits::default() }
}

/// Whether exactly these items satisfy the formula. There are no auxiliary variables here.
fn is_valid(constraint: &Cnf, kept: &[usize]) -> bool {
    constraint.is_satisfied_by(&VarSet::of(constraint.variables(), kept.iter().copied().map(Var::new)))
}

fn needs(variables: usize) -> impl Strategy<Value = Needs> {
    (vec(0..variables, 0..4), proptest::option::of(0..3usize)).prop_map(|(all, odd)| Needs { all, odd })
}

fn models() -> impl Strategy<Value = (Cnf, Needs)> {
    formula(12).prop_flat_map(|cnf| {
        let variables = cnf.variables();
        (Just(cnf), needs(variables))
    })
}

fn all_names() -> Vec<&'static str> {
    STRATEGIES.iter().map(|row| row.name).collect()
}

#[test]
fn every_name_is_a_strategy_of_that_name() {
    for (name, _) in NAMES {
        assert_eq!(named(name).unwrap().name(), *name);
    }
    assert_eq!(all_names().into_iter().collect::<HashSet<_>>().len(), STRATEGIES.len());
    assert!(named("magic").is_none());
}

#[test]
fn every_strategy_is_described_in_the_docs() {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for page in ["concepts/strategies.md", "reference/cli.md"] {
        let text = std::fs::read_to_string(docs.join(page)).unwrap();
        let missing: Vec<_> = NAMES.iter().filter(|(name, _)| !text.contains(&format!("`{name}`"))).collect();
        assert!(missing.is_empty(), "{page} lacks {missing:?}");
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn results_are_valid_interesting_and_final((cnf, needs) in models()) {
        let everything: Vec<usize> = (0..cnf.variables()).collect();
        prop_assume!(needs.holds(&everything));
        let model = ToyModel::new(cnf.clone());
        for strategy in all_names() {
            let case = Case { strategy, model: &model, needs: &needs };
            let (trace, outcome, asked) = case.run(jobs(1), vec![], None);
            prop_assert!(outcome.stop.is_none());
            prop_assert!(needs.holds(&trace.best), "{strategy}: not interesting");
            if strategy != "ddmin" {
                prop_assert!(asked.iter().all(|kept| is_valid(&cnf, kept)), "{strategy}: an invalid candidate was tested");
                prop_assert!(is_valid(&cnf, &trace.best), "{strategy}: not valid");
            }
            // A model of the rest has its own variable order, which settles choices differently,
            // and `windows` alone tries only one of two choices. A hasty sweep never tries an item
            // again that was needed once.
            if !["ddmin", "windows", "hasty sweep", "gbr, then sweep"].contains(&strategy) {
                let again = Case { strategy, model: &Rest::of(&model, &trace.best), needs: &needs };
                let (second, ..) = again.run(jobs(1), vec![], None);
                prop_assert_eq!(&second.best, &trace.best, "{}: reducing the result again changes it", strategy);
            }
            let distinct: HashSet<&Vec<usize>> = asked.iter().collect();
            prop_assert_eq!(distinct.len(), asked.len(), "{}: a test was repeated", strategy);
            prop_assert!(trace.sizes.is_sorted_by(|a, b| a >= b), "{strategy}: the best size grew");
            if strategy.ends_with("polish") {
                for item in &trace.best {
                    let fewer: Vec<usize> = trace.best.iter().copied().filter(|other| other != item).collect();
                    prop_assert!(!is_valid(&cnf, &fewer) || !needs.holds(&fewer), "{strategy}: item {item} can go");
                }
            }
        }
    }

    #[test]
    fn nothing_depends_on_the_number_of_jobs((cnf, needs) in models()) {
        let everything: Vec<usize> = (0..cnf.variables()).collect();
        prop_assume!(needs.holds(&everything));
        let model = ToyModel::new(cnf);
        for strategy in all_names() {
            let case = Case { strategy, model: &model, needs: &needs };
            let (sequential, ..) = case.run(jobs(1), vec![], None);
            for count in [2, 3, 7, 64] {
                let (parallel, _, asked) = case.run(jobs(count), vec![], None);
                prop_assert_eq!(&sequential, &parallel, "{} with {} jobs", strategy, count);
                let distinct: HashSet<&Vec<usize>> = asked.iter().collect();
                prop_assert_eq!(distinct.len(), asked.len(), "{} with {} jobs: a test was repeated", strategy, count);
            }
        }
    }

    #[test]
    fn a_run_that_was_killed_goes_on_where_it_stopped((cnf, needs) in models(), killed_after in 0u64..25, count in 1usize..4) {
        let everything: Vec<usize> = (0..cnf.variables()).collect();
        prop_assume!(needs.holds(&everything));
        let model = ToyModel::new(cnf);
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        let header = Header::new(Key([0; 32]), vec![]);
        for strategy in all_names() {
            let case = Case { strategy, model: &model, needs: &needs };
            let (whole, ..) = case.run(jobs(1), vec![], None);
            let mut journal = Journal::create(&path, &header).unwrap();
            let limits = Limits { tests: Some(killed_after), ..jobs(count) };
            let (_, stopped, before) = case.run(limits, vec![], Some(&mut journal));
            prop_assert_eq!(stopped.stop.is_some(), whole.search + whole.confirm > killed_after);
            drop(journal);
            let Resumed { mut journal, known, .. } = Journal::resume(&path, &header).unwrap();
            let recorded: HashSet<Key> = known.iter().map(|(key, _)| *key).collect();
            let (resumed, outcome, after) = case.run(jobs(count), known, Some(&mut journal));
            prop_assert_eq!(outcome.stop, None);
            prop_assert_eq!(&whole, &resumed, "{} resumed", strategy);
            let again = after.iter().filter(|kept| {
                let rendered = model.render(&VarSet::of(model.items().len(), kept.iter().copied().map(Var::new))).unwrap();
                recorded.contains(&rendered.key())
            });
            prop_assert_eq!(again.count(), 0, "{} asked again", strategy);
            prop_assert!(count > 1 || before.len() as u64 <= killed_after);
        }
    }
}

/// Runs `polish` and returns the items that are left.
fn polished(cnf: &Cnf, interesting: impl FnMut(&VarSet) -> bool) -> Vec<usize> {
    let model = ToyModel::new(cnf.clone());
    let reasoner = Reasoner::new(cnf);
    let space = Space::new(model.items(), &reasoner, VarSet::full(cnf.variables()));
    let left = named("polish").unwrap().reduce(&space, &mut Recorder::new(interesting)).unwrap();
    left.iter().map(Var::index).collect()
}

#[test]
fn what_cannot_go_together_still_goes_one_by_one() {
    let mut cnf = Cnf::new(3);
    cnf.add(&[], &[Var::new(0), Var::new(1)]).unwrap();
    assert_eq!(polished(&cnf, |_| true).len(), 1);
}

#[test]
fn what_is_needed_only_by_something_that_goes_in_the_same_batch_goes_too() {
    // Item 1 needs item 0, though no clause says so.
    let left = polished(&graph(2, &[]), |keep| keep.contains(Var::new(0)) || !keep.contains(Var::new(1)));
    assert_eq!(left, [0usize; 0]);
}

#[test]
fn trying_everything_says_so_when_that_is_too_much() {
    let cnf = Cnf::new(30);
    let model = ToyModel::new(cnf.clone());
    let reasoner = Reasoner::new(&cnf);
    let space = Space::new(model.items(), &reasoner, VarSet::full(30));
    let search = |too_large| {
        let strategy = Exhaustive { patience: 1000, too_large, ..Exhaustive::default() };
        strategy.reduce(&space, &mut Recorder::new(|_: &VarSet| false))
    };
    let kept = search(TooLarge::KeepStart).unwrap();
    assert_eq!(kept, VarSet::full(30), "as one stage of several it keeps what there is");
    let told = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&told);
    let tell = TooLarge::Tell(Box::new(move || _ = count.fetch_add(1, Ordering::SeqCst)));
    assert_eq!(search(tell).unwrap(), VarSet::full(30));
    assert_eq!(told.load(Ordering::SeqCst), 1, "it tells that not everything was tried");
    let stop = search(TooLarge::Refuse).unwrap_err();
    assert!(stop.to_string().starts_with("30 items are too many"), "{stop}");
}

#[test]
fn an_interrupted_run_keeps_the_best_and_says_so() {
    let model = ToyModel::new(Cnf::new(40));
    let limits = jobs(2);
    let interrupt = limits.cancel.clone();
    let asked = AtomicUsize::new(0);
    let predicate = Scripted::new(|kept: &[usize]| {
        if asked.fetch_add(1, Ordering::SeqCst) == 12 {
            interrupt.cancel();
        }
        kept.contains(&17)
    });
    let input = model.render(&VarSet::full(40)).unwrap();
    let stage =
        Stage { name: "toy".into(), source: Source::Fixed(&model), strategy: named("polish").unwrap(), steered: false };
    let plan = Plan { stages: vec![stage], ..Plan::default() };
    let mut observer = ();
    let mut session = Session::new(input.clone(), &predicate, limits, &mut observer);
    let outcome = run(&mut session, &plan);
    assert_eq!(outcome.stop, Some(Stop::Interrupted));
    assert!(session.best_size() < input.size());
    assert!(ToyModel::read(session.best()).contains(&17));
}

/// Answers only while as many others ask, or after so long that something is wrong.
struct Together {
    asking: Mutex<usize>,
    more: Condvar,
    most: AtomicUsize,
}

impl Predicate for Together {
    fn judge(&self, candidate: &FileTree, _: &Cancel) -> Result<Judgment, PredicateError> {
        const WANTED: usize = 6;
        const PATIENCE: Duration = Duration::from_secs(60);
        let mut asking = self.asking.lock().unwrap();
        *asking += 1;
        self.most.fetch_max(*asking, Ordering::SeqCst);
        self.more.notify_all();
        if self.most.load(Ordering::SeqCst) < WANTED {
            let enough = |_: &mut usize| self.most.load(Ordering::SeqCst) < WANTED;
            asking = self.more.wait_timeout_while(asking, PATIENCE, enough).unwrap().0;
        }
        *asking -= 1;
        let verdict =
            if ToyModel::read(candidate).contains(&7) { Verdict::Interesting } else { Verdict::Uninteresting };
        Ok(Judgment::new(verdict, ""))
    }
}

#[test]
fn with_many_jobs_questions_after_the_present_one_are_tested_as_well() {
    let model = ToyModel::new(Cnf::new(60));
    let predicate = Together { asking: Mutex::new(0), more: Condvar::new(), most: AtomicUsize::new(0) };
    // It asks about one candidate at a time.
    let strategy = named("probdd").unwrap();
    let stage = Stage { name: "toy".into(), source: Source::Fixed(&model), strategy, steered: false };
    let plan = Plan { stages: vec![stage], ..Plan::default() };
    let mut observer = ();
    let mut session = Session::new(model.render(&VarSet::full(60)).unwrap(), &predicate, jobs(8), &mut observer);
    run(&mut session, &plan);
    assert_eq!(ToyModel::read(session.best()), [7]);
    assert!(predicate.most.load(Ordering::SeqCst) >= 6);
}
