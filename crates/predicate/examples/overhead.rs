//! Measures the cost of a judgment beyond the test itself: `/bin/true` on a tiny candidate,
//! compared with plain spawn and wait.
//!
//! Run with `cargo run --release -p lapidary-predicate --example overhead [RUNS] [MEBIBYTES]
//! [THREADS]`; the second number is the memory this process holds meanwhile, since a fork costs
//! more the more memory there is to share.

use lapidary_predicate::{CommandConfig, CommandPredicate, Limits};
use lapidary_reduce::{Cancel, FileTree, Predicate};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let runs = numbers.first().copied().unwrap_or(500);
    let ballast = vec![1u8; numbers.get(1).copied().unwrap_or(0) << 20];
    let threads = numbers.get(2).copied().unwrap_or(1);
    let plain = predicate(Limits::default());
    let limited = predicate(Limits { file_size: Some(1 << 40), ..Limits::default() });
    let tree = FileTree::file("input.txt", "hello\n");
    report("bare spawn and wait", runs, threads, || {
        let status = Command::new("/bin/true").stdin(Stdio::null()).status();
        assert!(status.is_ok_and(|status| status.success()));
    });
    report("judgment", runs, threads, || assert!(plain.judge(&tree, &Cancel::new()).unwrap().is_interesting()));
    report("judgment with limits", runs, threads, || {
        assert!(limited.judge(&tree, &Cancel::new()).unwrap().is_interesting());
    });
    println!("({} MiB of ballast)", ballast.len() >> 20);
}

fn predicate(limits: Limits) -> CommandPredicate {
    CommandPredicate::new(CommandConfig { limits, ..CommandConfig::new("/bin/true") }).expect("/bin/true can be run")
}

fn report(what: &str, runs: usize, threads: usize, run: impl Fn() + Sync) {
    let mut times: Vec<Duration> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| time(runs, &run))).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no run fails")).collect()
    });
    times.sort();
    let median = times[times.len() / 2].as_micros();
    let slow = times[times.len() * 95 / 100].as_micros();
    println!("{what}: median {median} µs, 95 % below {slow} µs");
}

fn time(runs: usize, run: &impl Fn()) -> Vec<Duration> {
    let timed = |_| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..runs).map(timed).collect()
}
