//! Measures what a sandbox adds to a run: prints one line of CSV for each run of a program, without
//! a sandbox and in one. The kinds take turns, so that a busy machine slows all of them down.
//!
//! `sandbox_cost RUNS LAPIDARY [PROGRAM [ARGS]...]`: in a sandbox, this example runs the program and
//! notes how it ended. The kinds `lapidary` and `example` are LAPIDARY and this example in that role,
//! but without a sandbox.

use lapidary_predicate::{Launch, Sandbox, Scratch, Task, run, warden};
use lapidary_reduce::Cancel;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn main() {
    warden::run_if_asked();
    let mut arguments = std::env::args_os().skip(1);
    let runs: u32 = arguments.next().and_then(|text| text.to_str()?.parse().ok()).expect("a number of runs");
    let lapidary = PathBuf::from(arguments.next().expect("the lapidary program"));
    let program = arguments.next().map_or_else(|| "/bin/true".into(), PathBuf::from);
    let arguments: Vec<OsString> = arguments.collect();
    let inside: Vec<OsString> =
        ["__inside".into(), "no-note".into(), program.clone().into()].into_iter().chain(arguments.clone()).collect();
    let example = std::env::current_exe().unwrap();
    let sandbox = Sandbox::new().unwrap_or_else(|reason| panic!("{reason}"));
    let scratch = Arc::new(Scratch::new().unwrap());
    println!("program,kind,run,microseconds");
    for number in 0..runs {
        let row = |kind: &str, time: Duration| {
            println!("{},{kind},{number},{}", program.display(), time.as_micros());
        };
        row("free", timed(&scratch, &program, &arguments, None));
        row("sandbox", timed(&scratch, &program, &arguments, Some(&sandbox)));
        row("lapidary", timed(&scratch, &lapidary, &inside, None));
        row("example", timed(&scratch, &example, &inside, None));
    }
}

fn timed(scratch: &Arc<Scratch>, program: &Path, arguments: &[OsString], sandbox: Option<&Sandbox>) -> Duration {
    let job = scratch.empty_job().unwrap();
    let sandbox = sandbox.map(|sandbox| sandbox.clone().writes(job.directory()));
    let launch = Launch { sandbox: sandbox.as_ref(), ..Launch::in_job(&job, program, arguments) };
    let begin = Instant::now();
    let finished = run(&Task { launch, stdin: None, timeout: Duration::from_secs(60), keep: 1 << 16 }, &Cancel::new());
    let time = begin.elapsed();
    assert_eq!(finished.unwrap().ending, lapidary_predicate::Ending::Exited(0));
    time
}
