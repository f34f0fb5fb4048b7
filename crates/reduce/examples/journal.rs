//! Measures what a journal costs: writes one with a million tests, resumes it and reads it.
//!
//!   cargo run --release -p lapidary-reduce --example journal -- [TESTS [FILE]]
//!
//! The journal stays if a file is named. bench/journal/README.md says what the columns mean.

use lapidary_logic::{Var, VarSet};
use lapidary_reduce::journal::read;
use lapidary_reduce::{Event, Header, Item, Journal, Judgment, Key, StageInfo, Verdict};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The number of items of the made-up model.
const ITEMS: usize = 20_000;

fn main() {
    let tests = std::env::args().nth(1).map_or(1_000_000, |count| count.parse().expect("a number of tests"));
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = std::env::args().nth(2).map_or(directory.path().join("journal"), PathBuf::from);
    let header = Header::new(Key([1; 32]), vec!["a made-up run".into()]);
    let written = timed(|| write(&path, &header, tests));
    let bytes = std::fs::metadata(&path).expect("the journal").len();
    let resumed = timed(|| drop(Journal::resume(&path, &header).expect("a journal")));
    let was_read = timed(|| assert_eq!(read(&path).expect("a journal").stages[0].tests.len() as u64, tests));
    println!("tests,bytes,bytes_per_test,seconds_written,microseconds_per_test,seconds_resumed,seconds_read");
    let per_test = |amount: f64| amount / tests as f64;
    println!(
        "{tests},{bytes},{:.1},{written:.2},{:.2},{resumed:.2},{was_read:.2}",
        per_test(bytes as f64),
        per_test(written) * 1e6
    );
}

fn timed(work: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    work();
    begun.elapsed().as_secs_f64()
}

/// A search like that of `polish`: each test takes away a run of items, and one in a hundred is
/// interesting.
fn write(path: &Path, header: &Header, tests: u64) {
    let mut journal = Journal::create(path, header).expect("a new journal");
    let items: Vec<Item> = (0..ITEMS).map(|number| Item::new(format!("item {number}"), "item")).collect();
    let stage = StageInfo { round: 1, name: "toy", strategy: "polish", items: &items, clauses: 0, bytes: 1 << 20 };
    journal.stage(&stage).expect("written");
    let start = VarSet::full(ITEMS);
    let mut base = start.clone();
    for number in 1..=tests {
        let first = (number as usize * 7919) % (ITEMS - 64);
        let mut keep = base.clone();
        for item in first..first + 1 + number as usize % 64 {
            keep.remove(Var::new(item));
        }
        let is_interesting = number % 100 == 0;
        let verdict = if is_interesting { Verdict::Interesting } else { Verdict::Uninteresting };
        let reason = if is_interesting { "exit code 0" } else { "exit code 1" };
        let judgment = Judgment { elapsed: Duration::from_micros(12_345 + number), ..Judgment::new(verdict, reason) };
        let mut key = [0; 32];
        key[..8].copy_from_slice(&number.to_le_bytes());
        let event = Event {
            number,
            stage: "toy",
            key: Key(key),
            judgment: &judgment,
            bytes: keep.len() as u64 * 50,
            keep: &keep,
            start: &start,
            improved: is_interesting,
            replayed: false,
            waited: Duration::ZERO,
        };
        journal.test(&event).expect("written");
        // Now and then the search starts over, as a stage does.
        base = if is_interesting && keep.len() > ITEMS / 2 { keep } else { base };
    }
}
