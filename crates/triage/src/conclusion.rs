//! The conclusion of a triage. It is computed once: the text, the JSON, the page and the exit code
//! all show this value.

use crate::easiness::Verdict;
use crate::tables::Scored;
use serde::Serialize;
use std::fmt;

/// The number of losses over all inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Conclusion {
    pub inputs: usize,
    /// Inputs for which no analysis gave an answer.
    pub unanswered: usize,
    /// Inputs on which every analysis that answered is right.
    pub sound: usize,
    pub losses: Losses,
    /// Whether the triage ran to the end; false if it was interrupted.
    pub complete: bool,
    pub says: Says,
}

/// The number of losses with each verdict. The first loss of an analysis counts as one, and so does
/// each group of further losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Losses {
    pub bug: usize,
    pub feature: usize,
    pub unknown: usize,
}

/// The conclusion in one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Says {
    /// An analysis has a bug.
    Bug,
    /// At least one analysis answered, and no loss looks like a bug.
    Fine,
    /// No analysis answered on any input.
    #[default]
    Nothing,
    /// The triage ended before all inputs were examined.
    Interrupted,
}

impl Conclusion {
    /// The conclusion for these inputs; `complete` is false if the triage was interrupted.
    pub fn of(scored: &[Scored], complete: bool) -> Conclusion {
        let losses: Losses = scored.iter().flat_map(Scored::all_verdicts).collect();
        let unanswered = scored.iter().filter(|one| one.easiness.is_none()).count();
        let is_sound = |one: &&Scored| one.easiness.is_some() && one.verdicts.is_empty();
        let says = match (complete, losses.bug) {
            (false, _) => Says::Interrupted,
            (true, _) if unanswered == scored.len() => Says::Nothing,
            (true, 0) => Says::Fine,
            (true, _) => Says::Bug,
        };
        let sound = scored.iter().filter(is_sound).count();
        Conclusion { inputs: scored.len(), unanswered, sound, losses, complete, says }
    }
}

impl Losses {
    pub fn total(&self) -> usize {
        self.bug + self.feature + self.unknown
    }
}

impl FromIterator<Verdict> for Losses {
    fn from_iter<T: IntoIterator<Item = Verdict>>(verdicts: T) -> Losses {
        let mut losses = Losses::default();
        for verdict in verdicts {
            *match verdict {
                Verdict::Bug => &mut losses.bug,
                Verdict::Feature => &mut losses.feature,
                Verdict::Unknown => &mut losses.unknown,
            } += 1;
        }
        losses
    }
}

impl fmt::Display for Losses {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bugs = counted(self.bug, "bug", "bugs");
        write!(formatter, "{bugs}, {}, {} unknown", counted(self.feature, "feature", "features"), self.unknown)
    }
}

/// The sentence that people read, in the terminal and on the page.
impl fmt::Display for Conclusion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.complete {
            formatter.write_str("interrupted; so far ")?;
        }
        match self.losses.total() {
            0 if self.unanswered == self.inputs => formatter.write_str("nobody answered"),
            0 => formatter.write_str("no loss: every analysis that answered is sound"),
            total => write!(formatter, "{}: {}", counted(total, "loss", "losses"), self.losses),
        }
    }
}

fn counted(number: usize, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored(first: &[Verdict], further: &[Verdict]) -> Scored {
        let named = (0..).map(|number: usize| format!("analysis {number}"));
        Scored {
            easiness: Some(0.5),
            verdicts: named.zip(first.iter().copied()).collect(),
            further: further.to_vec(),
            ..Scored::default()
        }
    }

    #[test]
    fn further_losses_count_like_the_first() {
        let inputs = [scored(&[Verdict::Feature], &[Verdict::Bug, Verdict::Bug]), scored(&[], &[])];
        let conclusion = Conclusion::of(&inputs, true);
        assert_eq!(conclusion.losses, Losses { bug: 2, feature: 1, unknown: 0 });
        assert_eq!((conclusion.sound, conclusion.says), (1, Says::Bug));
        assert_eq!(conclusion.to_string(), "3 losses: 2 bugs, 1 feature, 0 unknown");
    }

    #[test]
    fn an_input_without_answers_is_not_sound() {
        let silent = Scored::default();
        let conclusion = Conclusion::of(std::slice::from_ref(&silent), true);
        assert_eq!((conclusion.sound, conclusion.unanswered, conclusion.says), (0, 1, Says::Nothing));
        assert_eq!(conclusion.to_string(), "nobody answered");
        assert_eq!(Conclusion::of(&[silent, scored(&[], &[])], true).says, Says::Fine);
    }

    #[test]
    fn an_interrupted_triage_says_so_whatever_it_found() {
        let conclusion = Conclusion::of(&[scored(&[Verdict::Bug], &[])], false);
        assert_eq!(conclusion.says, Says::Interrupted);
        assert_eq!(conclusion.to_string(), "interrupted; so far 1 loss: 1 bug, 0 features, 0 unknown");
    }
}
