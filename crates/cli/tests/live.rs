//! The view of a run while it goes on: in a real terminal, as plain lines, and as events.

use crate::java_support::app_jar;
use crate::support::pair::pair;
use crate::support::term::Term;
use crate::support::{Place, patient, wait_until};
use serde_json::Value;
use std::fs;

const REDUCE: &str = "\"$LAPIDARY\" reduce input.txt --jobs 1 --timeout 3000";
const SIZE: (u16, u16) = (80, 24);

/// A place with a test that stands still in its fifth run, the first of the search, until [`let_go`].
fn place() -> Place {
    place_with(4, "grep -q '^17$' input.txt")
}

/// A place with a test that stands still after so many runs, until [`let_go`].
fn place_with(runs: u32, test: &str) -> Place {
    holding_after(runs, Place::with_numbers(), test)
}

/// Adds the test to a place. `check` is what it does when it does not wait.
fn holding(place: Place, check: &str) -> Place {
    holding_after(4, place, check)
}

fn holding_after(runs: u32, place: Place, check: &str) -> Place {
    let dir = place.path("").display().to_string();
    let dir = dir.trim_end_matches('/');
    let wait = format!("test $(wc -l < \"$DIR/runs\") -le {runs} || while test -e \"$DIR/hold\"; do sleep 0.05; done");
    place.script("test", &format!("DIR='{dir}'\necho run >> \"$DIR/runs\"; {wait}\n{check}"));
    fs::write(place.path("hold"), "").unwrap();
    place
}

fn let_go(place: &Place) {
    fs::remove_file(place.path("hold")).unwrap();
}

fn reduce(place: &Place, options: &str) -> String {
    format!("{REDUCE} {options} -- '{}'", place.path("test").display())
}

#[test]
fn the_screen_shows_the_run_and_is_gone_after_it() {
    let place = place();
    let term = Term::open(&place, SIZE, &reduce(&place, ""));
    term.shows(&["lapidary reduce input.txt", "running", "bytes (", "stage", "trying", "tests", "time", "items"]);
    term.shows(&["size over", "the best so far: input.txt", "? help", "q stop"]);
    assert!(!term.screen().contains("before"), "the screen is the view's");
    let_go(&place);
    let screen = term.ends_with(0);
    assert!(screen.starts_with("before\n"), "{screen}");
    assert!(screen.contains("bytes left") && screen.contains("result: input.reduced.txt"), "{screen}");
    assert!(!screen.contains("running") && !screen.contains("checking"), "{screen}");
}

#[test]
fn keys_show_the_help_the_difference_and_other_lines() {
    let place = place();
    let term = Term::open(&place, SIZE, &reduce(&place, ""));
    term.shows(&["lapidary reduce", "the best so far"]);
    term.press("?").shows(&["hold back new tests, or go on", "keys"]);
    term.press("?").hides("hold back new tests");
    term.press("d").shows(&["what was removed from input.txt"]);
    term.press("d").shows(&["the best so far: input.txt"]);
    term.press("End").hides("| 1-");
    term.press("Home").shows(&["| 1-"]);
    term.press("Down").shows(&["| 2-"]);
    term.press("Up").shows(&["| 1-"]);
    term.press("PPage").press("NPage").hides("| 1-");
    let_go(&place);
    term.ends_with(0);
}

#[test]
fn classes_of_a_jar_are_shown_as_text_that_scrolls() {
    let place = Place::new();
    place.write("app.jar", app_jar());
    let place = holding(place, "unzip -p \"$1\" '*.class' | grep -q needle");
    let test = place.path("test").display().to_string();
    let term =
        Term::open(&place, (99, 50), &format!("\"$LAPIDARY\" reduce app.jar --jobs 1 --timeout 3000 -- '{test}' {{}}"));
    term.shows(&["the best so far: app.jar | 1-", "// class file", "invokespecial   java.lang.Object.<init>(): void"]);
    term.press("End").hides("| 1-");
    term.press("d").shows(&["what was removed from app.jar", "nothing was removed so far"]);
    let_go(&place);
    term.ends_with(0);
}

#[test]
fn a_window_may_change_its_size() {
    let place = place();
    let term = Term::open(&place, SIZE, &reduce(&place, ""));
    term.shows(&["lapidary reduce", "q stop", "s skip stage", "d diff"]);
    term.resize(40, 20).shows(&["bytes (", "? help", "q stop"]);
    assert!(term.screen().lines().all(|line| line.chars().count() <= 40));
    term.resize(130, 40).shows(&["lapidary reduce", "d diff", "size over"]);
    term.resize(30, 8).shows(&["lapidary", "? help"]);
    let_go(&place);
    term.resize(80, 24).ends_with(0);
}

#[test]
fn q_and_ctrl_c_stop_with_the_best_saved() {
    for (key, input) in [("q", ""), ("C-c", " < /dev/null")] {
        let place = place();
        let term = Term::open(&place, (80, 60), &(reduce(&place, "") + input));
        term.shows(&["lapidary reduce", "running"]).press(key);
        let screen = term.ends_with(3);
        assert!(screen.contains("stopped early: interrupted; the best result so far is saved"), "{screen}");
        assert!(screen.starts_with("before\n") && place.exists("input.reduced.txt"), "{screen}");
    }
}

#[test]
fn p_holds_the_run_until_it_is_pressed_again() {
    let place = place();
    let term = Term::open(&place, SIZE, &reduce(&place, ""));
    term.shows(&["lapidary reduce", "running"]).press("p").shows(&["paused"]);
    wait_until("the first test of the search runs", || place.lines("runs") == 5);
    let_go(&place);
    // The test that runs is answered; no other starts.
    let journal = || place.read("input.reduced.txt.journal.jsonl");
    wait_until("the test is answered", || journal().contains("{\"test\":1,"));
    term.shows(&["paused"]);
    assert_eq!(place.lines("runs"), 5);
    term.press("p");
    term.ends_with(0);
    assert!(place.lines("runs") > 5);
}

#[test]
fn s_leaves_the_stage_and_says_so() {
    let place = place();
    let term = Term::open(&place, SIZE, &reduce(&place, ""));
    term.shows(&["lapidary reduce", "lines: hdd"]).press("s");
    let journal = || place.read("input.reduced.txt.journal.jsonl");
    wait_until("the journal names the stage", || journal().contains("{\"skip\":\"lines\",\"round\":1,\"answers\":"));
    let_go(&place);
    let screen = term.ends_with(0);
    assert!(screen.contains("warning: the stage lines was skipped"), "{screen}");
    assert!(journal().contains("{\"done\":true"));
}

#[test]
fn no_colour_means_none() {
    // The default colour has the number 39.
    let is_coloured = |term: &Term<'_>| (1..=8).any(|colour| term.coloured().contains(&format!("\x1b[3{colour}")));
    for (setting, expected) in [("NO_COLOR=1 ", false), ("", true)] {
        let place = place();
        let term = Term::open(&place, SIZE, &format!("{setting}{}", reduce(&place, "")));
        term.shows(&["lapidary reduce", "running"]);
        assert_eq!(is_coloured(&term), expected, "{:?}", term.coloured());
        let_go(&place);
        term.ends_with(0);
    }
}

#[test]
fn plain_lines_come_where_nothing_can_be_drawn() {
    for (setting, option, pipe) in [("", "--plain", ""), ("TERM=dumb ", "", ""), ("", "", " 2>&1 | cat")] {
        let place = place();
        let term = Term::open(&place, (100, 40), &format!("{setting}{}{pipe}", reduce(&place, option)));
        term.shows(&[
            "before\nchecking the test on the input ...\n",
            "% left (",
            "2 tests, ",
            "lines: hdd+polish on 40 items",
        ]);
        assert!(!term.screen().contains("running"));
        let_go(&place);
        term.ends_with(0);
    }
}

#[test]
fn a_fatal_signal_gives_the_terminal_back() {
    let place = place();
    let reduce = format!("sh -c 'ulimit -c 0; echo $$ > pid; exec \"$0\" \"$@\"' {}", reduce(&place, ""));
    let run = format!("{reduce}; stty -a | tr ' ' '\\n' | grep -x -e icanon -e echo | tr '\\n' ' '; echo");
    let term = Term::open(&place, SIZE, &run);
    term.shows(&["lapidary reduce", "running"]);
    let pid: i32 = place.read("pid").trim().parse().unwrap();
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::QUIT).unwrap();
    let screen = term.ends_with(0);
    assert!(screen.starts_with("before\n") && screen.contains("icanon echo"), "{screen}");
    let_go(&place);
    drop(term);
    place.wait_until_clean();
}

#[test]
fn a_run_whose_terminal_is_closed_ends_with_the_best_saved() {
    let place = place();
    let term = Term::open(&place, SIZE, &reduce(&place, ""));
    term.shows(&["lapidary reduce", "running"]);
    drop(term);
    place.wait_until_clean();
    assert!(place.exists("input.reduced.txt"));
}

#[test]
fn a_terminal_that_takes_nothing_does_not_hold_the_run() {
    // With plain lines, the run itself prints in the middle: that the fourth run, the one on the
    // smallest candidate, was accepted.
    let plain = place_with(3, "true");
    for (place, option) in [(place(), ""), (plain, "--plain")] {
        let term = Term::open(&place, SIZE, &reduce(&place, option));
        match option.is_empty() {
            true => drop(term.shows(&["lapidary reduce", "running"])),
            false => wait_until("the fourth run stands still", || place.lines("runs") == 4),
        }
        term.stall();
        let_go(&place);
        let journal = || place.read("input.reduced.txt.journal.jsonl");
        wait_until("the result is saved", || place.exists("input.reduced.txt") && journal().contains("{\"done\":true"));
        term.revive();
        let screen = term.ends_with(0);
        assert!(screen.contains("left (") && screen.contains("result: input.reduced.txt"), "{screen}");
        assert_eq!(screen.contains("accepts even the smallest candidate"), !option.is_empty(), "{screen}");
    }
}

#[test]
fn ctrl_z_gives_the_terminal_back_until_fg() {
    let place = place();
    let run = format!(
        "set -m\n{}\necho stopped\nstty -a | tr ' ' '\\n' | grep -x -e icanon -e echo | tr '\\n' ' '\nread line\nfg > /dev/null",
        reduce(&place, "")
    );
    let term = Term::open(&place, SIZE, &run);
    term.shows(&["lapidary reduce", "running"]).press("C-z").shows(&["stopped", "icanon echo"]);
    let screen = term.screen();
    assert!(screen.starts_with("before\n") && !screen.contains("running"), "{screen}");
    term.press("Enter").shows(&["lapidary reduce", "running"]);
    let_go(&place);
    let screen = term.ends_with(0);
    assert!(screen.starts_with("before\n") && screen.contains("result: input.reduced.txt"), "{screen}");
}

/// Two versions of a class with endlessly many paths, which differ in nothing that can be seen.
fn endless() -> Place {
    let source = |sum: &str| {
        format!(
            "class T {{ static int f(int n) {{ int s = 0; for (int i = 0; i < n; i++) {{ {sum} }} return s; }}
             public static void main(String[] a) throws Exception {{ Thread.sleep(1000000); }} }}"
        )
    };
    pair(&source("s += i;"), &source("s = i + s;"))
}

#[test]
fn every_command_with_a_view_shows_it_and_can_be_stopped() {
    let place = endless();
    let more =
        (0..400).map(|number| format!("int f{number}(int x) {{ return x * {number} + (x > {number} ? f(x) : x); }}\n"));
    let calls = (0..400).map(|number| format!("s += f{number}(s);\n"));
    let (more, calls): (String, String) = (more.collect(), calls.collect());
    place.write(
        "a.c",
        format!("int f(int x) {{ return x; }}\n{more}int main(void) {{ int s = 1;\n{calls}__builtin_trap(); }}\n"),
    );
    let cases = [
        ("crash a.c --jobs 1", &["stage", "trying", "tests"][..], 3),
        ("explore old/classes --main T.f --budget 20m", &["found so far", "paths"], 3),
        ("compare old/classes new/classes --main T.f --budget 20m --without induction", &["found so far"], 3),
        ("triage old/classes --main T --own cha --others none --timeout 3000", &["found so far"], 3),
    ];
    for (command, words, code) in cases {
        let term = Term::open(&place, SIZE, &format!("\"$LAPIDARY\" {command}"));
        let title = format!("lapidary {}", command.split(' ').next().unwrap());
        term.shows(&[&title, "q stop"]).shows(words).press("q");
        let screen = term.ends_with(code);
        assert!(!screen.contains("q stop") && !screen.contains("found so far"), "{screen}");
        drop(term);
        place.wait_until_clean();
    }
}

#[test]
fn a_screen_leaves_no_sign_on_standard_output() {
    let place = place();
    let term = Term::open(&place, SIZE, &format!("{} > out", reduce(&place, "")));
    term.shows(&["lapidary reduce", "running"]).resize(100, 30).shows(&["lapidary reduce", "running"]);
    let_go(&place);
    term.ends_with(0);
    let out = place.read("out");
    assert!(out.contains("result: input.reduced.txt") && !out.contains('\x1b'), "{out:?}");
}

#[test]
fn a_pipe_that_nobody_empties_does_not_hold_the_view() {
    let place = endless();
    // The pipe is full, so the first line on standard output waits.
    let run = "mkfifo pipe; exec 3<> pipe; head -c 65536 /dev/zero >&3\n\"$LAPIDARY\" explore old/classes --main T.f --budget 20m >&3";
    let term = Term::open(&place, SIZE, run);
    term.shows(&["lapidary explore", "found so far", "q stop"]).press("?").shows(&["keys"]).press("?");
    term.press("q");
    // Somebody reads at last.
    let mut reader = std::process::Command::new("cat");
    let mut reader = reader.arg(place.path("pipe")).stdout(std::process::Stdio::null()).spawn().unwrap();
    term.ends_with(3);
    reader.kill().unwrap();
    reader.wait().unwrap();
}

#[test]
fn events_of_a_search_for_paths_name_what_is_found() {
    let place = pair(
        "class T { static int f(int x) { if (x == 7) throw new IllegalStateException(); return x; } }",
        "class T { }",
    );
    let options = ["explore", "old/classes", "--main", "T.f", "--events", "events.jsonl", "-q"];
    place.lapidary(&patient(&options)).ends_with(1);
    let text = place.read("events.jsonl");
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&events[0]["event"], &events[0]["command"]), (&"begin".into(), &"explore".into()));
    assert_eq!(events.last().unwrap()["event"], "end");
    let finding = events.iter().find(|event| event["event"] == "found" && event["finding"] == true).expect("a finding");
    assert!(finding["text"].as_str().unwrap().contains("IllegalStateException"), "{finding}");
    let paths = events.iter().rfind(|event| event["event"] == "count" && event["what"] == "paths").expect("a count");
    assert_eq!(paths["number"], 2);
}

#[test]
fn events_tell_a_program_what_happens() {
    let place = Place::with_numbers();
    let arguments = ["reduce", "input.txt", "--events", "events.jsonl", "-q", "--", "grep", "-q", "^17$", "input.txt"];
    place.lapidary(&arguments).ends_with(0);
    let text = place.read("events.jsonl");
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |name: &str| events.iter().filter(|event| event["event"] == name).collect::<Vec<_>>();
    assert_eq!((&events[0]["event"], &events[0]["command"]), (&"begin".into(), &"reduce".into()));
    assert_eq!(events.last().unwrap()["event"], "end");
    assert_eq!(of("phase")[1]["what"], "checking the test on the input, run 1 of 3");
    assert_eq!(of("search")[0]["bytes"], 111);
    assert_eq!(of("stage")[0]["kinds"]["line"], 40);
    let journal = place.read("input.reduced.txt.journal.jsonl");
    assert_eq!(of("test").len(), journal.lines().filter(|line| line.starts_with("{\"test\":")).count());
    let best: Vec<u64> = of("best").iter().map(|event| event["bytes"].as_u64().unwrap()).collect();
    assert!(best.windows(2).all(|pair| pair[0] >= pair[1]) && best.last() == Some(&2), "{best:?}");
    let times: Vec<f64> = events.iter().map(|event| event["at"].as_f64().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
}

#[test]
fn events_have_standard_output_for_themselves_or_none_of_it() {
    let place = Place::with_numbers();
    let test = ["--", "grep", "-q", "^17$", "input.txt"];
    let run = place.lapidary(&[&["reduce", "input.txt", "--events", "-"][..], &test].concat()).ends_with(0);
    assert!(run.stdout.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{run}");
    let both = ["reduce", "input.txt", "--force", "--events", "-", "--json", "-"];
    place.lapidary(&[&both[..], &test].concat()).ends_with(2).complains(&["--json and --events cannot both go to -"]);
    let input = ["reduce", "input.txt", "--force", "--events", "input.txt"];
    place.lapidary(&[&input[..], &test].concat()).ends_with(2).complains(&["input.txt"]);
    let journal = place.read("input.reduced.txt.journal.jsonl");
    for taken in ["input.reduced.txt", "./input.reduced.txt.journal.jsonl"] {
        let taken = ["reduce", "input.txt", "--resume", "--events", taken];
        let words = [" and --events cannot both go to "];
        place.lapidary(&[&taken[..], &test].concat()).ends_with(2).complains(&words);
    }
    assert_eq!(
        (place.read("input.reduced.txt.journal.jsonl"), place.read("input.reduced.txt")),
        (journal, "17".into())
    );
    place.script("test", "grep -q '^17$' input.txt");
    let script = place.read("test");
    for option in ["--events", "--json", "--report", "--out"] {
        let over = ["reduce", "input.txt", "--force", option, "test", "--", "./test"];
        place.lapidary(&over).ends_with(2).complains(&["cannot go to test: the input is never overwritten"]);
    }
    assert_eq!(place.read("test"), script);
    let full = ["reduce", "input.txt", "--force", "--events", "/dev/full"];
    place
        .lapidary(&[&full[..], &test].concat())
        .ends_with(0)
        .complains(&["warning: events are missing: No space left"]);
    let nowhere = ["reduce", "input.txt", "--force", "--events", "no/such/file"];
    place.lapidary(&[&nowhere[..], &test].concat()).ends_with(2).complains(&["no/such/file"]);
}
