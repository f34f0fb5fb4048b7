//! Tests that every cause is recognised in a real run of a small program that has it.

use crate::support::{classes, traced};
use lapidary_triage::Classes;
use lapidary_triage::recogniser::{RECOGNISERS, Scene, causes};
use regex::RegexSet;
use std::collections::BTreeSet;

/// The expected first cause of a loss: program, lost method, cause.
const CAUSES: &[(&str, &str, &str)] = &[
    ("lambda", "Main.main", "entry point"),
    ("deserialisation", "Main$Note.readObject", "deserialisation"),
    ("serialisation", "Main$Note.writeReplace", "serialisation"),
    ("service_loader", "Main$Zip.<init>", "service loader"),
    ("proxy", "Main$Handler.invoke", "proxy"),
    ("reflective_method", "Main.target", "Method.invoke"),
    ("reflective_constructor", "Main$Made.<init>", "Constructor.newInstance"),
    ("class_for_name", "Main$Driver.<clinit>", "Class.forName"),
    ("method_handle", "Main.target", "method handle"),
    ("indirect_reflection", "Main$Hidden.name", "indirect reflection"),
    ("event_queue", "Main$Later.run", "event queue"),
    ("uncaught_handler", "Main$Handler.uncaughtException", "uncaught exception"),
    ("shutdown_hook", "Main$Goodbye.run", "shutdown hook"),
    ("finalizer", "Main$Doomed.finalize", "finalizer"),
    ("cleaner", "Main$Action.run", "cleaner"),
    ("executor", "Main$Task.run", "executor"),
    ("fork_join", "Main$Sum.compute", "fork and join"),
    ("printed_object", "Main$Name.toString", "printed object"),
    ("multi_array", "Main$Cell.value", "array of arrays"),
    ("excluded_superclass", "Main$Frame.describe", "excluded superclass"),
    ("inherited_initialiser", "Main$Above.<clinit>", "inherited class initialiser"),
    ("class_initialiser", "Main$Constants.<clinit>", "class initialiser"),
    ("lambda", "Main.lambda$main$0", "lambda"),
    ("method_reference", "Main.referenced", "method reference"),
    ("record_methods", "Main$Inner.hashCode", "record"),
    ("string_concatenation", "Main$Part.toString", "string concatenation"),
    ("default_method", "Main$Greeter.greet", "default method"),
    ("indirect_interface", "Main$Both.notfound", "indirect interface"),
    ("inherited_interface", "Main$Square.area", "inherited interface"),
    ("bridges", "Main$Text.set", "bridge"),
    ("thread", "Main$Worker.run", "thread"),
    ("privileged_action", "Main$Action.run", "privileged action"),
    ("library_callback", "Main$Upside.compare", "call-back"),
    ("template_method", "Main$Daily.body", "direct call"),
];

/// Causes that need the objects of the library to be followed.
const WITH_OBJECTS: &[(&str, &str, &str)] =
    &[("iterator", "Main$Item.name", "iterator"), ("queue_peek", "Main$Job.title", "queue")];

/// Causes that need native code or a second loader, and the deprecated `Class.newInstance`, which
/// calls the constructor API.
const ELSEWHERE: &[&str] = &["native", "native library", "Class.newInstance", "loaded at run time", "excluded class"];

#[test]
fn each_cause_is_recognised() {
    let wrong: Vec<String> = CAUSES.iter().filter_map(|row| difference(row, false)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn causes_that_follow_objects_are_recognised() {
    let wrong: Vec<String> = WITH_OBJECTS.iter().filter_map(|row| difference(row, true)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Causes that a loss does not have, although it comes near.
const NOT_CAUSES: &[(&str, &str, &str)] = &[
    ("default_method", "Main$Greeter.greet", "indirect interface"),
    ("reflective_constructor", "Main$Made.<init>", "indirect reflection"),
    ("lambda", "Main.lambda$main$0", "method reference"),
];

#[test]
fn near_misses_are_not_recognised() {
    for (program, lost, cause) in NOT_CAUSES {
        let all = difference(&(program, lost, "an unknown one"), false).unwrap();
        assert!(all.contains("has another cause than"), "the method is entered: {all}");
        assert!(!all.contains(&format!("\"{cause}\"")), "{all}");
    }
}

/// A thread that runs while the main thread still continues is not a shutdown hook, whatever the
/// program registers.
#[test]
fn a_thread_before_the_end_is_no_shutdown_hook() {
    let run = traced("shutdown_hook", false);
    let mut trace = run.trace;
    let (classes, excluded) = (Classes::open(&[classes("shutdown_hook")]).unwrap(), RegexSet::empty());
    let place = trace.entries.iter().position(|entry| entry.method.name() == "run").unwrap();
    let hook = trace.entries.remove(place);
    trace.entries.insert(0, hook.clone());
    let found = causes(&Scene { lost: &hook, trace: &trace, classes: &classes, excluded: &excluded });
    assert_eq!(found.first().map(|cause| cause.name), Some("thread"));
}

/// The difference between a row and the actual result, if any.
fn difference(&(program, lost, cause): &(&str, &str, &str), objects: bool) -> Option<String> {
    let run = traced(program, objects);
    let wanted = format!("{program}/{lost}");
    let is_wanted = |name: &str| name.split_once(':').is_some_and(|(name, _)| name == wanted);
    let Some(entry) = run.trace.entries.iter().find(|entry| is_wanted(entry.method.as_str())) else {
        return Some(format!("{wanted} was not entered: {:?}", run.trace.entries));
    };
    let classes = Classes::open(&[classes(program)]).unwrap();
    let excluded = RegexSet::new(["^java/awt/"]).unwrap();
    let found = causes(&Scene { lost: entry, trace: &run.trace, classes: &classes, excluded: &excluded });
    let names: Vec<&str> = found.iter().map(|cause| cause.name).collect();
    let stack: Vec<&str> = entry.stack.iter().map(|frame| frame.method.as_str()).collect();
    (names.first() != Some(&cause)).then(|| format!("{wanted} has another cause than {cause}: {names:?}, {stack:?}"))
}

/// Traces that Java alone cannot produce are written by hand.
#[test]
fn causes_outside_of_java_are_recognised() {
    let trace = |lines: &str| lapidary_tracer::Trace::parse(&format!("lapidary-trace 1\n{lines}")).unwrap();
    let main = "method 0 lambda/Main.main:([Ljava/lang/String;)V\n";
    let cases = [
        ("native", "method 1 lambda/Main.call:()V\nenter 0 0@0 1@-1\n"),
        ("native library", "method 1 java/lang/ClassLoader.loadLibrary:()V\nenter 0 0@0 1@3\n"),
        ("Class.newInstance", "method 1 java/lang/Class.newInstance:()Ljava/lang/Object;\nenter 0 0@0 1@3\n"),
        ("excluded class", "method 1 lambda/Other.call:()V\nenter 0 0@0 1@3\n"),
    ];
    let classes = Classes::open(&[classes("lambda")]).unwrap();
    for (cause, lines) in cases {
        let trace = trace(&format!("{main}{lines}"));
        let excluded = RegexSet::new(["^lambda/"]).unwrap();
        let scene = Scene { lost: &trace.entries[0], trace: &trace, classes: &classes, excluded: &excluded };
        assert_eq!(causes(&scene).first().map(|cause| cause.name), Some(cause));
    }
    let made = "method 0 made/Up.<init>:()V\nmethod 1 java/lang/reflect/Constructor.newInstance:()V\nenter 0 0@0 1@3\n";
    let made = trace(made);
    let scene = Scene { lost: &made.entries[0], trace: &made, classes: &classes, excluded: &RegexSet::empty() };
    assert_eq!(causes(&scene).first().map(|cause| cause.name), Some("loaded at run time"));
}

#[test]
fn every_recogniser_has_a_row() {
    let rows = CAUSES.iter().chain(WITH_OBJECTS).map(|(_, _, cause)| *cause).chain(ELSEWHERE.iter().copied());
    let tested: BTreeSet<&str> = rows.collect();
    let all: BTreeSet<&str> = RECOGNISERS.iter().map(|recogniser| recogniser.name).collect();
    assert_eq!(tested, all);
}
