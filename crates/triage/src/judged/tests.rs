//! Tests of the chapter's judgement on small hand-written traces.

use super::*;

fn trace(names: &[&str]) -> Trace {
    let mut text = "lapidary-trace 1\n".to_owned();
    for (number, name) in names.iter().enumerate() {
        text += &format!("method {number} M.{name}:()V\nenter {number} {number}@0\n");
    }
    Trace::parse(&text).unwrap()
}

fn reached(names: &[&str]) -> Answer {
    Answer::of(names.iter().map(|name| format!("M.{name}:()V").parse().unwrap()))
}

fn judged(entered: &[&str], answers: &[Answer]) -> Judged {
    let analyses = (0..answers.len()).map(|index| (format!("a{index}"), 1.0)).collect();
    let panel = Panel { analyses, thresholds: Thresholds::default(), excluded: RegexSet::empty() };
    let classes = Classes::open(&[]).unwrap();
    judge(&panel, &Evidence { name: "p", trace: &trace(entered), answers, classes: &classes })
}

fn lost<'a>(judged: &'a Judged, analysis: &str) -> &'a Lost {
    match judged.of(analysis) {
        Some(Outcome::Unsound(lost)) => lost,
        other => panic!("{analysis} is {other:?}"),
    }
}

#[test]
fn each_analysis_has_its_own_first_lost_method() {
    let all = ["main", "a", "b", "c"];
    let answers = [reached(&all), reached(&["main", "b", "c"]), reached(&["main", "a"]), reached(&all)];
    let judged = judged(&all, &answers);
    assert!(matches!(judged.of("a0"), Some(Outcome::Sound)));
    assert_eq!(lost(&judged, "a1").entry.method.name(), "a");
    let third = lost(&judged, "a2");
    assert_eq!((third.entry.method.name(), third.count, third.easiness), ("b", 2, 0.75));
    assert_eq!(
        (&third.found_by[..], &third.missed_by[..]),
        (&["a0", "a1", "a3"].map(str::to_owned)[..], &["a2".to_owned()][..])
    );
    assert_eq!((lost(&judged, "a1").verdict, third.verdict), (Verdict::Bug, Verdict::Bug));
    assert_eq!(judged.first_lost.as_ref().unwrap().0.name(), "a");
    assert_eq!(judged.easiness, Some(0.75));
    assert_eq!((judged.entered.len(), judged.findings[2].lost.len()), (4, 2));
}

/// A method that all analyses lose is a feature, although one of them loses another method first.
#[test]
fn a_bug_before_a_feature_is_a_bug() {
    let answers = [reached(&["main"]), reached(&["main", "plain"]), reached(&["main", "plain"])];
    let judged = judged(&["main", "plain", "reflective"], &answers);
    assert_eq!(lost(&judged, "a0").verdict, Verdict::Bug);
    assert_eq!(lost(&judged, "a1").verdict, Verdict::Feature);
    assert_eq!(lost(&judged, "a1").easiness, 0.0);
}

#[test]
fn an_analysis_that_failed_has_no_vote() {
    let answers = [reached(&["main"]), Answer::Failed("out of memory".into()), reached(&["main", "a"])];
    let judged = judged(&["main", "a"], &answers);
    assert!(matches!(judged.of("a1"), Some(Outcome::Failed(reason)) if reason == "out of memory"));
    assert_eq!((lost(&judged, "a0").easiness, lost(&judged, "a0").verdict), (0.5, Verdict::Bug));
}

#[test]
fn without_any_answer_there_is_no_easiness() {
    let answers = [Answer::Failed("no".into()), Answer::Failed("no".into())];
    assert_eq!(judged(&["main", "a"], &answers).easiness, None);
}

#[test]
fn an_analysis_alone_is_never_judged() {
    let answers = [reached(&["main"]), Answer::Failed("no".into())];
    assert_eq!(lost(&judged(&["main", "a"], &answers), "a0").verdict, Verdict::Unknown);
}

#[test]
fn overlaps_count_what_ran() {
    let answers = [reached(&["main", "a"]), reached(&["main", "b", "never"])];
    let judged = judged(&["main", "a", "b"], &answers);
    assert_eq!(judged.findings[1].overlap.reached_and_entered, 2);
    assert_eq!((judged.union.reached_and_entered, judged.intersection.reached_and_entered), (3, 1));
}

/// A trace in which the second method of each pair calls the first.
fn called(pairs: &[(&str, &str)]) -> Trace {
    let mut text = "lapidary-trace 1\nmethod 0 M.main:()V\nenter 0 0@0\n".to_owned();
    for (number, (name, _)) in pairs.iter().enumerate() {
        text += &format!("method {} M.{name}:()V\n", number + 1);
    }
    let number = |name: &str| pairs.iter().position(|(other, _)| *other == name).map_or(0, |place| place + 1);
    for (name, caller) in pairs {
        text += &format!("enter {} {}@0 {}@3\n", number(name), number(name), number(caller));
    }
    Trace::parse(&text).unwrap()
}

#[test]
fn a_feature_at_the_start_hides_no_bug() {
    let trace =
        called(&[("hidden", "main"), ("inner", "hidden"), ("plain", "main"), ("other", "main"), ("deep", "plain")]);
    let good = ["main", "plain", "other", "deep"];
    let answers = [reached(&["main"]), reached(&good), reached(&good)];
    let analyses = (0..answers.len()).map(|index| (format!("a{index}"), 1.0)).collect();
    let panel = Panel { analyses, thresholds: Thresholds::default(), excluded: RegexSet::empty() };
    let classes = Classes::open(&[]).unwrap();
    let judged = judge(&panel, &Evidence { name: "p", trace: &trace, answers: &answers, classes: &classes });
    assert_eq!((lost(&judged, "a0").verdict, lost(&judged, "a0").count), (Verdict::Feature, 5));
    let further: Vec<_> =
        judged.further().map(|(name, further)| (name, further.lost.entry.method.name(), further.alike)).collect();
    assert_eq!(further, [("a0", "plain", 2)], "`inner` and `deep` are called by lost methods");
    assert_eq!(judged.findings[0].further[0].lost.verdict, Verdict::Bug);
}

/// Objects created by reflection are called by code that all analyses know. An analysis that loses
/// the constructor has no second bug in those calls.
#[test]
fn methods_of_an_object_whose_constructor_is_lost_are_explained() {
    let trace = called(&[("<init>", "main"), ("go", "main")]);
    let answers = [reached(&["main"]), reached(&["main", "go"]), reached(&["main", "go"])];
    let analyses = (0..answers.len()).map(|index| (format!("a{index}"), 1.0)).collect();
    let panel = Panel { analyses, thresholds: Thresholds::default(), excluded: RegexSet::empty() };
    let classes = Classes::open(&[]).unwrap();
    let judged = judge(&panel, &Evidence { name: "p", trace: &trace, answers: &answers, classes: &classes });
    assert_eq!(lost(&judged, "a0").verdict, Verdict::Feature);
    assert_eq!(judged.further().count(), 0);
}

#[test]
fn precision_is_never_above_one() {
    let judged = judged(&["main", "a"], &[reached(&["main", "a"])]);
    let overlap = judged.findings[0].overlap;
    assert_eq!((overlap.reached, overlap.reached_and_entered), (2, 2), "although no class of the program is there");
}
