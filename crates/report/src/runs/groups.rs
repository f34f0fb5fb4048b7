//! Groups of runs to set side by side, and the runs that are partners.
//!
//! Invariant: a run is in at most one pair of two groups, and both of a pair have the same command,
//! input and test. A run that may have several partners has none.

use super::run::Run;
use std::collections::BTreeMap;
use std::path::{Component, Path};

/// Folders deeper than this make no groups.
const DEEPEST: usize = 12;

/// More groups without pairs say nothing.
const FEW: usize = 6;

/// The property that groups runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The strategy that was asked for.
    Strategy,
    /// The folders at one level below the folder of all runs: whichever level gives the most pairs.
    Folder,
}

/// The property that the runs of a group have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Division {
    Nothing,
    Strategy,
    /// The folder at this level.
    Folder(usize),
}

/// Runs in groups, with the pairs of the first group and each other one.
#[derive(Debug)]
pub struct Grouping<'a> {
    division: Division,
    /// The groups: that of the default strategy first, the others by name.
    pub groups: Vec<Group<'a>>,
    /// The first group compared with each of the others, where there are pairs.
    pub comparisons: Vec<PairedGroups<'a>>,
}

/// Runs that have something in common.
#[derive(Debug)]
pub struct Group<'a> {
    /// Their common property.
    pub name: String,
    /// The runs.
    pub runs: Vec<&'a Run>,
}

/// Two groups side by side.
#[derive(Debug)]
pub struct PairedGroups<'a> {
    /// The number of the group that is compared with the first.
    pub other: usize,
    /// The pairs: one run of the first group, one of the other.
    pub pairs: Vec<(&'a Run, &'a Run)>,
    /// How many runs of both groups have no partner, or more than one that could be.
    pub alone: usize,
}

impl<'a> Grouping<'a> {
    /// Groups runs; if `by` does not say how, in the way that gives the most pairs.
    #[must_use]
    pub fn of(runs: &[&'a Run], by: Option<By>) -> Grouping<'a> {
        let deepest = runs.iter().map(|run| folders(run).count()).max().unwrap_or(0).min(DEEPEST);
        let levels = (0..deepest).map(Division::Folder);
        let candidates: Vec<Division> = match by {
            Some(By::Strategy) => vec![Division::Strategy],
            Some(By::Folder) => levels.collect(),
            None => [Division::Strategy].into_iter().chain(levels).collect(),
        };
        let most = if by.is_some() { usize::MAX } else { FEW };
        let mut best = Grouping::divided(runs, Division::Nothing);
        for division in candidates {
            let grouping = Grouping::divided(runs, division);
            // Without any pairs, the first that makes a few groups is as good as another.
            let divides = best.groups.len() < 2 && (2..=most).contains(&grouping.groups.len());
            if grouping.pairs() > best.pairs() || divides {
                best = grouping;
            }
        }
        best
    }

    fn divided(runs: &[&'a Run], division: Division) -> Grouping<'a> {
        let mut named: BTreeMap<(bool, String), Vec<&'a Run>> = BTreeMap::new();
        for run in runs {
            let name = division.name(run);
            named.entry((name != "default", name)).or_default().push(run);
        }
        let groups: Vec<Group<'a>> = named.into_iter().map(|((_, name), runs)| Group { name, runs }).collect();
        let comparisons = (1..groups.len()).map(|other| compared(&groups[0], &groups[other], other, division));
        let comparisons = comparisons.filter(|comparison| !comparison.pairs.is_empty()).collect();
        Grouping { division, groups, comparisons }
    }

    fn pairs(&self) -> usize {
        self.comparisons.iter().map(|comparison| comparison.pairs.len()).sum()
    }

    /// The kind of the groups, in a word.
    #[must_use]
    pub fn what(&self) -> &'static str {
        match self.division {
            Division::Nothing => "group",
            Division::Strategy => "strategy",
            Division::Folder(_) => "folder",
        }
    }
}

impl Division {
    fn name(self, run: &Run) -> String {
        match self {
            Division::Nothing => "all runs".to_owned(),
            Division::Strategy => run.strategy.clone(),
            Division::Folder(level) => folders(run).nth(level).unwrap_or_else(|| ".".to_owned()),
        }
    }

    /// Where a run lies, apart from the folder that its group is named after: partners lie at the
    /// same place of their groups.
    fn place(self, run: &Run) -> Vec<String> {
        let mut place: Vec<String> = folders(run).collect();
        match self {
            Division::Folder(level) => {
                if level < place.len() {
                    place.remove(level);
                }
                place.extend(Path::new(&run.name).file_name().map(|name| name.to_string_lossy().into_owned()));
            }
            // Two results in one folder have different names.
            Division::Strategy | Division::Nothing => {}
        }
        place
    }
}

/// The folders of a run, below that of all runs.
fn folders(run: &Run) -> impl Iterator<Item = String> {
    let parts = Path::new(&run.name).parent().into_iter().flat_map(Path::components);
    parts.filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    })
}

fn compared<'a>(one: &Group<'a>, two: &Group<'a>, other: usize, division: Division) -> PairedGroups<'a> {
    let mut pairs = Vec::new();
    for (ones, others) in shared(&one.runs, &two.runs, problem) {
        match (&ones[..], &others[..]) {
            ([one], [other]) => pairs.push((*one, *other)),
            _ => {
                let placed = shared(&ones, &others, |run| division.place(run));
                pairs.extend(placed.iter().filter_map(|placed| match (&placed.0[..], &placed.1[..]) {
                    ([one], [other]) => Some((*one, *other)),
                    _ => None,
                }));
            }
        }
    }
    pairs.sort_by(|one, other| one.0.name.cmp(&other.0.name));
    let alone = one.runs.len() + two.runs.len() - 2 * pairs.len();
    PairedGroups { other, pairs, alone }
}

/// The runs of two groups by a key that occurs in both.
fn shared<'a, K: Ord>(
    one: &[&'a Run],
    other: &[&'a Run],
    key: impl Fn(&'a Run) -> K,
) -> Vec<(Vec<&'a Run>, Vec<&'a Run>)> {
    let mut found: BTreeMap<K, (Vec<&'a Run>, Vec<&'a Run>)> = BTreeMap::new();
    one.iter().for_each(|run| found.entry(key(run)).or_default().0.push(run));
    other.iter().for_each(|run| found.entry(key(run)).or_default().1.push(run));
    found.into_values().filter(|(ones, others)| !ones.is_empty() && !others.is_empty()).collect()
}

/// The problem that a run had to solve. The test may lie in another folder.
fn problem(run: &Run) -> (&str, &str, Vec<&str>) {
    let words = run.test.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    (&run.command, &run.input, words.collect())
}

#[cfg(test)]
mod tests {
    use super::super::run::sample;
    use super::*;

    fn run(name: &str, strategy: &str, input: &str) -> Run {
        Run { strategy: strategy.to_owned(), input: input.to_owned(), ..sample(name, 100, 10) }
    }

    /// The groups, and the pairs by name.
    fn grouped(runs: &[Run], by: Option<By>) -> (Vec<String>, Vec<(String, String)>, usize) {
        let all: Vec<&Run> = runs.iter().collect();
        let grouping = Grouping::of(&all, by);
        let names = grouping.groups.iter().map(|group| group.name.clone()).collect();
        let pairs = grouping.comparisons.iter().flat_map(|comparison| &comparison.pairs);
        let pairs = pairs.map(|(one, other)| (one.name.clone(), other.name.clone())).collect();
        (names, pairs, grouping.comparisons.iter().map(|comparison| comparison.alone).sum())
    }

    fn named(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(one, other)| ((*one).to_owned(), (*other).to_owned())).collect()
    }

    #[test]
    fn strategies_on_the_same_inputs_are_partners_and_the_default_comes_first() {
        let runs = [
            run("1.ddmin", "ddmin", "x"),
            run("1", "default", "x"),
            run("2.ddmin", "ddmin", "y"),
            run("2", "default", "y"),
            run("3", "default", "z"),
        ];
        let (groups, pairs, alone) = grouped(&runs, None);
        assert_eq!(groups, ["default", "ddmin"]);
        assert_eq!(pairs, named(&[("1", "1.ddmin"), ("2", "2.ddmin")]));
        assert_eq!(alone, 1, "nobody else had the third input");
    }

    #[test]
    fn folders_at_the_level_with_the_most_pairs_are_groups() {
        let runs =
            ["case1/new/r", "case1/old/r", "case2/new/r", "case2/old/r"].map(|name| run(name, "default", &name[..5]));
        let (groups, pairs, alone) = grouped(&runs, None);
        assert_eq!(groups, ["new", "old"]);
        assert_eq!(pairs, named(&[("case1/new/r", "case1/old/r"), ("case2/new/r", "case2/old/r")]));
        assert_eq!(alone, 0);
        let (groups, pairs, _) = grouped(&runs, Some(By::Strategy));
        assert_eq!((groups, pairs), (vec!["all runs".to_owned()], Vec::new()), "there is one strategy only");
    }

    #[test]
    fn repeated_runs_are_told_apart_by_their_place_or_not_paired() {
        let runs = ["a/seed1", "a/seed2", "b/seed1", "b/seed2", "b/seed3"].map(|name| run(name, "default", "x"));
        let (_, pairs, alone) = grouped(&runs, Some(By::Folder));
        assert_eq!(pairs, named(&[("a/seed1", "b/seed1"), ("a/seed2", "b/seed2")]));
        assert_eq!(alone, 1);
        let runs = [run("a1", "default", "x"), run("a2", "default", "x"), run("b", "ddmin", "x")];
        assert_eq!(grouped(&runs, None).1, [], "either could be the partner");
    }

    #[test]
    fn the_same_input_with_another_test_is_another_problem() {
        let test = |name, test: &str| Run { test: test.to_owned(), ..run(name, "default", "x") };
        let runs = [test("a/r", "a/hangs {}"), test("b/r", "b/crashes {}")];
        assert_eq!(grouped(&runs, None).1, []);
        let runs = [test("a/r", "a/hangs {}"), test("b/r", "/elsewhere/b/hangs {}")];
        assert_eq!(grouped(&runs, None).1, named(&[("a/r", "b/r")]), "a copy of the test is the same test");
    }

    #[test]
    fn every_run_is_in_at_most_one_pair() {
        let runs: Vec<Run> = (0..60)
            .map(|number| {
                let strategy = ["default", "gbr", "ddmin"][number % 3];
                run(&format!("{}/{}/r", number % 4, number % 5), strategy, &(number % 7).to_string())
            })
            .collect();
        for by in [None, Some(By::Strategy), Some(By::Folder)] {
            let all: Vec<&Run> = runs.iter().collect();
            for comparison in Grouping::of(&all, by).comparisons {
                let mut seen = std::collections::BTreeSet::new();
                for run in comparison.pairs.iter().flat_map(|(one, other)| [*one, *other]) {
                    assert!(seen.insert(std::ptr::from_ref(run)), "{}", run.name);
                }
                assert!(comparison.pairs.iter().all(|(one, other)| problem(one) == problem(other)));
            }
        }
    }
}
