//! Tests on the examples of the chapter: Lapidary's own analyses with exactly one defect switched
//! on get the right verdict.
//!
//! The analysis with the defect is one of three; the other two are the fast ones, so that a row
//! takes seconds and not minutes.

use crate::support::{classes, traced};
use lapidary_callgraph::{CallGraphAnalysis, Entry, Limits, Weaknesses, reachable};
use lapidary_jvm::{ClassPath, Platform};
use lapidary_triage::{Answer, Classes, Evidence, Judged, Outcome, Panel, Thresholds, Verdict, judge};
use regex::RegexSet;
use std::sync::Arc;

/// Bugs 1 to 12 of table 2.3, number 3 as in figure 2.1b, numbers 10 and 12 as in figure 2.7. A
/// defect in following objects shows only in an analysis that follows them.
const BUGS: &[(&str, CallGraphAnalysis, &str, &str)] = &[
    ("excluded_superclass", CallGraphAnalysis::ZeroCfa, "no-excluded-superclasses", "excluded superclass"),
    ("shutdown_hook", CallGraphAnalysis::ZeroCfa, "no-shutdown-hooks", "shutdown hook"),
    ("event_queue", CallGraphAnalysis::ZeroCfa, "no-event-queue", "event queue"),
    ("uncaught_handler", CallGraphAnalysis::ZeroCfa, "no-uncaught-handlers", "uncaught exception"),
    ("printed_object", CallGraphAnalysis::ZeroCfa, "no-printed-objects", "printed object"),
    ("executor", CallGraphAnalysis::ZeroCfa, "no-executors", "executor"),
    ("multi_array", CallGraphAnalysis::ZeroCfa, "no-multi-arrays", "array of arrays"),
    ("iterator", CallGraphAnalysis::ZeroCfa, "no-iterated-objects", "iterator"),
    ("queue_peek", CallGraphAnalysis::ZeroCfa, "no-peeked-objects", "queue"),
    ("indirect_interface", CallGraphAnalysis::Rta, "no-indirect-interfaces", "indirect interface"),
    ("default_method", CallGraphAnalysis::Rta, "no-default-methods", "default method"),
    ("inherited_initialiser", CallGraphAnalysis::Rta, "no-inherited-initialisers", "inherited class initialiser"),
];

/// Programs that use reflection and similar features.
const FEATURES: &[&str] = &[
    "reflective_method",
    "class_for_name",
    "reflective_constructor",
    "indirect_reflection",
    "proxy",
    "deserialisation",
    "service_loader",
    "method_handle",
];

#[test]
fn each_row_of_the_table_of_bugs_is_a_bug() {
    for (program, analysis, weakness, cause) in BUGS {
        let weak: Weaknesses = [weakness.parse().unwrap()].into_iter().collect();
        let none = Weaknesses::none();
        let judged =
            judged(program, [(CallGraphAnalysis::Cha, &none), (CallGraphAnalysis::Rta, &none), (*analysis, &weak)]);
        for name in ["0", "1"] {
            assert!(matches!(judged.of(name), Some(Outcome::Sound)), "{program}: {judged:#?}");
        }
        let Some(Outcome::Unsound(lost)) = judged.of("2") else { panic!("{program}: nothing is lost") };
        assert_eq!(lost.verdict, Verdict::Bug, "{program}");
        assert!((lost.easiness - 2.0 / 3.0).abs() < 1e-9, "{program}: {}", lost.easiness);
        let causes: Vec<&str> = lost.causes.iter().map(|cause| cause.name).collect();
        assert_eq!(causes.first(), Some(cause), "{program}: {causes:?}");
    }
}

#[test]
fn what_reflection_hides_is_a_feature() {
    for program in FEATURES {
        let none = Weaknesses::none();
        let judged = judged(
            program,
            [CallGraphAnalysis::Cha, CallGraphAnalysis::Rta, CallGraphAnalysis::ZeroCfa]
                .map(|analysis| (analysis, &none)),
        );
        assert_eq!(judged.easiness, Some(0.0), "{program}: {judged:#?}");
        for name in ["0", "1", "2"] {
            let Some(Outcome::Unsound(lost)) = judged.of(name) else { panic!("{program}: nothing is lost") };
            assert_eq!(lost.verdict, Verdict::Feature, "{program}");
            assert!(lost.causes[0].is_dynamic, "{program}: {:?}", lost.causes);
        }
    }
}

fn judged(program: &str, asked: [(CallGraphAnalysis, &Weaknesses); 3]) -> Judged {
    let paths = [classes(program)];
    let class_path = Arc::new(ClassPath::open(&paths, Some(Platform::installed().unwrap())).unwrap());
    let answer = |(analysis, weaknesses): (CallGraphAnalysis, &Weaknesses)| {
        let entry = Entry::main(&format!("{program}.Main"));
        let reached = reachable(&class_path, &entry, analysis, weaknesses, &Limits::default()).unwrap();
        Answer::of(reached.methods)
    };
    let panel = Panel {
        analyses: ["0", "1", "2"].map(|name| (name.to_owned(), 1.0)).into(),
        thresholds: Thresholds::default(),
        excluded: RegexSet::new(["^java/awt/"]).unwrap(),
    };
    let run = traced(program, ["iterator", "queue_peek"].contains(&program));
    let evidence = Evidence {
        name: program,
        trace: &run.trace,
        answers: &asked.map(answer),
        classes: &Classes::open(&paths).unwrap(),
    };
    judge(&panel, &evidence)
}
