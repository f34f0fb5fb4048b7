//! One program: what each analysis missed of what it really did, and what to think of that.
//!
//! The score is that of a single method for each analysis, the *first lost method*: the first that was entered and that the
//! analysis does not know. Whatever is lost later may be lost because of it (section 2.4). What cannot be, as no lost method is on its
//! stack, is a [further loss](Further): a feature at the start of a program must not hide a bug behind it.

use crate::answer::Answer;
use crate::classes::Classes;
use crate::easiness::{Thresholds, Verdict, Voice, easiness};
use crate::recogniser::{self, Recogniser, Scene};
use lapidary_jvm::MethodName;
use lapidary_tracer::{Entry, Trace};
use regex::RegexSet;
use std::collections::HashSet;

/// The analyses that are compared, and how.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Names and weights, in the order of the answers.
    pub analyses: Vec<(String, f64)>,
    pub thresholds: Thresholds,
    /// Classes that analyses leave out on purpose.
    pub excluded: RegexSet,
}

/// What is known about one program.
pub struct Evidence<'a> {
    pub name: &'a str,
    pub trace: &'a Trace,
    pub answers: &'a [Answer],
    pub classes: &'a Classes,
}

/// One program, judged.
#[derive(Clone, Debug)]
pub struct Judged {
    pub program: String,
    /// The methods of the application that were entered, in order.
    pub entered: Vec<MethodName>,
    /// The first method that anybody lost, and who does not know it; none if all are sound.
    pub first_lost: Option<(MethodName, Vec<String>)>,
    /// That of the first lost method; 1 if nobody lost any, none if nobody answered.
    pub easiness: Option<f64>,
    /// One for each analysis of the panel.
    pub findings: Vec<Finding>,
    /// What the analyses found together: by any of them, and by all.
    pub union: Overlap,
    pub intersection: Overlap,
}

#[derive(Clone, Debug)]
pub struct Finding {
    pub analysis: String,
    pub outcome: Outcome,
    /// All that it lost, in order of entry.
    pub lost: Vec<MethodName>,
    /// What else it lost, bugs first.
    pub further: Vec<Further>,
    pub overlap: Overlap,
}

/// Losses after the first that it does not explain, and that have the same verdict and look the same.
#[derive(Clone, Debug)]
pub struct Further {
    /// The first of them.
    pub lost: Lost,
    /// How many there are.
    pub alike: usize,
}

/// How a set of methods compares to the entered ones. Only methods of the application count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overlap {
    pub reached: usize,
    pub reached_and_entered: usize,
}

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
    /// How many methods the analysis lost in all.
    pub count: usize,
    pub easiness: f64,
    /// Who knows the method, and who does not.
    pub found_by: Vec<String>,
    pub missed_by: Vec<String>,
    /// What it looks like, the most specific first.
    pub causes: Vec<&'static Recogniser>,
    pub verdict: Verdict,
}

impl Judged {
    /// What the analysis of this name did.
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

    /// What each analysis lost besides.
    pub fn further(&self) -> impl Iterator<Item = (&str, &Further)> {
        self.findings
            .iter()
            .flat_map(|finding| finding.further.iter().map(|further| (finding.analysis.as_str(), further)))
    }
}

/// Compares what the analyses answered with what really ran.
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

/// How many frames of a stack are kept, unless somebody asks for another number.
const STACK_DEPTH: usize = 64;

/// More kinds of losses than these help nobody.
const MOST_GROUPS: usize = 20;

impl Context<'_> {
    fn sets(&self) -> impl Iterator<Item = &Methods> {
        self.evidence.answers.iter().filter_map(Answer::reached)
    }

    /// Those who answered, with the places they have in the panel.
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

    /// Those who know a method, or those who do not.
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

    /// The lost methods that no other one explains, without those that are like the first.
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

    /// Whether a lost method calls this one or may have made its object. Of a stack that was cut off nobody knows.
    fn is_explained(&self, entry: &Entry, lost: &HashSet<&MethodName>) -> bool {
        let is_called = entry.stack.iter().skip(1).any(|frame| lost.contains(&frame.method));
        let class = entry.method.class();
        let is_object =
            |made: &str| made == class || self.evidence.classes.supertypes(made).iter().any(|above| above == class);
        let makes =
            |method: &&MethodName| method.name() == "<init>" && **method != entry.method && is_object(method.class());
        is_called || entry.stack.len() >= STACK_DEPTH || lost.iter().any(makes)
    }

    /// To look for causes takes its time: what is no bug is told apart by who misses it, and so is everything once there are many groups.
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

    /// What is entered counts even if its class is on no class path.
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

/// Puts a loss to those that are missed by the same analyses and look the same.
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
