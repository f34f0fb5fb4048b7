//! The facts about a run that are worth showing. They come from [`Change`]s, without a clock: each
//! says when it happened.

use crate::change::Change;
use crate::history::History;
use crate::words::{counted, shortened};
use lapidary::{Budget, Counts, Event, FileTree, Item, StageInfo, Trial};
use lapidary_logic::VarSet;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

/// How often the candidate in work is looked at, for a model of few items.
const LOOK: Duration = Duration::from_millis(100);

/// The model for which looking takes twice that time.
const MANY_ITEMS: u32 = 10_000;

/// The most findings that are kept for scrolling; the others are only counted.
const FOUND: usize = 10_000;

/// The facts about a run before it begins.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The command, such as `reduce`.
    pub command: &'static str,
    /// The input, as the user named it.
    pub input: String,
    /// When the run stops early.
    pub budget: Option<Budget>,
}

impl About {
    /// Whether the command searches for a small input after a few short phases.
    pub fn is_search(&self) -> bool {
        matches!(self.command, "reduce" | "crash")
    }
}

/// The facts about a run that are worth showing.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The facts from before it began.
    pub about: About,
    /// The phase outside of a search, and since when.
    pub phase: Option<(String, Duration)>,
    /// The search for a small input, once it has begun.
    pub search: Option<Search>,
    /// The counts of the run, in the order in which it began to count.
    pub counted: Vec<(String, u64)>,
    /// The outcomes, with whether each is a finding; the latest last.
    pub found: VecDeque<(String, bool)>,
    /// The number of everything that was found, including what is no longer kept.
    pub found_in_all: u64,
    /// The latest warnings and notes.
    pub messages: VecDeque<String>,
    /// Whether the user holds the run.
    pub is_paused: bool,
    /// Whether the user asked to stop.
    pub is_stopping: bool,
}

/// A search for a small input.
#[derive(Clone, Debug)]
pub struct Search {
    /// When it began.
    pub since: Duration,
    /// The size of the input.
    pub original: u64,
    /// The size of the best result.
    pub best: u64,
    /// When the best result was found, unless it is the input.
    pub gained: Option<Duration>,
    /// The size of the best result over time.
    pub history: History,
    /// The input and the best result, which the view shares while the run goes on.
    pub trees: Option<[Arc<FileTree>; 2]>,
    /// The stage in progress.
    pub stage: Option<Stage>,
    /// The counts of the session.
    pub counts: Counts,
    /// Tests that an earlier run answered.
    pub replayed: u64,
    /// Tests that were spent on invalid candidates.
    pub invalid: u64,
    /// The time in tests, summed over all jobs.
    pub in_tests: Duration,
    /// The time for which the session waited for tests, and when that was known.
    pub waited: (Duration, Duration),
    /// Whether it has ended.
    pub is_over: bool,
}

/// A stage of a search.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The name.
    pub name: String,
    /// The name of the strategy.
    pub strategy: &'static str,
    /// The round, counted from 1.
    pub round: u32,
    /// The number of items of its model.
    pub items: usize,
    /// How many items of each kind are left.
    pub left: BTreeMap<String, usize>,
    /// The candidate in work, in words.
    pub trying: Option<String>,
    /// When the candidate in work was last looked at.
    looked: Option<Duration>,
}

impl State {
    /// The state before a run.
    pub fn new(about: About) -> Self {
        State { about, ..State::default() }
    }

    /// Takes note of a change that happened so long after the run began.
    pub fn apply(&mut self, at: Duration, change: &Change<'_>) {
        match change {
            Change::Phase(what) => self.phase = Some(((*what).to_owned(), at)),
            Change::Warning(text) => self.message(format!("warning: {text}")),
            Change::Note(text) => self.message(format!("note: {text}")),
            Change::SearchBegins(bytes) => self.search = Some(Search::new(at, *bytes)),
            Change::Found(text, is_finding) => self.find(text, *is_finding),
            Change::Counted(what, number) => self.count(what, *number),
            Change::Paused(is_paused) => self.is_paused = *is_paused,
            Change::Stopping => self.is_stopping = true,
            _ => self.search.iter_mut().for_each(|search| search.apply(at, change)),
        }
    }

    /// The search, if it is in progress.
    pub fn searching(&self) -> Option<&Search> {
        self.search.as_ref().filter(|search| !search.is_over)
    }

    fn message(&mut self, text: String) {
        const FEW: usize = 3;
        self.messages.push_back(text);
        if self.messages.len() > FEW {
            self.messages.pop_front();
        }
    }

    fn find(&mut self, text: &str, is_finding: bool) {
        self.found_in_all += 1;
        self.found.push_back((text.to_owned(), is_finding));
        if self.found.len() > FOUND {
            self.found.pop_front();
        }
    }

    fn count(&mut self, what: &str, number: u64) {
        match self.counted.iter_mut().find(|(known, _)| known == what) {
            Some((_, known)) => *known = number,
            None => self.counted.push((what.to_owned(), number)),
        }
    }
}

impl Search {
    fn new(since: Duration, original: u64) -> Self {
        let mut history = History::default();
        history.push(since, original);
        Search {
            since,
            original,
            best: original,
            gained: None,
            history,
            trees: None,
            stage: None,
            counts: Counts::default(),
            replayed: 0,
            invalid: 0,
            in_tests: Duration::ZERO,
            waited: (Duration::ZERO, since),
            is_over: false,
        }
    }

    fn apply(&mut self, at: Duration, change: &Change<'_>) {
        match change {
            Change::Stage(info) => self.stage = Some(Stage::new(info)),
            Change::Trying(trial) => {
                self.counts.run += 1;
                self.stage.iter_mut().for_each(|stage| stage.look(at, trial));
            }
            Change::Tested(event, counts) => self.tested(at, event, counts),
            Change::Improved(tree, bytes) => self.improved(at, tree, *bytes),
            Change::SearchEnds => self.is_over = true,
            _ => {}
        }
    }

    fn tested(&mut self, at: Duration, event: &Event<'_>, counts: &Counts) {
        self.counts = *counts;
        self.replayed += u64::from(event.replayed);
        self.invalid += u64::from(event.judgment.is_invalid());
        if !event.replayed {
            self.in_tests += event.judgment.elapsed;
        }
        self.waited = (event.waited, at);
    }

    fn improved(&mut self, at: Duration, tree: &FileTree, bytes: u64) {
        let tree = Arc::new(tree.clone());
        match &mut self.trees {
            // The first one is the input itself.
            None => self.trees = Some([Arc::clone(&tree), tree]),
            Some([_, best]) => *best = tree,
        }
        if bytes < self.best {
            self.gained = Some(at);
            self.history.push(at, bytes);
        }
        self.best = bytes;
    }

    /// Tests and cached answers each second since the search began.
    pub fn tests_per_second(&self, now: Duration) -> f64 {
        self.counts.run as f64 / now.saturating_sub(self.since).as_secs_f64().max(0.001)
    }

    /// The time that was not spent waiting for tests, up to the last answer.
    pub fn our_own(&self) -> Duration {
        let (waited, at) = self.waited;
        at.saturating_sub(self.since).saturating_sub(waited)
    }
}

impl Stage {
    fn new(info: &StageInfo<'_>) -> Self {
        Stage {
            name: info.name.to_owned(),
            strategy: info.strategy,
            round: info.round,
            items: info.items.len(),
            left: BTreeMap::new(),
            trying: None,
            looked: None,
        }
    }

    /// Looks at the candidate in work, unless that would take a share of the time that somebody
    /// could notice.
    fn look(&mut self, at: Duration, trial: &Trial<'_>) {
        let pause = LOOK + LOOK * (trial.items.len() as u32 / MANY_ITEMS);
        if self.looked.is_some_and(|last| at.saturating_sub(last) < pause) {
            return;
        }
        self.looked = Some(at);
        self.left = by_kind(trial.items, trial.base);
        self.trying = Some(in_words(trial));
    }
}

/// How many of the kept items there are of each kind.
fn by_kind(items: &[Item], keep: &VarSet) -> BTreeMap<String, usize> {
    let mut kinds = BTreeMap::<&str, usize>::new();
    for item in keep.iter().map_while(|var| items.get(var.index())) {
        *kinds.entry(&item.kind).or_default() += 1;
    }
    kinds.into_iter().map(|(kind, count)| (kind.to_owned(), count)).collect()
}

/// A candidate in words: which items it lacks, those that are inside of others left out.
fn in_words(trial: &Trial<'_>) -> String {
    const FEW: usize = 3;
    const LABEL: usize = 40;
    let removed = trial.base.minus(trial.keep);
    let gone = || removed.iter().filter_map(|var| trial.items.get(var.index()));
    let count = gone().count();
    if count == 0 {
        return "another selection of the same items".to_owned();
    }
    let is_outermost = |item: &&Item| item.parent.is_none_or(|parent| !removed.contains(parent));
    let label = |item: &Item| format!("{} `{}`", item.kind, shortened(&item.label, LABEL));
    let labels: Vec<String> = gone().filter(is_outermost).take(FEW).map(label).collect();
    match (count, &labels[..]) {
        (1, [only]) => format!("without {only}"),
        _ => format!("without {}: {}, …", counted(count, "item"), labels.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary::{Judgment, Verdict};
    use lapidary_logic::Var;
    use lapidary_reduce::Key;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn items() -> Vec<Item> {
        let (outer, kind) = (Item::new("f()", "function"), "statement");
        let inner = ["a;", "b;"].map(|label| Item::new(label, kind).inside(Var::new(0)));
        [vec![outer], inner.to_vec()].concat()
    }

    fn started() -> State {
        let mut state = State::new(About { command: "reduce", input: "a.c".into(), budget: None });
        state.apply(seconds(2), &Change::SearchBegins(100));
        state.apply(seconds(2), &Change::Improved(&FileTree::file("a.c", "input"), 100));
        let items = items();
        let stage = StageInfo { round: 1, name: "tree", strategy: "hdd", items: &items, clauses: 0, bytes: 100 };
        state.apply(seconds(2), &Change::Stage(&stage));
        state
    }

    fn test(state: &mut State, at: u64, judgment: &Judgment, replayed: bool, waited: u64) {
        let keep = VarSet::full(3);
        let event = Event {
            number: 1,
            stage: "tree",
            key: Key([0; 32]),
            judgment,
            bytes: 50,
            keep: &keep,
            start: &keep,
            improved: false,
            replayed,
            waited: seconds(waited),
        };
        state.apply(seconds(at), &Change::Tested(&event, &Counts { run: 3, cached: 2, ..Counts::default() }));
    }

    #[test]
    fn the_candidate_in_work_is_named_and_the_items_left_are_counted_by_kind() {
        let mut state = started();
        let (items, all) = (items(), VarSet::full(3));
        let mut trying = |at: u64, gone: &[usize]| {
            let keep = all.without(&gone.iter().copied().map(Var::new).collect::<Vec<_>>());
            let trial = Trial { items: &items, base: &all, keep: &keep, bytes: 10 };
            state.apply(seconds(at), &Change::Trying(&trial));
            state.search.clone().unwrap().stage.unwrap()
        };
        let stage = trying(3, &[1]);
        assert_eq!(stage.trying.unwrap(), "without statement `a;`");
        assert_eq!(stage.left, [("function".into(), 1), ("statement".into(), 2)].into());
        assert_eq!(trying(3, &[2]).trying.unwrap(), "without statement `a;`", "looked at a moment ago");
        assert_eq!(trying(4, &[0, 1, 2]).trying.unwrap(), "without 3 items: function `f()`, …");
        assert_eq!(trying(5, &[]).trying.unwrap(), "another selection of the same items");
    }

    #[test]
    fn gains_are_remembered_with_their_time_and_the_input() {
        let mut state = started();
        assert_eq!(state.search.as_ref().unwrap().gained, None);
        state.apply(seconds(5), &Change::Improved(&FileTree::file("a.c", "in"), 40));
        let search = state.searching().unwrap();
        assert_eq!((search.best, search.original, search.gained), (40, 100, Some(seconds(5))));
        assert_eq!(search.history.columns(4, seconds(6)), [100, 100, 40, 40]);
        let [input, best] = search.trees.as_ref().unwrap();
        assert_ne!(input, best);
        state.apply(seconds(6), &Change::SearchEnds);
        assert!(state.searching().is_none());
    }

    #[test]
    fn time_and_tests_are_told_apart() {
        let mut state = started();
        let judgment = Judgment { elapsed: seconds(4), ..Judgment::new(Verdict::Uninteresting, "does not compile: x") };
        test(&mut state, 8, &judgment, false, 5);
        test(&mut state, 9, &judgment, true, 5);
        let search = state.search.unwrap();
        assert_eq!((search.invalid, search.replayed, search.counts.cached), (2, 1, 2));
        assert_eq!(search.in_tests, seconds(4), "a replayed test took no time in this run");
        assert_eq!(search.our_own(), seconds(2));
        assert!((search.tests_per_second(seconds(5)) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn counts_keep_their_order_and_old_messages_go() {
        let mut state = State::default();
        for (what, number) in [("paths", 1), ("findings", 0), ("paths", 2)] {
            state.apply(seconds(1), &Change::Counted(what, number));
        }
        assert_eq!(state.counted, [("paths".into(), 2), ("findings".into(), 0)]);
        ["a", "b", "c", "d"].iter().for_each(|text| state.apply(seconds(1), &Change::Note(text)));
        assert_eq!(state.messages, ["note: b", "note: c", "note: d"]);
    }
}
