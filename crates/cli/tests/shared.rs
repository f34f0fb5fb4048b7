//! Options that all commands share, and what every help page says.

use crate::support;

use support::Place;

/// The commands that may run for long.
const LONG: [&str; 7] = ["reduce", "crash", "slice", "explore", "compare", "triage", "model"];

fn help(command: &str) -> String {
    Place::new().lapidary(&[command, "--help"]).ends_with(0).stdout
}

#[test]
fn every_long_command_has_the_shared_options() {
    for command in LONG {
        let text = help(command);
        for option in ["-q, --quiet\n", "--json <FILE>", "-j, --jobs <N>", "--seed <N>", "--budget <", "--timeout <"] {
            assert!(text.contains(option), "{command} has no {option}\n{text}");
        }
    }
}

#[test]
fn every_long_command_says_its_exit_codes() {
    let place = Place::new();
    for command in LONG {
        let text = help(command);
        assert!(text.contains("Exit codes:\n  0  ") && text.contains("\n  2  wrong usage"), "{text}");
        let page = place.lapidary(&["man", command]).ends_with(0);
        page.prints(&[".SH \"EXIT STATUS\"\n.TP\n\\fB0\\fR\n", "\\fB2\\fR\nwrong usage"]);
    }
}

#[test]
fn help_is_wrapped_once() {
    let place = Place::new();
    for command in LONG {
        let text = help(command);
        let about: Vec<&str> = text.split("\n\n").nth(1).unwrap().lines().collect();
        // Each line but the last is full: the first word of the next would not have fitted.
        for pair in about.windows(2) {
            let next = pair[1].split(' ').next().unwrap();
            assert!(pair[0].len() + 1 + next.len() > 80, "{command} is wrapped too early: {pair:?}");
        }
    }
    assert!(place.lapidary(&["completions", "bash"]).ends_with(0).stdout.contains("--budget"));
}

#[test]
fn quiet_commands_print_nothing_but_errors() {
    let place = Place::with_numbers();
    let check = ["model", "input.txt", "-q", "--check", "2", "--json", "out.json", "--", "true"];
    let run = place.lapidary(&check).ends_with(0);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
    let summary = place.json("out.json");
    assert_eq!((&summary["command"], &summary["check"]["accepted"]), (&"model".into(), &2.into()), "{summary}");
    place.write("a.c", "int main(void) { int x = 1; return x; }\n");
    let run = place.lapidary(&["slice", "a.c:1", "--quiet", "--json", "slice.json"]).ends_with(0);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
    assert_eq!(place.json("slice.json")["command"], "slice");
}

#[test]
fn the_budget_ends_checks_and_runs() {
    let place = Place::with_numbers();
    let sleep = support::unique_sleep();
    let check = ["model", "input.txt", "--budget", "500ms", "--timeout", "900", "--check", "9", "--", "sleep", &sleep];
    place.lapidary(&check).ends_with(3).complains(&["stopped early"]);
    place.write("waits.c", "#include <unistd.h>\nint main(void) { sleep(900); return 0; }\n");
    let run = place.lapidary(&["slice", "waits.c:2", "--dynamic", "--timeout", "900", "--budget", "3s"]).ends_with(3);
    assert!(run.stdout.is_empty(), "{run}");
}
