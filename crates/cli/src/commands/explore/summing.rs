//! The end of an exploration: how far it came, in words and as JSON.

use super::random::Random;
use super::tally::Tally;
use crate::progress::{counted, thousands};
use crate::say::{complain, say};
use lapidary_symbolic::{Budget, Covered, Explored, Limit, Machine, Method};
use serde_json::{Value, json};

pub struct End<'a> {
    pub machine: &'a Machine,
    pub method: &'a Method,
    pub explored: &'a Explored,
    pub tally: &'a Tally,
    pub random: &'a Random,
}

impl End<'_> {
    /// Whether every path was finished, and none for want of a class.
    pub fn is_exhausted(&self) -> bool {
        self.explored.exhausted && self.tally.missing.is_empty()
    }

    pub fn as_json(&self) -> Value {
        let (explored, tally) = (self.explored, self.tally);
        let covered = self.machine.covered();
        json!({
            "command": "explore",
            "paths": explored.paths,
            "exhausted": self.is_exhausted(),
            "waiting": explored.left_waiting,
            "undecided": explored.undecided,
            "merged": explored.merged,
            "lines": { "reached": covered.lines.reached, "total": covered.lines.total },
            "branches": { "reached": covered.branches.reached, "total": covered.branches.total },
            "missed": covered.missed.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "findings": tally.findings,
            "repeated": tally.repeated,
            "unconfirmed": tally.unconfirmed,
            "unsupported": tally.unsupported,
            "too_long": tally.too_long,
            "missing": tally.missing,
            "restrictions": self.restrictions(),
            "random": self.random.as_json(self.method, &tally.confirmed()),
            "instructions": self.machine.counts.instructions,
            "queries": self.queries(),
            "seconds": explored.elapsed.as_secs_f64(),
            "each": tally.paths,
        })
    }

    pub fn tell(&self) {
        let (explored, tally) = (self.explored, self.tally);
        let reach = if self.is_exhausted() { "all of them" } else { "not all there are" };
        say!(
            "{}, {reach}; {}; {} instructions, {} {} in {:.1} s",
            counted(explored.paths as usize, "path"),
            counted(tally.findings as usize, "finding"),
            thousands(self.machine.counts.instructions),
            thousands(self.queries()),
            if self.queries() == 1 { "query" } else { "queries" },
            explored.elapsed.as_secs_f64()
        );
        if tally.repeated > 0 {
            let paths = counted(tally.repeated as usize, "more path");
            say!("{paths} with an exception and a place of these findings; they were not replayed");
        }
        let restrictions = self.restrictions();
        if !restrictions.is_empty() {
            say!("inputs were restricted: {}", restrictions.join("; "));
        }
        self.complain_of_the_rest();
        tell_covered(&self.machine.covered());
        self.random.tell(&tally.confirmed());
    }

    fn complain_of_the_rest(&self) {
        let (explored, tally) = (self.explored, self.tally);
        let paths = |number: u64| counted(number as usize, "path");
        if explored.left_waiting > 0 {
            complain!("lapidary: {} still waiting when {}", counted(explored.left_waiting, "path"), reached(explored));
        }
        if tally.unsupported > 0 {
            complain!("lapidary: {} needed something that is not supported", paths(tally.unsupported));
        }
        if tally.too_long > 0 {
            let most = thousands(Budget::default().instructions);
            complain!("lapidary: {} given up after {most} instructions", paths(tally.too_long));
        }
        for class in &tally.missing {
            complain!("lapidary: class {class} is missing, so paths that need it are no findings; see --classpath");
        }
        if explored.undecided > 0 {
            complain!(
                "lapidary: {} not decided, and the other way out was not taken; the first: {}",
                counted(explored.undecided as usize, "condition"),
                self.machine.first_undecided.as_deref().unwrap_or("no reason is known")
            );
        }
    }

    /// What inputs were not, although their types would let them be.
    fn restrictions(&self) -> Vec<String> {
        self.machine.restrictions.iter().map(ToString::to_string).collect()
    }

    fn queries(&self) -> u64 {
        self.machine.solver.statistics().0.first().map_or(0, |layer| layer.queries)
    }
}

fn tell_covered(covered: &Covered) {
    if covered.methods > 0 {
        let (lines, branches) = (covered.lines, covered.branches);
        say!("lines {lines}, branches {branches}, in {} of the program", counted(covered.methods, "method"));
    }
    if !covered.missed.is_empty() {
        let missed: Vec<String> = covered.missed.iter().map(ToString::to_string).collect();
        say!("never run: {}", missed.join(", "));
    }
}

/// The limit that ended the exploration, and how to move it.
fn reached(explored: &Explored) -> &'static str {
    match explored.stopped_by {
        Some(Limit::Time) | None => "the time was over; see --timeout",
        Some(Limit::Paths) => "as many had ended as --paths says",
        Some(Limit::States) => "there were too many of them to keep; --search depth keeps fewer",
        Some(Limit::Memory) => "the memory was used up; see --memory",
        Some(Limit::Interrupted) => "somebody interrupted",
    }
}
