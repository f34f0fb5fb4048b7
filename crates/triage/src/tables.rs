//! Statistics over many programs: the tables and curves of the chapter.

use crate::easiness::Verdict;
use crate::judged::{Judged, Outcome, Overlap};
use std::collections::{BTreeMap, BTreeSet};

/// The score of one input, reduced to the data that tables need. Tools of any kind provide this.
#[derive(Clone, Debug, Default)]
pub struct Scored {
    pub program: String,
    /// `None` if no analysis answered.
    pub easiness: Option<f64>,
    /// The number of methods entered, where it is known.
    pub size: Option<usize>,
    /// The analyses that are wrong about the input; for methods, those that lost the first lost
    /// method.
    pub missed_by: BTreeSet<String>,
    /// The analyses that gave no answer.
    pub silent: BTreeSet<String>,
    /// The verdict on each analysis that is wrong.
    pub verdicts: BTreeMap<String, Verdict>,
    /// The verdicts on further losses, which the first ones do not explain.
    pub further: Vec<Verdict>,
    /// The true verdict on each loss, where it is known.
    pub truth: BTreeMap<String, Verdict>,
}

impl Scored {
    pub fn of(judged: &Judged, truth: &BTreeMap<String, Verdict>) -> Scored {
        let is_silent = |outcome: &Outcome| matches!(outcome, Outcome::Failed(_));
        Scored {
            program: judged.program.clone(),
            easiness: judged.easiness,
            size: Some(judged.entered.len()),
            missed_by: judged.first_lost.iter().flat_map(|(_, missed_by)| missed_by.iter().cloned()).collect(),
            silent: judged
                .findings
                .iter()
                .filter(|finding| is_silent(&finding.outcome))
                .map(|finding| finding.analysis.clone())
                .collect(),
            verdicts: judged.losses().map(|(analysis, lost)| (analysis.to_owned(), lost.verdict)).collect(),
            further: judged.further().map(|(_, further)| further.lost.verdict).collect(),
            truth: truth.clone(),
        }
    }

    /// The verdicts on all losses: the first of each analysis, and the further ones.
    pub fn all_verdicts(&self) -> impl Iterator<Item = Verdict> {
        self.verdicts.values().chain(&self.further).copied()
    }
}

/// A comparison of an analysis with the methods that ran (table 2.1).
#[derive(Clone, Debug, PartialEq)]
pub struct Relative {
    pub name: String,
    /// The number of programs on which it answered; the other numbers are about these.
    pub programs: usize,
    pub entered: usize,
    pub reached: usize,
    pub reached_and_entered: usize,
    /// `None` where the denominator is zero.
    pub precision: Option<f64>,
    pub recall: Option<f64>,
}

/// One row for each analysis, one for the union and one for the intersection of all, over the
/// programs on which they answered.
pub fn relative(judged: &[Judged], analyses: &[String]) -> Vec<Relative> {
    let of_analysis = |name: &str, judged: &Judged| {
        let finding = judged.findings.iter().find(|finding| finding.analysis == name)?;
        (!matches!(finding.outcome, Outcome::Failed(_))).then_some(finding.overlap)
    };
    let answered = |judged: &Judged| judged.easiness.is_some();
    let own = |name: &String| row(name, judged, &|judged| of_analysis(name, judged));
    let mut rows: Vec<Relative> = analyses.iter().map(own).collect();
    rows.push(row("union", judged, &|judged| answered(judged).then_some(judged.union)));
    rows.push(row("intersection", judged, &|judged| answered(judged).then_some(judged.intersection)));
    rows
}

fn row(name: &str, judged: &[Judged], overlap_of: &dyn Fn(&Judged) -> Option<Overlap>) -> Relative {
    let (mut programs, mut entered, mut reached, mut both) = (0, 0, 0, 0);
    for (judged, overlap) in judged.iter().filter_map(|judged| Some((judged, overlap_of(judged)?))) {
        programs += 1;
        entered += judged.entered.len();
        reached += overlap.reached;
        both += overlap.reached_and_entered;
    }
    Relative {
        name: name.to_owned(),
        programs,
        entered,
        reached,
        reached_and_entered: both,
        precision: share_of(both, reached),
        recall: share_of(both, entered),
    }
}

fn share_of(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn share(part: usize, whole: usize) -> f64 {
    share_of(part, whole).unwrap_or(0.0)
}

/// All inputs of one easiness (figures 2.6 and 2.8).
#[derive(Clone, Debug, PartialEq)]
pub struct Bin {
    pub easiness: f64,
    pub inputs: usize,
    pub median_size: Option<usize>,
    /// The share of inputs on which each analysis was right (for methods: knew the first lost one),
    /// among those it answered.
    pub sound: BTreeMap<String, f64>,
    /// The shares of losses that are bugs, features, or unknown, if the truth is known for any.
    pub truth: Option<[f64; 3]>,
}

/// The inputs grouped by easiness, hard ones first.
pub fn bins(scored: &[Scored], analyses: &[String]) -> Vec<Bin> {
    let mut groups: BTreeMap<u64, Vec<&Scored>> = BTreeMap::new();
    for (one, easiness) in scored.iter().filter_map(|one| Some((one, one.easiness?))) {
        // Scores that differ by less are equal up to rounding.
        groups.entry((easiness * 1e6).round() as u64).or_default().push(one);
    }
    groups.into_iter().map(|(key, group)| bin(key as f64 / 1e6, &group, analyses)).collect()
}

fn bin(easiness: f64, group: &[&Scored], analyses: &[String]) -> Bin {
    let mut sizes: Vec<usize> = group.iter().filter_map(|one| one.size).collect();
    sizes.sort_unstable();
    let sound = |name: &String| {
        let asked = group.iter().filter(|one| !one.silent.contains(name));
        let right = asked.clone().filter(|one| !one.missed_by.contains(name)).count();
        (asked.clone().count() > 0).then(|| (name.clone(), share(right, asked.count())))
    };
    let truths: Vec<Verdict> = group.iter().flat_map(|one| one.losses()).map(|(_, _, truth)| truth).collect();
    let of = |kind: Verdict| share(truths.iter().filter(|truth| **truth == kind).count(), truths.len());
    Bin {
        easiness,
        inputs: group.len(),
        median_size: sizes.get(sizes.len() / 2).copied(),
        sound: analyses.iter().filter_map(sound).collect(),
        truth: (!truths.is_empty()).then(|| Verdict::ALL.map(of)),
    }
}

impl Scored {
    /// Each loss with its verdict and its true verdict; none if the truth about this input is
    /// unknown.
    fn losses(&self) -> impl Iterator<Item = (&String, Verdict, Verdict)> {
        let is_known = !self.truth.is_empty();
        let truth = |name: &String| self.truth.get(name).copied().unwrap_or(Verdict::Unknown);
        self.verdicts.iter().filter(move |_| is_known).map(move |(name, verdict)| (name, *verdict, truth(name)))
    }
}

/// The analyses that are wrong about an input, and those that gave no answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sides {
    pub missed_by: BTreeSet<String>,
    pub silent: BTreeSet<String>,
}

/// A group of inputs on which the same analyses are wrong (table 2.5).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    pub easiness: f64,
    pub inputs: usize,
    /// The numbers of losses that are bugs, features, and unknown.
    pub truth: [usize; 3],
}

/// Groups inputs by the analyses that are wrong; inputs that all get right are left out.
pub fn by_who_missed(scored: &[Scored]) -> BTreeMap<Sides, Group> {
    let mut groups: BTreeMap<Sides, Group> = BTreeMap::new();
    for one in scored.iter().filter(|one| !one.missed_by.is_empty()) {
        let sides = Sides { missed_by: one.missed_by.clone(), silent: one.silent.clone() };
        let group = groups.entry(sides).or_default();
        group.easiness = one.easiness.unwrap_or(0.0);
        group.inputs += 1;
        for (_, _, truth) in one.losses() {
            group.truth[place(truth)] += 1;
        }
    }
    groups
}

fn place(verdict: Verdict) -> usize {
    Verdict::ALL.iter().position(|kind| *kind == verdict).unwrap_or(2)
}

/// A confusion matrix (table 2.6): rows are verdicts, columns the truth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Confusion(pub [[usize; 3]; 3]);

/// The quality of the verdicts of one kind (table 2.7).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// `None` where the denominator is zero.
    pub precision: Option<f64>,
    /// The recall among the losses whose truth is known.
    pub recall: Option<f64>,
    /// The recall if every loss with unknown truth were of this kind, as the chapter counts it.
    pub recall_at_least: Option<f64>,
}

pub fn confusion(scored: &[Scored]) -> Confusion {
    let mut table = Confusion::default();
    for (_, verdict, truth) in scored.iter().flat_map(Scored::losses) {
        table.0[place(verdict)][place(truth)] += 1;
    }
    table
}

impl Confusion {
    pub fn is_empty(&self) -> bool {
        self.0.iter().flatten().all(|count| *count == 0)
    }

    pub fn quality(&self, kind: Verdict) -> Quality {
        let (kind, unknown) = (place(kind), place(Verdict::Unknown));
        let column = |column: usize| self.0.iter().map(|row| row[column]).sum::<usize>();
        let right = self.0[kind][kind];
        Quality {
            precision: share_of(right, self.0[kind].iter().sum()),
            recall: share_of(right, column(kind)),
            recall_at_least: share_of(right, column(kind) + column(unknown)),
        }
    }
}

#[cfg(test)]
mod tests;
