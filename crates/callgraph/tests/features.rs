//! Tests of every language feature with a small program: all analyses find the methods that really
//! ran, the finer ones find no more than the coarser ones, and every weakness loses its methods and
//! no others.

use crate::support::{EVERYTHING, Program, analyse, programs, really_ran, shown};
use lapidary_callgraph::{CallGraphAnalysis, Entry, Limits, Reached, Weakness, Weaknesses, reachable};
use lapidary_jvm::{ClassPath, Platform};
use std::collections::BTreeSet;
use std::sync::Arc;

fn assert_finds(program: &Program, reached: &Reached, analysis: CallGraphAnalysis) {
    let ran = really_ran(&program.name);
    assert!(ran.len() > 1, "{} runs more than its main", program.name);
    // The JVM does not report everything that it calls itself, but it does report the methods
    // called from there.
    assert!(!program.loses.is_disjoint(&ran), "{}: what is lost really runs", program.name);
    let lost = shown(ran.difference(&reached.application));
    assert!(lost.is_empty(), "{analysis} loses in {}: {lost:?}", program.name);
}

fn assert_order(results: &[(CallGraphAnalysis, Reached)], program: &str) {
    for pair in results.windows(2) {
        let [(coarse, more), (fine, fewer)] = pair else { unreachable!() };
        let extra = shown(fewer.methods.difference(&more.methods).take(5));
        assert!(extra.is_empty(), "{program}: {fine} finds what {coarse} does not: {extra:?}");
    }
}

#[test]
fn all_analyses_find_what_ran_and_finer_ones_find_no_more() {
    for program in programs().iter().filter(|program| !program.is_large) {
        let analyse = |analysis| (analysis, analyse(&program.name, analysis, [Weakness::NoStartup]));
        // A separate test covers class hierarchy analysis for all programs and their library.
        let results: Vec<(CallGraphAnalysis, Reached)> =
            CallGraphAnalysis::ALL[1..].iter().copied().map(analyse).collect();
        results.iter().for_each(|(analysis, reached)| assert_finds(program, reached, *analysis));
        assert_order(&results, &program.name);
    }
}

#[test]
fn a_weakness_loses_its_methods_and_no_others() {
    for program in programs().iter().filter(|program| !program.is_large) {
        let sound = analyse(&program.name, CallGraphAnalysis::ZeroCfa, [Weakness::NoStartup]);
        let weak = analyse(&program.name, CallGraphAnalysis::ZeroCfa, [Weakness::NoStartup, program.weakness]);
        let lost = shown(sound.application.difference(&weak.application));
        assert_eq!(lost, shown(&program.loses), "{}", program.weakness.name());
    }
}

#[test]
fn every_weakness_has_a_program() {
    let shown: BTreeSet<Weakness> = programs().iter().map(|program| program.weakness).collect();
    assert_eq!(shown.len(), Weakness::ALL.len());
}

#[test]
fn everything_is_found_through_the_whole_library() {
    let analyses = if cfg!(debug_assertions) { &[CallGraphAnalysis::Rta][..] } else { &CallGraphAnalysis::ALL[..] };
    let analyse = |analysis: &CallGraphAnalysis| (*analysis, analyse(EVERYTHING, *analysis, []));
    let results: Vec<(CallGraphAnalysis, Reached)> = analyses.iter().map(analyse).collect();
    for program in &programs() {
        results.iter().for_each(|(analysis, reached)| assert_finds(program, reached, *analysis));
    }
    assert_order(&results, EVERYTHING);
    for (analysis, reached) in &results {
        let lost = programs().into_iter().flat_map(|program| program.loses);
        for method in lost {
            let way = shown(reached.way_to(&method));
            assert_eq!(way.first(), Some(&method.to_string()), "{analysis}");
            assert!(way.len() < 200, "{analysis}: {way:?}");
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn a_weakness_loses_its_methods_in_the_whole_library() {
    for program in programs().iter().filter(|program| program.is_large) {
        let sound = analyse(&program.name, CallGraphAnalysis::ZeroCfa, []);
        let weak = analyse(&program.name, CallGraphAnalysis::ZeroCfa, [program.weakness]);
        let lost = shown(sound.application.difference(&weak.application));
        assert_eq!(lost, shown(&program.loses), "{}", program.weakness.name());
    }
}

/// The class that is started is initialised although `main` belongs to its superclass.
#[test]
fn an_inherited_main_initialises_the_class_that_is_started() {
    let text = "class Above { public static void main(String[] a) {} } class Below extends Above { static { set(); } static void set() {} }";
    let reached = reached_in(text, "Below", CallGraphAnalysis::ZeroCfa, &[Weakness::NoStartup]);
    assert!(reached.contains(&"Below.set:()V".parse().unwrap()), "{:?}", reached.application);
}

/// The library may not call `Runnable.run` back, but the program's own calls of it are not lost.
#[test]
fn without_callbacks_the_calls_of_the_program_are_still_followed() {
    let text = "class Calls { public static void main(String[] a) { new Job().run(); } }
        class Job implements Runnable { public void run() {} }
        class Direct { public static void main(String[] a) { Runnable job = new Job(); job.run(); } }";
    for analysis in CallGraphAnalysis::ALL {
        for main in ["Calls", "Direct"] {
            let reached = reached_in(text, main, analysis, &[Weakness::NoLibraryCallbacks]);
            assert!(reached.contains(&"Job.run:()V".parse().unwrap()), "{analysis}, {main}: {:?}", reached.application);
        }
    }
}

fn reached_in(source: &str, main: &str, analysis: CallGraphAnalysis, weaknesses: &[Weakness]) -> Reached {
    let directory = tempfile::tempdir().unwrap();
    lapidary_testkit::javac_texts(&[], directory.path(), &[("Source.java", source)]);
    let class_path = ClassPath::open(&[directory.path().to_path_buf()], Some(Platform::installed().unwrap())).unwrap();
    let weaknesses = weaknesses.iter().copied().collect::<Weaknesses>();
    reachable(&Arc::new(class_path), &Entry::main(main), analysis, &weaknesses, &Limits::default()).unwrap()
}
