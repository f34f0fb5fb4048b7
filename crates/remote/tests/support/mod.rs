//! Tests of commands on a farm: how they are described in one line.

#![allow(dead_code, reason = "each test program uses a part")]

use lapidary_farm::Farm;
use lapidary_predicate::{Limits, Observation, Runner, Timeout};
use lapidary_reduce::{Cancel, Entry, FileTree, PredicateError};
use lapidary_remote::{RemoteCommand, RemoteConfig, RemoteError, RemoteTest, TestFiles, Word};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub const MINUTE: Duration = Duration::from_secs(60);

/// A shell script that goes along and gets the candidate's path.
pub fn script(text: &str) -> RemoteTest {
    let script = Entry::File { content: format!("#!/bin/sh\n{text}\n").as_str().into(), executable: true };
    let words = vec![vec![Word::File("test.sh".into())], vec![Word::Candidate]];
    let files = [("test.sh".into(), script)].into();
    test(TestFiles { words, files, ..TestFiles::default() })
}

/// A program of the worker with arguments.
pub fn program(words: &[&str]) -> RemoteTest {
    let words = words.iter().map(|word| vec![Word::Text((*word).to_owned())]).collect();
    test(TestFiles { words, ..TestFiles::default() })
}

fn test(test: TestFiles) -> RemoteTest {
    RemoteTest { test, timeout: Timeout::Adaptive, limits: Limits::default(), keep_output: 1 << 20 }
}

pub fn config(farm: &Farm) -> RemoteConfig {
    RemoteConfig::new(farm.address().parse().unwrap())
}

pub fn on(farm: &Farm, test: RemoteTest) -> RemoteCommand {
    RemoteCommand::new(&config(farm), test).unwrap()
}

pub fn run(command: &RemoteCommand, candidate: &FileTree) -> Observation {
    command.run(candidate, MINUTE, &Cancel::new()).unwrap()
}

pub fn refused(farm: &Farm, test: RemoteTest) -> String {
    let command = on(farm, test);
    match command.run(&FileTree::file("x", "y"), MINUTE, &Cancel::new()) {
        Err(PredicateError::Fatal(problem)) => problem,
        other => panic!("{other:?}"),
    }
}

pub fn connection_error(address: &str) -> RemoteError {
    let config = RemoteConfig::new(address.parse().unwrap());
    RemoteCommand::new(&config, program(&["true"])).err().expect("there is no farm")
}

/// A text that no earlier test has sent, so that nothing comes from the cache.
pub fn fresh() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{number} of {} at {:?}\n", std::process::id(), std::time::SystemTime::now())
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Waits until something holds. A busy machine may take long; only a hang takes for ever.
pub fn wait_until(mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + 20 * MINUTE;
    while !holds() {
        assert!(Instant::now() < end, "it never came true");
        std::thread::sleep(Duration::from_millis(20));
    }
}
