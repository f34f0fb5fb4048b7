//! The screen, drawn without a terminal.

use lapidary::{Budget, Counts, Event, FileTree, Item, Judgment, StageInfo, Trial, Verdict};
use lapidary_live::keys::Panel;
use lapidary_live::screen::{Body, Look, Row, Tag, draw};
use lapidary_live::{About, Change, State};
use lapidary_logic::{Var, VarSet};
use lapidary_reduce::Key;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Color;
use std::time::Duration;

const PLAIN: Look = Look { colour: false, unicode: true };

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// A search that has come half of the way, with a stage and a candidate in work.
fn searching(label: &str) -> State {
    let mut state = State::new(About { command: "reduce", input: "inventory.c".into(), budget: None });
    state.apply(seconds(0), &Change::SearchBegins(2504));
    state.apply(seconds(0), &Change::Improved(&FileTree::file("inventory.c", "input"), 2504));
    let items = [Item::new("int f()", "function"), Item::new(label, "statement")];
    let stage = StageInfo { round: 2, name: "tree", strategy: "hdd", items: &items, clauses: 1, bytes: 2504 };
    state.apply(seconds(1), &Change::Stage(&stage));
    let (all, keep) = (VarSet::full(2), VarSet::full(2).without(&[Var::new(1)]));
    state.apply(seconds(2), &Change::Trying(&Trial { items: &items, base: &all, keep: &keep, bytes: 9 }));
    state.apply(seconds(5), &Change::Improved(&FileTree::file("inventory.c", "in"), 563));
    let judgment = Judgment { elapsed: seconds(4), ..Judgment::new(Verdict::Interesting, "does not compile: x") };
    let event = Event {
        number: 1,
        stage: "tree",
        key: Key([0; 32]),
        judgment: &judgment,
        bytes: 563,
        keep: &keep,
        start: &all,
        improved: true,
        replayed: false,
        waited: seconds(4),
    };
    let counts = Counts { run: 75, cached: 12, timed_out: 3, ..Counts::default() };
    state.apply(seconds(5), &Change::Tested(&event, &counts));
    state
}

fn rows(count: usize) -> Vec<Row> {
    (1..=count).map(|number| Row::new(Tag::Plain, format!("line {number};"))).collect()
}

fn drawn(state: &State, panel: &Panel, rows: &[Row], size: (u16, u16), look: Look) -> Terminal<TestBackend> {
    let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).unwrap();
    let body = Body { title: "the best so far: inventory.c", rows };
    terminal.draw(|frame| draw(frame, state, panel, &body, seconds(15), look)).unwrap();
    terminal
}

fn shown(state: &State, size: (u16, u16)) -> String {
    drawn(state, &Panel::default(), &rows(50), size, PLAIN).backend().to_string()
}

#[track_caller]
fn assert_has(screen: &str, words: &[&str]) {
    words.iter().for_each(|word| assert!(screen.contains(word), "`{word}` is not on\n{screen}"));
}

#[test]
fn a_search_is_shown_with_all_its_facts() {
    let screen = shown(&searching("x = 1;"), (80, 24));
    assert_has(
        &screen,
        &[
            "lapidary reduce inventory.c",
            "running 0:15",
            "563 of 2,504 bytes (22.5 %)",
            "tree: hdd on 2 items, round 2",
            "without statement `x = 1;`",
            "1 function, 1 statement",
            "75 run, 5/s, 12 from the cache, 1 on invalid candidates, 3 timed out",
            "4.0 s in tests, 1.0 s our own (20 %), last gain 10.0 s ago",
            "size over 0:15",
            "█",
            "the best so far: inventory.c | 1-",
            "of 50 lines",
            "line 1;",
            "? help",
            "s skip stage",
        ],
    );
}

#[test]
fn forty_columns_and_few_lines_show_what_matters_most() {
    let screen = shown(&searching("x = 1;"), (40, 20));
    assert_has(&screen, &["563 of 2,504 bytes (22.5 %)", "running 0:15", "line 1;", "? help", "q stop"]);
    assert!(screen.lines().all(|line| line.trim_matches('"').chars().count() <= 40), "{screen}");
    for size in [(20, 6), (40, 10), (200, 60), (1, 1), (7, 3)] {
        shown(&searching("x = 1;"), size);
    }
    assert_has(&shown(&searching("x = 1;"), (40, 8)), &["563 of 2,504"]);
}

#[test]
fn a_wide_screen_has_the_graph_beside_the_facts() {
    let screen = shown(&searching("x = 1;"), (140, 20));
    let beside = screen.lines().find(|line| line.contains("563 of")).unwrap();
    assert_has(beside, &["size over 0:15"]);
}

#[test]
fn a_terminal_without_colours_or_unicode_gets_none() {
    let state = searching("x = 1;");
    let plain = drawn(&state, &Panel::default(), &rows(3), (80, 24), Look { colour: false, unicode: false });
    let cells = plain.backend().buffer().content();
    assert!(cells.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
    assert!(plain.backend().to_string().is_ascii(), "{}", plain.backend());
    let coloured = drawn(&state, &Panel::default(), &rows(3), (80, 24), Look { colour: true, unicode: true });
    assert!(coloured.backend().buffer().content().iter().any(|cell| cell.fg == Color::Green));
}

#[test]
fn hostile_labels_do_not_reach_the_terminal() {
    let mut state = searching("\u{1b}[2J\u{202e}evil\n\n\nlabel");
    state.apply(seconds(6), &Change::Warning("\u{1b}]0;title\u{7}"));
    let screen = shown(&state, (100, 30));
    assert!(!screen.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{screen:?}");
    assert_has(&screen, &["\\u{202e}evil label", "\\u{1b}]0;title"]);
}

#[test]
fn the_text_is_scrolled_and_the_help_covers_it() {
    let state = searching("x = 1;");
    let scrolled = Panel { scrolled: 40, ..Panel::default() };
    let screen = drawn(&state, &scrolled, &rows(50), (80, 24), PLAIN).backend().to_string();
    assert_has(&screen, &["line 50;"]);
    assert!(!screen.contains("line 1;"), "{screen}");
    let helped = Panel { shows_help: true, ..Panel::default() };
    for size in [(80, 24), (40, 20)] {
        let screen = drawn(&state, &helped, &rows(50), size, PLAIN).backend().to_string();
        assert_has(&screen, &["keys", "stop, and keep what was", "hold back new tests"]);
    }
}

#[test]
fn a_run_without_a_search_shows_its_phase_counts_and_findings() {
    let budget = Some(Budget::Time(seconds(60)));
    let mut state = State::new(About { command: "explore", input: "app.jar".into(), budget });
    state.apply(seconds(0), &Change::Phase("exploring every path"));
    state.apply(seconds(1), &Change::Counted("paths", 1234));
    let screen = shown(&state, (80, 24));
    assert_has(&screen, &["lapidary explore app.jar", "exploring every path", "1,234 paths", "0:15 of 1:00"]);
    assert!(!screen.contains("skip stage"), "nothing can be skipped\n{screen}");
    state.apply(seconds(2), &Change::Stopping);
    assert_has(&shown(&state, (80, 24)), &["stopping 0:15"]);
}
