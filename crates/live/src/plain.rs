//! A run in one line: for pipes, for screen readers, and on a terminal before the screen opens.

use crate::facts::stage_in_words;
use crate::state::{Search, State};
use crate::words::{counted, number_of, percent};
use lapidary::Budget;
use std::time::Duration;

/// The run as it is now, in one line.
pub fn line(state: &State, now: Duration) -> String {
    let mut line = match (state.searching(), &state.phase) {
        (Some(search), _) => of_search(search, now),
        (None, Some((what, since))) => format!("{what} | {}", whole_seconds(now.saturating_sub(*since))),
        (None, None) => format!("starting | {}", whole_seconds(now)),
    };
    for (what, number) in &state.counted {
        line += &format!(" | {}", number_of(*number, what));
    }
    if let (Some(Budget::Time(time)), None) = (state.about.budget, state.searching()) {
        line += &format!(" | {} of {} used", whole_seconds(now), whole_seconds(time));
    }
    if state.is_stopping {
        line += " | stopping";
    }
    line
}

fn of_search(search: &Search, now: Duration) -> String {
    format!(
        "{:5.1} % left ({}) | {}, {:.0}/s | {}{}",
        percent(search.best as f64, search.original as f64),
        counted(search.best as usize, "byte"),
        counted(search.counts.run as usize, "test"),
        search.tests_per_second(now),
        whole_seconds(now.saturating_sub(search.since)),
        search.stage.as_ref().map_or_else(String::new, |stage| format!(" | {}", stage_in_words(stage)))
    )
}

fn whole_seconds(time: Duration) -> String {
    format!("{} s", time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Change;
    use crate::state::About;
    use lapidary::{FileTree, StageInfo};

    #[test]
    fn a_phase_is_named_before_there_is_anything_to_count() {
        let mut state = State::default();
        state.apply(Duration::ZERO, &Change::Phase("checking the test on the input, run 1 of 3"));
        assert_eq!(line(&state, Duration::from_secs(2)), "checking the test on the input, run 1 of 3 | 2 s");
    }

    #[test]
    fn a_search_is_one_line() {
        let mut state = State::default();
        state.apply(Duration::ZERO, &Change::SearchBegins(2504));
        state.apply(Duration::from_secs(1), &Change::Improved(&FileTree::file("a.c", "x"), 563));
        let info = StageInfo { round: 1, name: "tree", strategy: "hdd", items: &[], clauses: 0, bytes: 2504 };
        state.apply(Duration::from_secs(1), &Change::Stage(&info));
        let shown = line(&state, Duration::from_secs(5));
        assert_eq!(shown, " 22.5 % left (563 bytes) | 0 tests, 0/s | 5 s | tree: hdd on 0 items");
    }

    #[test]
    fn counts_and_the_budget_are_said() {
        let budget = Some(Budget::Time(Duration::from_secs(60)));
        let mut state = State::new(About { command: "explore", input: "app.jar".into(), budget });
        state.apply(Duration::ZERO, &Change::Phase("exploring every path"));
        state.apply(Duration::ZERO, &Change::Counted("paths", 1200));
        state.apply(Duration::ZERO, &Change::Counted("programs done", 1));
        let shown = line(&state, Duration::from_secs(5));
        assert_eq!(shown, "exploring every path | 5 s | 1,200 paths | 1 program done | 5 s of 60 s used");
    }
}
