//! `lapidary report` and `--report`: where pages go, and what is said when there is none.

use crate::support;

use std::fs;
use support::{Place, Run, wait_until};

fn reduce(place: &Place, options: &[&str]) -> Run {
    place.lapidary(&[&["reduce", "input.txt"], options, &["--", "grep", "-q", "17", "input.txt"]].concat())
}

/// Writes a page while other things go on in the place.
fn page_of(place: &Place, result: &str) {
    let status = place.command().args(["report", "-q", result]).status().unwrap();
    assert!(status.success());
}

#[test]
fn a_run_writes_its_page_and_the_journal_gives_the_same_one_later() {
    let place = Place::with_numbers();
    reduce(&place, &["--report", "now.html"]).ends_with(0).complains(&["lapidary: the report is in now.html"]);
    let page = place.read("now.html");
    for words in
        ["Size over candidates", "What is left and why", "What was removed", "exit code 0", "grep -q 17 input.txt"]
    {
        assert!(page.contains(words), "{words}");
    }
    place
        .lapidary(&["report", "input.reduced.txt.journal.jsonl"])
        .ends_with(0)
        .prints(&["page: input.reduced.txt.html"]);
    place.lapidary(&["report", "input.reduced.txt", "-q", "-o", "by-result.html"]).ends_with(0);
    assert!(place.read("input.reduced.txt.html") == page && place.read("by-result.html") == page);
}

#[test]
fn a_page_shows_the_original_beside_the_result_even_from_another_directory() {
    let place = Place::with_numbers();
    fs::create_dir(place.path("out")).unwrap();
    reduce(&place, &["-o", "out/small.txt"]).ends_with(0);
    place.lapidary(&["report", "out/small.txt"]).ends_with(0);
    let page = place.read("out/small.txt.html");
    assert!(page.contains("(original)") && page.contains("<h1>input.txt</h1>"));
    fs::remove_file(place.path("input.txt")).unwrap();
    page_of(&place, "out/small.txt");
    let page = place.read("out/small.txt.html");
    assert!(!page.contains("(original)") && page.contains("input.txt is no longer there"));
}

#[test]
fn what_is_no_journal_or_cannot_be_written_is_said_clearly() {
    let place = Place::with_numbers();
    reduce(&place, &[]).ends_with(0);
    place.write("diary.jsonl", "dear diary\n");
    place.write("empty.jsonl", "");
    place.write("old.jsonl", "{\"journal\":1}\n");
    place.lapidary(&["report", "diary.jsonl"]).ends_with(2).complains(&["diary.jsonl is not a journal"]);
    place.lapidary(&["report", "empty.jsonl"]).ends_with(2).complains(&["its run has not begun"]);
    place.lapidary(&["report", "old.jsonl"]).ends_with(2).complains(&["version 1 of the format"]);
    place.lapidary(&["report", "nothing.jsonl"]).ends_with(2).complains(&["cannot read nothing.jsonl"]);
    let journal = "input.reduced.txt.journal.jsonl";
    place.lapidary(&["report", journal, "-o", "no/where.html"]).ends_with(2).complains(&["no/where.html"]);
    place.lapidary(&["report", journal, "-o", journal]).ends_with(2).complains(&["never overwritten"]);
    place.lapidary(&["report", journal, "-o", "input.txt"]).ends_with(2).complains(&["input.txt"]);
    place.lapidary(&["report", "diary.jsonl", journal]).ends_with(2).prints(&["page: input.reduced.txt.html"]);
}

#[test]
fn a_page_that_cannot_be_written_is_noticed_before_the_run() {
    let place = Place::with_numbers();
    reduce(&place, &["--report", "no/where.html"]).ends_with(2).complains(&["no/where.html"]);
    reduce(&place, &["--report", "input.txt"]).ends_with(2).complains(&["input.txt"]);
    reduce(&place, &["--report", "input.reduced.txt"])
        .ends_with(2)
        .complains(&["the result and --report cannot both go to"]);
    assert!(!place.exists("input.reduced.txt"));
    let failing = ["reduce", "input.txt", "--report", "page.html", "--", "false"];
    place.lapidary(&failing).ends_with(1);
    assert!(!place.exists("page.html"), "a run that fails leaves no empty page");
}

#[test]
fn a_run_that_is_stopped_or_goes_on_has_a_page() {
    let place = Place::with_numbers();
    reduce(&place, &["--budget", "3", "--report", "page.html"]).ends_with(3);
    assert!(place.read("page.html").contains("stopped before the search came to its end"));
    let slow = place.script("slow", "sleep 0.2; grep -q 17 input.txt");
    let slow = slow.to_string_lossy();
    let running = place.start(&["reduce", "input.txt", "-o", "slow.txt", "--", &*slow]);
    let begun = || place.exists("slow.txt.journal.jsonl") && place.lines("slow.txt.journal.jsonl") > 5;
    wait_until("some tests have run", begun);
    page_of(&place, "slow.txt");
    assert!(place.read("slow.txt.html").contains("This run is still going on."));
    running.kill();
    page_of(&place, "slow.txt");
    assert!(place.read("slow.txt.html").contains("stopped before"));
}

#[test]
fn a_page_of_half_a_journal_says_so() {
    let place = Place::with_numbers();
    reduce(&place, &["-q"]).ends_with(0);
    let journal = place.read("input.reduced.txt.journal.jsonl");
    let fifth = journal.lines().nth(4).unwrap();
    let half = &journal.replacen(fifth, "{\"test\":", 1)[..journal.len() / 2];
    place.write("half.jsonl", half);
    let run = place.lapidary(&["report", "half.jsonl"]).ends_with(0);
    let run = run.complains(&["half.jsonl: 1 line of the journal cannot be read and is left out: 5."]);
    run.complains(&["half.jsonl: The last line of the journal is incomplete and is left out."]);
    assert!(place.read("half.jsonl.html").contains("The last line of the journal is incomplete"));
}

/// The page of the journal is the page of `--report`; a bundle's shows the failure of the result alone.
#[test]
fn the_journal_of_a_crash_tells_its_stacks_and_its_slice() {
    let place = Place::new();
    place.write(
        "a.c",
        "int noise;\nint divide(int n) { return 10 / n; }\nint main(void) { noise = 3; return divide(0); }\n",
    );
    let crash = ["crash", "a.c", "--report", "crash.html", "--bundle", "packed"];
    place.lapidary(&crash).ends_with(0).prints(&["report.html"]);
    place.lapidary(&["report", "a.reduced.c", "--out", "page.html"]).ends_with(0);
    let page = place.read("page.html");
    for part in
        ["<section id=\"stacks\"", "<section id=\"slice\"", "href=\"#original-0-2\"", "l fault\" id=\"original-0-2\""]
    {
        assert!(page.contains(part), "{part} is not in {page}");
    }
    assert_eq!(page, place.read("crash.html"));
    let sent = place.read("packed/report.html");
    assert!(sent.contains("<section id=\"stacks\"") && sent.contains("SIGFPE"), "{sent}");
    assert!(!sent.contains("noise") && !sent.contains("<section id=\"slice\""), "{sent}");
    place.write("a.c", "int main(void) { return 0; }\n");
    place.lapidary(&["report", "a.reduced.c", "--out", "later.html"]).ends_with(0);
    let later = place.read("later.html");
    assert!(later.contains("have changed; they are not shown") && !later.contains("original-0-"), "{later}");
    let journal = place.read("a.reduced.c.journal.jsonl");
    let earlier: Vec<&str> = journal.lines().filter(|line| !line.contains("\"failure\":{")).collect();
    assert!(earlier.len() < journal.lines().count(), "{journal}");
    place.write("a.reduced.c.journal.jsonl", earlier.join("\n") + "\n");
    place.lapidary(&["report", "a.reduced.c", "--out", "earlier.html"]).ends_with(0);
    assert!(!place.read("earlier.html").contains("<section id=\"stacks\""));
}

#[test]
fn a_crash_has_a_page_with_its_failure() {
    let place = Place::new();
    place.write(
        "a.c",
        "#include <assert.h>\nint unused(void) { return 1; }\nint main(void) { int x = 0;\n assert(x); }\n",
    );
    place.lapidary(&["crash", "a.c", "-q", "--report", "crash.html"]).ends_with(0);
    let page = place.read("crash.html");
    assert!(
        page.contains("assertion `x`") || page.contains("assertion `x&#39; failed") || page.contains("failed at a.c:4"),
        "{page}"
    );
    assert!(page.contains("lapidary crash") && page.contains("(original)"));
    let size = |name: &str| place.path(name).metadata().unwrap().len();
    let sizes = format!("{} of {} bytes, with white space", size("a.reduced.c"), size("a.c"));
    assert!(page.contains(&sizes), "{sizes} is not in {page}");
    let header = place.read("a.reduced.c.journal.jsonl").lines().next().unwrap().to_owned();
    assert!(header.contains("gcc") && !header.contains("\"g++ ("), "{header}");
}
