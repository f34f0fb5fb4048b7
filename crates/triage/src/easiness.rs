//! The easiness of an input, and its meaning for an analysis that got it wrong (section 2.3).

use serde::{Deserialize, Serialize};
use std::fmt;

/// The vote of one analysis of the panel on an input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Voice {
    /// The weight of the vote, 1 by default.
    pub weight: f64,
    pub is_sound: bool,
}

/// The weighted share of analyses that get the input right: 1 is easy, 0 is hard. `None` without
/// any votes.
pub fn easiness(voices: &[Voice]) -> Option<f64> {
    let all = total(voices.iter());
    (all > 0.0).then(|| 1.0 - total(voices.iter().filter(|voice| !voice.is_sound)) / all)
}

fn total<'a>(voices: impl Iterator<Item = &'a Voice>) -> f64 {
    voices.map(|voice| voice.weight).sum()
}

/// The verdict on a method that an analysis missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Bug,
    Feature,
    Unknown,
}

impl Verdict {
    pub const ALL: [Verdict; 3] = [Verdict::Bug, Verdict::Feature, Verdict::Unknown];
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Verdict::Bug => "bug",
            Verdict::Feature => "feature",
            Verdict::Unknown => "unknown",
        })
    }
}

/// The thresholds for easy and hard inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Thresholds {
    /// A loss on an input at least this easy is a bug. By default, all other analyses must be
    /// right.
    pub bug: Option<f64>,
    /// A loss on an input less easy than this is a feature. By default, all analyses must be wrong.
    pub feature: Option<f64>,
}

/// The tolerance when sums of weights are compared.
const SLACK: f64 = 1e-9;

impl Thresholds {
    /// The verdict on the analysis with this index, which is wrong. Without another analysis to
    /// compare with, it is unknown.
    pub fn classify(&self, voices: &[Voice], wrong: usize) -> Verdict {
        let Some(own) = voices.get(wrong).filter(|own| voices.len() > 1 && !own.is_sound) else {
            return Verdict::Unknown;
        };
        let Some(easiness) = easiness(voices) else { return Verdict::Unknown };
        let all_others_right = 1.0 - own.weight / total(voices.iter());
        if easiness >= self.bug.unwrap_or(all_others_right) - SLACK {
            return Verdict::Bug;
        }
        let is_hard = self.feature.map_or(easiness <= SLACK, |feature| easiness < feature - SLACK);
        if is_hard { Verdict::Feature } else { Verdict::Unknown }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn voices(sound: &[bool]) -> Vec<Voice> {
        sound.iter().map(|is_sound| Voice { weight: 1.0, is_sound: *is_sound }).collect()
    }

    #[test]
    fn easiness_counts_who_is_right() {
        assert_eq!(easiness(&voices(&[true, true, true, true])), Some(1.0));
        assert_eq!(easiness(&voices(&[true, true, true, false])), Some(0.75));
        assert_eq!(easiness(&voices(&[false, false, false, false])), Some(0.0));
        assert_eq!(easiness(&[]), None);
    }

    #[test]
    fn weights_count() {
        let voices = [Voice { weight: 3.0, is_sound: true }, Voice { weight: 1.0, is_sound: false }];
        assert_eq!(easiness(&voices), Some(0.75));
        let same = [Voice { weight: 1.0, is_sound: true }, Voice { weight: 1.0, is_sound: false }];
        assert_eq!(easiness(&same), Some(0.5));
    }

    #[test]
    fn one_wrong_is_a_bug_and_all_wrong_is_a_feature() {
        let by_default = Thresholds::default();
        assert_eq!(by_default.classify(&voices(&[false, true, true, true]), 0), Verdict::Bug);
        assert_eq!(by_default.classify(&voices(&[false, false, true, true]), 0), Verdict::Unknown);
        assert_eq!(by_default.classify(&voices(&[false, false, false, false]), 2), Verdict::Feature);
    }

    #[test]
    fn thresholds_move_the_borders() {
        let wide = Thresholds { bug: Some(0.5), feature: Some(0.5) };
        assert_eq!(wide.classify(&voices(&[false, false, true, true]), 0), Verdict::Bug);
        assert_eq!(wide.classify(&voices(&[false, false, false, true]), 0), Verdict::Feature);
        let strict = Thresholds { bug: Some(0.9), feature: Some(0.0) };
        assert_eq!(strict.classify(&voices(&[false, true, true, true]), 0), Verdict::Unknown);
        assert_eq!(strict.classify(&voices(&[false, false]), 0), Verdict::Unknown);
    }

    #[test]
    fn without_another_analysis_the_verdict_is_unknown() {
        assert_eq!(Thresholds::default().classify(&voices(&[false]), 0), Verdict::Unknown);
        assert_eq!(Thresholds::default().classify(&voices(&[true, false]), 0), Verdict::Unknown);
    }

    #[test]
    fn a_loss_of_one_analysis_is_a_bug_however_great_its_weight() {
        let voices = [
            Voice { weight: 5.0, is_sound: false },
            Voice { weight: 1.0, is_sound: true },
            Voice { weight: 0.3, is_sound: true },
        ];
        assert_eq!(Thresholds::default().classify(&voices, 0), Verdict::Bug);
    }
}
