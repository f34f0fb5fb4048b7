//! A run in words, a few lines with a label each. Plain lines and the screen say the same.

use crate::state::{Search, Stage, State};
use crate::words::{clock, counted, number_of, percent, seconds, thousands};
use lapidary::Budget;
use std::time::Duration;

/// A line about the run.
pub struct Fact {
    /// The first word.
    pub label: &'static str,
    /// The words.
    pub text: String,
}

fn fact(label: &'static str, text: impl Into<String>) -> Fact {
    Fact { label, text: text.into() }
}

/// All that is known now, the most important first.
pub fn facts(state: &State, now: Duration) -> Vec<Fact> {
    let mut facts = Vec::new();
    match state.searching() {
        Some(search) => facts.extend(of_search(search, now)),
        None => facts.extend(state.phase.iter().map(|(what, _)| fact("now", what.clone()))),
    }
    if !state.counted.is_empty() {
        let number = |(what, number): &(String, u64)| number_of(*number, what);
        facts.push(fact("so far", state.counted.iter().map(number).collect::<Vec<_>>().join(", ")));
    }
    facts.extend(state.about.budget.map(|budget| fact("budget", budget_used(state, budget, now))));
    facts.extend(state.messages.back().map(|text| fact("note", text.clone())));
    facts
}

fn of_search(search: &Search, now: Duration) -> Vec<Fact> {
    let mut facts = vec![fact("left", size_left(search))];
    if let Some(stage) = &search.stage {
        facts.push(fact("stage", format!("{}, round {}", stage_in_words(stage), stage.round)));
        facts.extend(stage.trying.clone().map(|trying| fact("trying", trying)));
        facts.extend((!stage.left.is_empty()).then(|| fact("items", kinds_left(stage))));
    }
    facts.push(fact("tests", tests(search, now)));
    facts.push(fact("time", times(search, now)));
    facts
}

/// `563 of 2,504 bytes (22.5 %)`.
pub fn size_left(search: &Search) -> String {
    let share = percent(search.best as f64, search.original as f64);
    format!("{} of {} ({share:.1} %)", thousands(search.best), counted(search.original as usize, "byte"))
}

/// `tree: hdd on 809 items`.
pub fn stage_in_words(stage: &Stage) -> String {
    format!("{}: {} on {}", stage.name, stage.strategy, counted(stage.items, "item"))
}

fn kinds_left(stage: &Stage) -> String {
    let mut kinds: Vec<(&String, &usize)> = stage.left.iter().collect();
    kinds.sort_by_key(|(kind, count)| (std::cmp::Reverse(**count), *kind));
    kinds.iter().map(|(kind, count)| format!("{} {kind}", thousands(**count as u64))).collect::<Vec<_>>().join(", ")
}

fn tests(search: &Search, now: Duration) -> String {
    let counts = &search.counts;
    let mut text = format!(
        "{} run, {:.0}/s, {} from the cache",
        thousands(counts.run),
        search.tests_per_second(now),
        thousands(counts.cached + search.replayed)
    );
    text += &format!(", {} on invalid candidates", thousands(search.invalid));
    if counts.timed_out > 0 {
        text += &format!(", {} timed out", thousands(counts.timed_out));
    }
    text
}

fn times(search: &Search, now: Duration) -> String {
    let own = search.our_own();
    let share = percent(own.as_secs_f64(), search.waited.1.saturating_sub(search.since).as_secs_f64());
    let gained = match search.gained {
        Some(at) => format!("last gain {} ago", seconds(now.saturating_sub(at))),
        None => "no gain yet".to_owned(),
    };
    format!("{} in tests, {} our own ({share:.0} %), {gained}", seconds(search.in_tests), seconds(own))
}

fn budget_used(state: &State, budget: Budget, now: Duration) -> String {
    match budget {
        Budget::Time(time) => format!("{} of {}", clock(now), clock(time)),
        Budget::Tests(tests) => {
            let counts =
                state.search.as_ref().map(|search| (search.counts.search + search.counts.confirm, search.replayed));
            let (settled, replayed) = counts.unwrap_or_default();
            format!("{} of {}", thousands(settled.saturating_sub(replayed)), counted(tests as usize, "test"))
        }
    }
}
