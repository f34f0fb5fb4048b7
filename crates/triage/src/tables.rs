//! What many programs say together: the tables and curves of the chapter.

use crate::easiness::Verdict;
use crate::judged::{Judged, Outcome, Overlap};
use std::collections::{BTreeMap, BTreeSet};

/// One input, reduced to what tables need. Tools of any kind give this.
#[derive(Clone, Debug, Default)]
pub struct Scored {
    pub program: String,
    pub easiness: f64,
    /// How many methods it has entered, where that is known.
    pub size: Option<usize>,
    /// Who is wrong about it; for methods, who does not know the first lost one.
    pub missed_by: BTreeSet<String>,
    /// Who said nothing.
    pub silent: BTreeSet<String>,
    /// What is thought of each that is wrong.
    pub verdicts: BTreeMap<String, Verdict>,
    /// What each loss really is, where somebody knows.
    pub truth: BTreeMap<String, Verdict>,
}

impl Scored {
    pub fn of(judged: &Judged, truth: &BTreeMap<String, Verdict>) -> Scored {
        let is_silent = |outcome: &Outcome| matches!(outcome, Outcome::Failed(_));
        Scored {
            program: judged.program.clone(),
            easiness: judged.easiness,
            size: Some(judged.entered),
            missed_by: judged.first_lost.iter().flat_map(|(_, missed_by)| missed_by.iter().cloned()).collect(),
            silent: judged
                .findings
                .iter()
                .filter(|finding| is_silent(&finding.outcome))
                .map(|finding| finding.analysis.clone())
                .collect(),
            verdicts: judged.losses().map(|(analysis, lost)| (analysis.to_owned(), lost.verdict)).collect(),
            truth: truth.clone(),
        }
    }
}

/// How an analysis compares to what ran (table 2.1).
#[derive(Clone, Debug, PartialEq)]
pub struct Relative {
    pub name: String,
    pub reached: usize,
    pub reached_and_entered: usize,
    pub precision: f64,
    pub recall: f64,
}

/// One row for each analysis, one for what any of them found, one for what all found. Programs on which an analysis failed
/// count as if it had found nothing.
pub fn relative(judged: &[Judged], analyses: &[String]) -> Vec<Relative> {
    let entered: usize = judged.iter().map(|judged| judged.entered).sum();
    let row = |name: &str, overlap_of: &dyn Fn(&Judged) -> Overlap| {
        let (mut reached, mut both) = (0, 0);
        for overlap in judged.iter().map(overlap_of) {
            reached += overlap.reached;
            both += overlap.reached_and_entered;
        }
        Relative {
            name: name.to_owned(),
            reached,
            reached_and_entered: both,
            precision: share(both, reached),
            recall: share(both, entered),
        }
    };
    let of_analysis = |name: &str, judged: &Judged| {
        let finding = judged.findings.iter().find(|finding| finding.analysis == name);
        finding.map_or_else(Overlap::default, |finding| finding.overlap)
    };
    let mut rows: Vec<Relative> = analyses.iter().map(|name| row(name, &|judged| of_analysis(name, judged))).collect();
    rows.push(row("union", &|judged| judged.union));
    rows.push(row("intersection", &|judged| judged.intersection));
    rows
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// All inputs of one easiness (figures 2.6 and 2.8).
#[derive(Clone, Debug, PartialEq)]
pub struct Bin {
    pub easiness: f64,
    pub inputs: usize,
    pub median_size: Option<usize>,
    /// How often each analysis was right, of the times it said something.
    pub sound: BTreeMap<String, f64>,
    /// The share of losses that are bugs, features, or nobody knows, if the truth is known for any.
    pub truth: Option<[f64; 3]>,
}

/// The inputs by easiness, hard ones first.
pub fn bins(scored: &[Scored], analyses: &[String]) -> Vec<Bin> {
    let mut groups: BTreeMap<u64, Vec<&Scored>> = BTreeMap::new();
    for one in scored {
        // Scores that differ by less are the same, computed in another order.
        groups.entry((one.easiness * 1e6).round() as u64).or_default().push(one);
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
    /// Each loss with what is thought of it and what it is; none if nothing is known about the truth of this input.
    fn losses(&self) -> impl Iterator<Item = (&String, Verdict, Verdict)> {
        let is_known = !self.truth.is_empty();
        let truth = |name: &String| self.truth.get(name).copied().unwrap_or(Verdict::Unknown);
        self.verdicts.iter().filter(move |_| is_known).map(move |(name, verdict)| (name, *verdict, truth(name)))
    }
}

/// Inputs that the same analyses are wrong about (table 2.5).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    pub easiness: f64,
    pub inputs: usize,
    /// Losses that are bugs, features, and of which nobody knows.
    pub truth: [usize; 3],
}

/// By who is wrong; inputs that all get right are left out.
pub fn by_who_missed(scored: &[Scored]) -> BTreeMap<BTreeSet<String>, Group> {
    let mut groups: BTreeMap<BTreeSet<String>, Group> = BTreeMap::new();
    for one in scored.iter().filter(|one| !one.missed_by.is_empty()) {
        let group = groups.entry(one.missed_by.clone()).or_default();
        group.easiness = one.easiness;
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

/// What was thought against what is true (table 2.6): rows are verdicts, columns the truth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Confusion(pub [[usize; 3]; 3]);

/// How good the verdicts of one kind are (table 2.7).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    pub precision: f64,
    pub recall: f64,
    /// The recall if every loss of which nobody knows what it is were one of this kind, as the chapter counts it.
    pub recall_at_least: f64,
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
            precision: share(right, self.0[kind].iter().sum()),
            recall: share(right, column(kind)),
            recall_at_least: share(right, column(kind) + column(unknown)),
        }
    }
}

#[cfg(test)]
mod tests;
