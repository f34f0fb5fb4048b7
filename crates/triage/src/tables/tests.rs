//! Tests of the chapter's tables on a few hand-scored losses.

use super::*;
use crate::judged::Finding;

fn scored(missed_by: &[&str], easiness: f64, verdict: Verdict, truth: Option<Verdict>) -> Scored {
    let names: BTreeSet<String> = missed_by.iter().map(|name| (*name).to_owned()).collect();
    Scored {
        easiness: Some(easiness),
        size: Some(missed_by.len() * 10),
        verdicts: names.iter().map(|name| (name.clone(), verdict)).collect(),
        truth: names.iter().filter_map(|name| Some((name.clone(), truth?))).collect(),
        missed_by: names,
        ..Scored::default()
    }
}

/// The numbers are those of tables 2.6 and 2.7.
#[test]
fn the_quality_of_the_chapter_is_computed() {
    let table = Confusion([[683, 17, 56], [12, 140, 4], [15, 5, 99]]);
    let percent = |share: Option<f64>| (share.unwrap() * 1000.0).round() / 10.0;
    let bug = table.quality(Verdict::Bug);
    let feature = table.quality(Verdict::Feature);
    assert_eq!((percent(bug.precision), percent(bug.recall_at_least)), (90.3, 78.6));
    assert_eq!((percent(feature.precision), percent(feature.recall_at_least)), (89.7, 43.6));
    assert_eq!(percent(bug.recall), 96.2);
}

#[test]
fn verdicts_meet_the_truth() {
    let inputs = [
        scored(&["a"], 0.5, Verdict::Bug, Some(Verdict::Bug)),
        scored(&["b"], 0.5, Verdict::Bug, Some(Verdict::Feature)),
        scored(&["a", "b"], 0.0, Verdict::Feature, Some(Verdict::Feature)),
        scored(&["b"], 0.5, Verdict::Bug, None),
    ];
    let table = confusion(&inputs);
    assert_eq!(table, Confusion([[1, 1, 0], [0, 2, 0], [0, 0, 0]]));
    let groups = by_who_missed(&inputs);
    let both: BTreeSet<String> = ["a", "b"].map(str::to_owned).into();
    assert_eq!(
        groups[&Sides { missed_by: both, ..Sides::default() }],
        Group { easiness: 0.0, inputs: 1, truth: [0, 2, 0] }
    );
    assert_eq!(groups[&Sides { missed_by: BTreeSet::from(["b".to_owned()]), ..Sides::default() }].inputs, 2);
}

#[test]
fn inputs_are_grouped_by_easiness() {
    let analyses = ["a", "b"].map(str::to_owned);
    let third = 1.0 - 2.0 / 3.0;
    let inputs = [
        scored(&[], 1.0, Verdict::Unknown, None),
        scored(&["a"], third, Verdict::Bug, Some(Verdict::Bug)),
        scored(&["a", "b"], 1.0 / 3.0, Verdict::Bug, Some(Verdict::Bug)),
    ];
    let bins = bins(&inputs, &analyses);
    assert_eq!(bins.iter().map(|bin| bin.inputs).collect::<Vec<_>>(), [2, 1]);
    assert_eq!((bins[0].sound["a"], bins[0].sound["b"], bins[0].median_size), (0.0, 0.5, Some(20)));
    assert_eq!(bins[0].truth, Some([1.0, 0.0, 0.0]));
    assert_eq!(bins[1].truth, None);
}

/// An analysis that failed on a program neither knows its first lost method nor misses it.
#[test]
fn an_analysis_without_an_answer_is_on_no_side() {
    let silent = Scored { silent: BTreeSet::from(["b".to_owned()]), ..scored(&["a"], 0.5, Verdict::Bug, None) };
    let groups = by_who_missed(&[silent, scored(&["a"], 0.5, Verdict::Bug, None)]);
    assert_eq!(groups.len(), 2);
    let nobody = Scored { easiness: None, ..Scored::default() };
    assert!(bins(&[nobody], &["a".to_owned()]).is_empty());
}

#[test]
fn a_program_on_which_an_analysis_failed_is_not_counted_against_it() {
    let judged = |entered: usize, outcome: Outcome, both: usize| Judged {
        program: "p".to_owned(),
        entered: (0..entered).map(|number| format!("M.m{number}:()V").parse().unwrap()).collect(),
        first_lost: None,
        easiness: Some(1.0),
        findings: vec![Finding {
            analysis: "a".to_owned(),
            outcome,
            lost: Vec::new(),
            further: Vec::new(),
            overlap: Overlap { reached: both, reached_and_entered: both },
        }],
        union: Overlap::default(),
        intersection: Overlap::default(),
    };
    let rows =
        relative(&[judged(2, Outcome::Sound, 2), judged(44, Outcome::Failed("no".into()), 0)], &["a".to_owned()]);
    assert_eq!((rows[0].programs, rows[0].entered, rows[0].recall), (1, 2, Some(1.0)));
    let never = relative(&[judged(44, Outcome::Failed("no".into()), 0)], &["a".to_owned()]);
    assert_eq!((never[0].programs, never[0].recall, never[0].precision), (0, None, None));
}
