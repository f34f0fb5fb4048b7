//! The tables of the chapter on a few scored misses, by hand.

use super::*;

fn scored(missed_by: &[&str], easiness: f64, verdict: Verdict, truth: Option<Verdict>) -> Scored {
    let names: BTreeSet<String> = missed_by.iter().map(|name| (*name).to_owned()).collect();
    Scored {
        easiness,
        size: Some(missed_by.len() * 10),
        verdicts: names.iter().map(|name| (name.clone(), verdict)).collect(),
        truth: names.iter().filter_map(|name| Some((name.clone(), truth?))).collect(),
        missed_by: names,
        ..Scored::default()
    }
}

/// The numbers of tables 2.6 and 2.7.
#[test]
fn the_quality_of_the_chapter_is_computed() {
    let table = Confusion([[683, 17, 56], [12, 140, 4], [15, 5, 99]]);
    let percent = |share: f64| (share * 1000.0).round() / 10.0;
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
    assert_eq!(groups[&both], Group { easiness: 0.0, inputs: 1, truth: [0, 2, 0] });
    assert_eq!(groups[&BTreeSet::from(["b".to_owned()])].inputs, 2);
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
