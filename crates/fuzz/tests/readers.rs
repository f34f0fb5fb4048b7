//! Runs every target: a few hundred inputs, or as long as `LAPIDARY_FUZZ_SECONDS` says.
//! `LAPIDARY_FUZZ_SEED` chooses other inputs, and `LAPIDARY_FUZZ_LOG` names a file that gets a line
//! for each target.

use lapidary_fuzz::{Effort, TARGETS, Target, fuzz};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

/// The stack of a main thread. A reader that needs more would end the program.
const STACK: usize = 8 << 20;

#[track_caller]
fn survives(name: &str) {
    let target = *TARGETS.iter().find(|target| target.name == name).expect("there is such a target");
    let seed = std::env::var("LAPIDARY_FUZZ_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let run = move || fuzz(&target, Effort::for_tests(&target), seed);
    let run = std::thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread can be started");
    let outcome = run.join().expect("the driver catches panics");
    if let Some(log) = std::env::var_os("LAPIDARY_FUZZ_LOG") {
        let findings = u8::from(outcome.finding.is_some());
        let seconds = outcome.elapsed.as_secs();
        let line = format!("{name},{},{},{seconds},{findings}\n", outcome.inputs, outcome.accepted);
        OpenOptions::new().create(true).append(true).open(log).unwrap().write_all(line.as_bytes()).unwrap();
    }
    if let Some(input) = outcome.finding {
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("finding-{}", name.replace(' ', "-")));
        fs::write(&kept, &input).unwrap();
        panic!("input {} breaks the reader; it is kept in {}", outcome.inputs, kept.display());
    }
    assert!(outcome.accepted > 0, "the reader accepts none of {} inputs, not even the seeds", outcome.inputs);
}

/// Every seed is accepted, so that mutants begin close to valid files.
#[test]
fn seeds_are_valid() {
    for Target { name, seeds, read, .. } in TARGETS {
        let rejected: Vec<_> = seeds().iter().enumerate().filter(|(_, seed)| !read(seed)).map(|(at, _)| at).collect();
        assert!(rejected.is_empty(), "{name} rejects its seeds {rejected:?}");
    }
}

macro_rules! tests {
    ($($function:ident = $name:literal),* $(,)?) => {
        $(#[test] fn $function() { survives($name) })*

        #[test]
        fn every_target_has_a_test() {
            let tested = [$($name),*];
            assert_eq!(TARGETS.iter().map(|target| target.name).collect::<Vec<_>>(), tested);
        }
    };
}

tests! {
    class_files = "class file",
    jars = "jar",
    journals = "journal",
    model_files = "model file",
    traces = "trace",
    smt_answers = "SMT answer",
    worker_answers = "worker answer",
    syntax_trees = "syntax tree",
    compile_commands = "compile commands",
    specifications = "specification",
    lists_of_methods = "list of methods",
    descriptors = "descriptor",
    featherweight_java = "Featherweight Java",
}
