//! Damages classes for a while and checks that nothing panics, hangs or changes when it is written.
//!
//! `mutate [--minutes N] [--seed N] [--jdk] FILE.class|FILE.jar|DIRECTORY...`
//!
//! A finding prints the class and the seed that reproduces it.

mod corpus;
#[path = "../tests/support/mutation.rs"]
mod mutation;

use lapidary_classfile::Class;
use mutation::{Random, mutant};
use std::panic::catch_unwind;
use std::time::{Duration, Instant};

/// A mutant that takes longer than this to read and write is a finding.
const SLOW: Duration = Duration::from_secs(2);

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let minutes = take_option(&mut arguments, "--minutes").unwrap_or(1);
    let mut seed = take_option(&mut arguments, "--seed").unwrap_or(1);
    let classes = corpus::from_arguments(arguments.into_iter());
    if classes.is_empty() {
        return eprintln!("mutate: no classes given");
    }
    let start = Instant::now();
    let mut tally = Tally::default();
    while start.elapsed() < Duration::from_secs(60 * minutes) {
        tally.judge(&classes, seed);
        seed += 1;
    }
    println!("{tally:?}");
    if tally.findings > 0 {
        std::process::exit(1);
    }
}

fn take_option(arguments: &mut Vec<String>, name: &str) -> Option<u64> {
    let at = arguments.iter().position(|argument| argument == name)?;
    let value = arguments.get(at + 1)?.parse().ok();
    arguments.drain(at..at + 2);
    value
}

#[derive(Debug, Default)]
#[allow(dead_code, reason = "the fields are printed")]
struct Tally {
    mutants: usize,
    refused: usize,
    survived: usize,
    unwritable: usize,
    findings: usize,
    slowest: Duration,
}

enum Outcome {
    Refused,
    Survived,
    Unwritable,
    Changed,
}

impl Tally {
    fn judge(&mut self, classes: &corpus::Corpus, seed: u64) {
        let mut random = Random::new(seed);
        let (name, bytes) = &classes[random.below(classes.len())];
        let mutant = mutant(bytes, &mut random);
        let start = Instant::now();
        let outcome = catch_unwind(|| outcome(&mutant));
        let time = start.elapsed();
        self.mutants += 1;
        self.slowest = self.slowest.max(time);
        match outcome {
            Ok(Outcome::Refused) => self.refused += 1,
            Ok(Outcome::Survived) => self.survived += 1,
            Ok(Outcome::Unwritable) => self.unwritable += 1,
            Ok(Outcome::Changed) => self.report(name, seed, "changed in writing"),
            Err(_) => self.report(name, seed, "panicked"),
        }
        if time > SLOW {
            self.report(name, seed, "took too long");
        }
    }

    fn report(&mut self, name: &str, seed: u64, what: &str) {
        self.findings += 1;
        println!("{name}, seed {seed}: {what}");
    }
}

fn outcome(mutant: &[u8]) -> Outcome {
    let Ok(class) = Class::read(mutant) else { return Outcome::Refused };
    match class.write().map(|written| Class::read(&written)) {
        Ok(Ok(again)) if again == class => Outcome::Survived,
        Ok(_) => Outcome::Changed,
        Err(_) => Outcome::Unwritable,
    }
}
