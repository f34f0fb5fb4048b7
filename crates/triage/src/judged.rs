//! The judgement on one program: the methods that each analysis missed, and the verdict.
//!
//! Each analysis is scored by a single method, the *first lost method*: the first method entered
//! that the analysis does not report. Any later loss may be a consequence of it (section 2.4). A
//! loss that cannot be a consequence, because no lost method is on its stack, is a [further
//! loss](Further). Without these, a feature at the start of a program would hide a bug behind it.

use crate::answer::Answer;
use crate::classes::Classes;
use crate::easiness::{Thresholds, Verdict, Voice, easiness};
use crate::recogniser::{self, Recogniser, Scene};
use lapidary_jvm::MethodName;
use lapidary_tracer::{Entry, Trace};
use regex::RegexSet;
use std::collections::HashSet;

/// The analyses to compare, and the settings.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Names and weights, in the order of the answers.
    pub analyses: Vec<(String, f64)>,
    pub thresholds: Thresholds,
    /// Classes that analyses exclude on purpose.
    pub excluded: RegexSet,
}

/// The evidence about one program.
pub struct Evidence<'a> {
    pub name: &'a str,
    pub trace: &'a Trace,
    pub answers: &'a [Answer],
    pub classes: &'a Classes,
}

/// The judgement on one program.
#[derive(Clone, Debug)]
pub struct Judged {
    pub program: String,
    /// The methods of the application that were entered, in order.
    pub entered: Vec<MethodName>,
    /// The first method that any analysis lost, and the analyses that lost it; `None` if all are
    /// sound.
    pub first_lost: Option<(MethodName, Vec<String>)>,
    /// The easiness of the first lost method; 1 if none was lost, `None` if no analysis answered.
    pub easiness: Option<f64>,
    /// One for each analysis of the panel.
    pub findings: Vec<Finding>,
    /// The methods that the analyses found together: any of them, and all of them.
    pub union: Overlap,
    pub intersection: Overlap,
}

/// The outcome of one analysis on one program.
#[derive(Clone, Debug)]
pub struct Finding {
    pub analysis: String,
    pub outcome: Outcome,
    /// All methods that the analysis lost, in order of entry.
    pub lost: Vec<MethodName>,
    /// The further losses of the analysis, bugs first.
    pub further: Vec<Further>,
    pub overlap: Overlap,
}

/// A group of further losses with the same verdict and the same likely cause. None of them is
/// explained by the first loss.
#[derive(Clone, Debug)]
pub struct Further {
    /// The first loss of the group.
    pub lost: Lost,
    /// The number of losses in the group.
    pub alike: usize,
}

/// A comparison of a set of methods with the entered ones. Only methods of the application count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overlap {
    pub reached: usize,
    pub reached_and_entered: usize,
}

/// Whether an analysis found every method that ran.
#[derive(Clone, Debug)]
pub enum Outcome {
    Sound,
    Unsound(Box<Lost>),
    Failed(String),
}

/// A method that an analysis lost.
#[derive(Clone, Debug)]
pub struct Lost {
    pub entry: Entry,
    /// The number of methods that the analysis lost in total.
    pub count: usize,
    pub easiness: f64,
    /// The analyses that report the method.
    pub found_by: Vec<String>,
    pub missed_by: Vec<String>,
    /// The likely causes, most specific first.
    pub causes: Vec<&'static Recogniser>,
    pub verdict: Verdict,
}

impl Judged {
    /// The outcome for the analysis of this name.
    pub fn of(&self, analysis: &str) -> Option<&Outcome> {
        self.findings.iter().find(|finding| finding.analysis == analysis).map(|finding| &finding.outcome)
    }

    /// The first lost method of each analysis.
    pub fn losses(&self) -> impl Iterator<Item = (&str, &Lost)> {
        self.findings.iter().filter_map(|finding| match &finding.outcome {
            Outcome::Unsound(lost) => Some((finding.analysis.as_str(), &**lost)),
            _ => None,
        })
    }

    /// The further losses of each analysis.
    pub fn further(&self) -> impl Iterator<Item = (&str, &Further)> {
        self.findings
            .iter()
            .flat_map(|finding| finding.further.iter().map(|further| (finding.analysis.as_str(), further)))
    }
}

/// Compares the answers of the analyses with the methods that really ran.
pub fn judge(panel: &Panel, evidence: &Evidence<'_>) -> Judged {
    let context = Context { panel, evidence };
    let findings: Vec<Finding> = (0..evidence.answers.len()).map(|index| context.finding(index)).collect();
    let first = evidence.trace.first_lost(|method| context.sets().all(|set| set.contains(method)));
    Judged {
        program: evidence.name.to_owned(),
        entered: evidence.trace.methods().cloned().collect(),
        first_lost: first.map(|entry| (entry.method.clone(), context.names(&entry.method, false))),
        easiness: context.easiness(first),
        findings,
        union: context.overlap(&context.together(|one, other| one.union(other).cloned().collect())),
        intersection: context.overlap(&context.together(|one, other| one.intersection(other).cloned().collect())),
    }
}

struct Context<'a> {
    panel: &'a Panel,
    evidence: &'a Evidence<'a>,
}

type Methods = HashSet<MethodName>;

/// The number of stack frames to keep by default.
const STACK_DEPTH: usize = 64;

/// The number of groups of losses to keep; more would not help anyone.
const MOST_GROUPS: usize = 20;

impl Context<'_> {
    fn sets(&self) -> impl Iterator<Item = &Methods> {
        self.evidence.answers.iter().filter_map(Answer::reached)
    }

    /// The analyses that answered, with their indices in the panel.
    fn answered(&self) -> impl Iterator<Item = (usize, &Methods)> {
        self.evidence.answers.iter().enumerate().filter_map(|(index, answer)| Some((index, answer.reached()?)))
    }

    fn easiness(&self, first: Option<&Entry>) -> Option<f64> {
        self.sets().next()?;
        first.map_or(Some(1.0), |entry| easiness(&self.voices(&entry.method)))
    }

    fn voices(&self, method: &MethodName) -> Vec<Voice> {
        let voice = |(index, set): (usize, &Methods)| Voice {
            weight: self.panel.analyses[index].1,
            is_sound: set.contains(method),
        };
        self.answered().map(voice).collect()
    }

    /// The analyses that report a method, or those that do not.
    fn names(&self, method: &MethodName, is_known: bool) -> Vec<String> {
        let those = self.answered().filter(|(_, set)| set.contains(method) == is_known);
        those.map(|(index, _)| self.panel.analyses[index].0.clone()).collect()
    }

    fn finding(&self, index: usize) -> Finding {
        let answer = &self.evidence.answers[index];
        let outcome = match answer {
            Answer::Failed(reason) => Outcome::Failed(reason.clone()),
            Answer::Reached { methods: set, .. } => match self.evidence.trace.first_lost(|method| set.contains(method))
            {
                None => Outcome::Sound,
                Some(entry) => Outcome::Unsound(Box::new(self.lost(index, set, entry))),
            },
        };
        let further = match (&outcome, answer) {
            (Outcome::Unsound(first), Answer::Reached { methods: set, .. }) => self.further(index, set, first),
            _ => Vec::new(),
        };
        let overlap = answer.reached().map_or_else(Overlap::default, |set| self.overlap(set));
        let is_lost = |method: &&MethodName| answer.reached().is_some_and(|set| !set.contains(*method));
        let lost = self.evidence.trace.methods().filter(is_lost).cloned().collect();
        Finding { analysis: self.panel.analyses[index].0.clone(), outcome, lost, further, overlap }
    }

    /// The lost methods that no other loss explains, without those that resemble the first.
    fn further(&self, index: usize, set: &Methods, first: &Lost) -> Vec<Further> {
        let lost: HashSet<&MethodName> = self.evidence.trace.methods().filter(|method| !set.contains(method)).collect();
        let entries = self.evidence.trace.entries.iter().filter(|entry| lost.contains(&entry.method));
        let mut groups = vec![Further { lost: first.clone(), alike: 0 }];
        for entry in entries.filter(|entry| !self.is_explained(entry, &lost)) {
            match self.group_without_causes(&groups, entry) {
                Some(group) => groups[group].alike += 1,
                None => put(&mut groups, self.lost(index, set, entry)),
            }
        }
        groups.remove(0);
        groups.sort_by_key(|group| group.lost.verdict != Verdict::Bug);
        groups
    }

    /// Returns whether a lost method calls this one or may have created its object. A truncated
    /// stack counts as explained.
    fn is_explained(&self, entry: &Entry, lost: &HashSet<&MethodName>) -> bool {
        let is_called = entry.stack.iter().skip(1).any(|frame| lost.contains(&frame.method));
        let class = entry.method.class();
        let is_object =
            |made: &str| made == class || self.evidence.classes.supertypes(made).iter().any(|above| above == class);
        let makes =
            |method: &&MethodName| method.name() == "<init>" && **method != entry.method && is_object(method.class());
        is_called || entry.stack.len() >= STACK_DEPTH || lost.iter().any(makes)
    }

    /// The group of a loss, found without looking for causes, which takes time. Losses that are not
    /// bugs are grouped by the analyses that miss them; once there are many groups, so are all
    /// others.
    fn group_without_causes(&self, groups: &[Further], entry: &Entry) -> Option<usize> {
        let missed_by = self.names(&entry.method, false);
        let same = groups.iter().position(|group| group.lost.missed_by == missed_by)?;
        (groups[same].lost.verdict != Verdict::Bug || groups.len() > MOST_GROUPS).then_some(same)
    }

    fn lost(&self, index: usize, set: &Methods, entry: &Entry) -> Lost {
        let voices = self.voices(&entry.method);
        let own = self.answered().position(|(place, _)| place == index).unwrap_or(usize::MAX);
        let Evidence { trace, classes, .. } = self.evidence;
        Lost {
            entry: entry.clone(),
            count: trace.methods().filter(|method| !set.contains(method)).count(),
            easiness: easiness(&voices).unwrap_or(0.0),
            found_by: self.names(&entry.method, true),
            missed_by: self.names(&entry.method, false),
            causes: recogniser::causes(&Scene { lost: entry, trace, classes, excluded: &self.panel.excluded }),
            verdict: self.panel.thresholds.classify(&voices, own),
        }
    }

    /// Compares a set with the entered methods. An entered method counts even if its class is on no
    /// class path.
    fn overlap(&self, set: &Methods) -> Overlap {
        let is_own = |method: &MethodName| self.evidence.classes.is_of_application(method.class());
        let entered: Vec<&MethodName> = self.evidence.trace.methods().filter(|method| set.contains(*method)).collect();
        let from_elsewhere = entered.iter().filter(|method| !is_own(method)).count();
        Overlap {
            reached: set.iter().filter(|method| is_own(method)).count() + from_elsewhere,
            reached_and_entered: entered.len(),
        }
    }

    fn together(&self, combine: impl Fn(&Methods, &Methods) -> Methods) -> Methods {
        let mut sets = self.sets();
        let Some(first) = sets.next().cloned() else { return Methods::new() };
        sets.fold(first, |all, set| combine(&all, set))
    }
}

/// Adds a loss to the group that is missed by the same analyses and has the same likely cause.
fn put(groups: &mut Vec<Further>, lost: Lost) {
    let looks_like = |lost: &Lost| lost.causes.first().map(|cause| cause.name);
    let is_alike =
        |group: &&mut Further| group.lost.missed_by == lost.missed_by && looks_like(&group.lost) == looks_like(&lost);
    match groups.iter_mut().find(is_alike) {
        Some(group) => group.alike += 1,
        None => groups.push(Further { lost, alike: 1 }),
    }
}

#[cfg(test)]
mod tests;
