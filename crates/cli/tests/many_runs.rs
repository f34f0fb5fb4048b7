//! `lapidary report DIR`: one page and one table of many runs, whatever lies in the folder.

use crate::support;

use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use support::{Place, Run, numbers};

const ENDING: &str = ".journal.jsonl";

/// A place with two inputs, each reduced by default and by ddmin, in folders of these names.
fn with_runs() -> Place {
    let place = Place::new();
    for input in ["a.txt", "b.txt"] {
        let last = if input == "a.txt" { 40 } else { 60 };
        place.write(input, numbers(last));
        for (folder, strategy) in [("runs/usual", None), ("runs/old", Some("ddmin"))] {
            fs::create_dir_all(place.path(folder)).unwrap();
            let (out, summary) = (format!("{folder}/{input}"), format!("{folder}/{input}.json"));
            let options = ["reduce", input, "-q", "-o", &out, "--json", &summary];
            let strategy = strategy.map_or(vec![], |name| vec!["--strategy", name]);
            let test = ["--", "grep", "-q", "17", input];
            place.lapidary(&[&options[..], &strategy, &test].concat()).ends_with(0);
        }
    }
    place
}

#[test]
fn the_page_of_a_run_does_not_replace_the_result_of_another() {
    let place = Place::with_numbers();
    fs::create_dir(place.path("runs")).unwrap();
    for out in ["runs/a", "runs/a.html"] {
        place.lapidary(&["reduce", "input.txt", "-q", "-o", out, "--", "grep", "-q", "17", "{}"]).ends_with(0);
    }
    let result = place.read("runs/a.html");
    place.lapidary(&["report", "runs", "--each"]).ends_with(2).complains(&["runs/a.html", "never overwritten"]);
    assert_eq!(place.read("runs/a.html"), result);
}

/// The rows of a table, as another reader of CSV sees them.
fn rows(place: &Place, file: &str) -> Vec<Value> {
    let program = "import csv, json, sys; print(json.dumps(list(csv.DictReader(open(sys.argv[1], newline='')))))";
    let output = Command::new("python3").args(["-c", program]).arg(place.path(file)).output().unwrap();
    let rows: Value = serde_json::from_slice(&output.stdout).unwrap();
    rows.as_array().unwrap().clone()
}

fn number(row: &Value, column: &str) -> f64 {
    row[column].as_str().unwrap().parse().unwrap_or_else(|_| panic!("{column} of {row}"))
}

fn ended<'a>(rows: &'a [Value], name: &str) -> &'a str {
    let row = rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no {name} in {rows:?}"));
    row["ended"].as_str().unwrap()
}

#[test]
fn the_table_has_the_numbers_of_the_journals() {
    let place = with_runs();
    let run = place.lapidary(&["report", "runs", "--csv", "runs.csv"]).ends_with(0).prints(&["4 runs: 4 done"]);
    assert!(!run.stdout.contains("page:") && !place.exists("runs/runs.html"), "only the table was wanted");
    let rows = rows(&place, "runs.csv");
    let names: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["old/a.txt", "old/b.txt", "usual/a.txt", "usual/b.txt"]);
    for row in &rows {
        let name = row["name"].as_str().unwrap();
        let summary = place.json(&format!("runs/{name}.json"));
        let wanted = |pointer: &str| summary.pointer(pointer).unwrap().as_f64().unwrap();
        assert_eq!(number(row, "bytes_before"), wanted("/bytes/before"));
        assert_eq!(number(row, "bytes_after"), wanted("/bytes/after"));
        assert_eq!(number(row, "tests"), wanted("/tests/search") + wanted("/tests/confirm"));
        assert_eq!(number(row, "interesting"), wanted("/tests/interesting"));
        assert_eq!(number(row, "cached"), wanted("/tests/cached"));
        assert_eq!(number(row, "left"), wanted("/bytes/after") / wanted("/bytes/before"));
        let strategy = if name.starts_with("old") { "ddmin" } else { "default" };
        assert_eq!(
            (&row["strategy"], &row["ended"], &row["command"]),
            (&json!(strategy), &json!("done"), &json!("reduce"))
        );
        let journal = place.read(&format!("runs/{name}{ENDING}"));
        let lines: Vec<Value> = journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let sum: f64 = lines
            .iter()
            .filter(|line| line.get("test").is_some_and(Value::is_u64))
            .map(|line| line["seconds"].as_f64().unwrap())
            .sum();
        assert!((number(row, "seconds_in_tests") - sum).abs() < 1e-6, "{row}");
        let done = lines.iter().find(|line| line["done"] == true).unwrap();
        assert_eq!(number(row, "seconds"), done["at"].as_f64().unwrap());
        assert_eq!(
            (&row["test"], &row["input"]),
            (&json!(format!("grep -q 17 {}", &name[name.len() - 5..])), &lines[0]["input"])
        );
    }
}

#[test]
fn the_page_sets_strategies_side_by_side() {
    let place = with_runs();
    place.lapidary(&["report", "runs"]).ends_with(0).prints(&["page: runs/runs.html"]);
    let page = place.read("runs/runs.html");
    for words in ["Cumulative frequencies", "2 pairs", "usual/a.txt", "the other strategy has"] {
        assert!(page.contains(words), "{words}");
    }
    let by_folder = |named: &[&str]| {
        place.lapidary(&[&["report", "-q", "--by", "folder", "-o", "page.html"], named].concat()).ends_with(0);
        place.read("page.html")
    };
    let page = by_folder(&["runs"]);
    assert!(page.contains("the other folder has, divided by what <code>old</code>"), "{page}");
    assert_eq!(page, by_folder(&["runs/usual", "runs/old"]), "two folders are like the folder that has both");
    assert_eq!(page, by_folder(&["runs", "runs/old/a.txt"]), "a run that is named twice is one run");
}

#[test]
fn several_journals_share_a_page_only_if_that_is_wanted() {
    let place = with_runs();
    let journals = ["runs/old/a.txt", "runs/old/b.txt"];
    let report = |options: &[&str]| place.lapidary(&[&["report"], options, &journals].concat());
    report(&["--out", "both.html"]).ends_with(0).prints(&["2 runs: 2 done", "page: both.html"]);
    assert!(place.read("both.html").contains("All runs") && !place.exists("runs/old/a.txt.html"));
    let table = report(&["--csv", "-"]).ends_with(0).stdout;
    assert_eq!((table.lines().count(), table.contains("page:")), (3, false), "nothing but the table");
    report(&[]).ends_with(0).prints(&["page: runs/old/a.txt.html", "page: runs/old/b.txt.html"]);
    assert!(place.read("runs/old/a.txt.html").contains("What was removed"));
}

#[test]
fn runs_have_pages_of_their_own_if_that_is_wanted() {
    let place = with_runs();
    place.lapidary(&["report", "runs", "--each", "-o", "page.html"]).ends_with(0);
    let page = place.read("page.html");
    for name in ["old/a.txt", "old/b.txt", "usual/a.txt", "usual/b.txt"] {
        assert!(page.contains(&format!("<a href=\"./runs/{name}.html\">")), "{page}");
        assert!(place.read(&format!("runs/{name}.html")).contains("What was removed"));
    }
}

/// A folder with everything that can be wrong with a journal, and two runs without fault.
fn with_problems() -> Place {
    let place = with_runs();
    fs::remove_dir_all(place.path("runs/old")).unwrap();
    let whole = place.read(&format!("runs/usual/a.txt{ENDING}"));
    let put = |name: &str, text: &str| drop(place.write(&format!("runs/{name}{ENDING}"), text));
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    put("damaged", &(lines[..5].concat() + "{\"test\":4,\n" + &lines[6..].concat()));
    put("cut", &(lines[..7].concat() + "{\"test\":9,\"key\""));
    put("stopped", &lines[..7].concat());
    put("begun", lines[0]);
    put("running", &lines[..7].concat());
    put("diary", "dear diary\n");
    put("empty", "");
    put("binary", "\0\u{fffd}\0");
    put("version", "{\"journal\":1}\n");
    put("later/version", "{\"journal\":3,\"lapidary\":\"9\"}\n");
    assert!(Command::new("mkfifo").arg(place.path(format!("runs/pipe{ENDING}"))).status().unwrap().success());
    symlink("/dev/zero", place.path(format!("runs/zero{ENDING}"))).unwrap();
    symlink("nowhere", place.path(format!("runs/dangling{ENDING}"))).unwrap();
    symlink("..", place.path("runs/loop")).unwrap();
    place
}

#[test]
fn journals_with_problems_are_listed_and_counted_and_spoil_nothing() {
    let place = with_problems();
    let held = fs::File::open(place.path(format!("runs/running{ENDING}"))).unwrap();
    held.lock().unwrap();
    let run: Run = place.lapidary(&["report", "runs", "--csv", "runs.csv", "--out", "page.html"]).ends_with(0);
    let run = run.prints(&["7 runs: 3 done, 3 stopped, 1 running"]);
    run.complains(&[
        "diary.journal.jsonl is not a journal",
        "its run has not begun",
        "version 1 of",
        "version 3 of",
        "pipe.journal.jsonl is not a file",
        "zero.journal.jsonl is not a file",
        "cannot read",
    ]);
    let rows = rows(&place, "runs.csv");
    let found: Vec<&str> = ["cut", "damaged", "stopped", "begun", "running"].map(|name| ended(&rows, name)).into();
    assert_eq!(found, ["stopped", "done", "stopped", "stopped", "running"]);
    for name in ["diary", "empty", "binary", "version", "later/version", "pipe", "zero", "dangling"] {
        assert_eq!(ended(&rows, name), "unreadable", "{name}");
    }
    assert_eq!(rows.len(), 15, "{rows:?}");
    let counting: Vec<&str> =
        rows.iter().filter(|row| row["counts"] == "yes").map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(counting, ["cut", "stopped", "usual/a.txt", "usual/b.txt"]);
    let page = place.read("page.html");
    for words in [
        "8 journals or folders cannot be read",
        "3 runs are in the table, but in no mean",
        "1 line of the journal cannot be read and is left out: 6.",
        "The last line of the journal is incomplete",
        "The run is still going on.",
        "The search has not begun.",
        "version 3 of the format",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
}

#[test]
fn a_folder_without_journals_is_an_error() {
    let place = Place::with_numbers();
    fs::create_dir_all(place.path("empty/deeper")).unwrap();
    place.lapidary(&["report", "empty"]).ends_with(2).complains(&["there is no journal in empty"]);
    assert!(!place.exists("empty/runs.html"));
    place.write("bad/x.journal.jsonl", "dear diary\n");
    place.lapidary(&["report", "bad"]).ends_with(2).complains(&["is not a journal", "no journal in bad can be read"]);
    place.lapidary(&["report", "nowhere", "--csv", "-"]).ends_with(2).complains(&["cannot read", "nowhere"]);
}

#[test]
fn a_journal_that_was_named_must_be_readable() {
    let place = with_runs();
    place.write("diary.jsonl", "dear diary\n");
    let report = ["report", "runs", "diary.jsonl", "-o", "page.html"];
    place.lapidary(&report).ends_with(2).complains(&["diary.jsonl is not a journal"]).prints(&["page: page.html"]);
}

#[test]
fn neither_page_nor_table_replaces_what_belongs_to_a_run() {
    let place = with_runs();
    let journal = format!("runs/old/a.txt{ENDING}");
    for target in [&*journal, "runs/usual/b.txt", "b.txt"] {
        let before = place.read(target);
        place.lapidary(&["report", "runs", "-o", target]).ends_with(2).complains(&["never overwritten"]);
        place.lapidary(&["report", "runs", "--csv", target]).ends_with(2).complains(&["never overwritten"]);
        assert_eq!(place.read(target), before);
    }
    place.lapidary(&["report", "runs", "-o", "no/where.html"]).ends_with(2).complains(&["no/where.html"]);
    place.lapidary(&["report", "runs", "--csv", "no/where.csv"]).ends_with(2).complains(&["no/where.csv"]);
    place.lapidary(&["report", "runs", "--csv", "x", "-o", "x"]).ends_with(2).complains(&["x"]);
}

#[test]
fn hostile_names_do_no_harm() {
    let place = with_runs();
    let hostile = "=HYPERLINK(\"x\"),<img src=x onerror=alert(1)>\n\u{202e}\x1b[2J";
    let journal = place.read(&format!("runs/usual/a.txt{ENDING}"));
    place.write(&format!("runs/{hostile}/{hostile}{ENDING}"), &journal);
    place.write(&format!("runs/@{hostile}{ENDING}"), format!("{hostile}\n"));
    let run = place.lapidary(&["report", "runs", "--each", "--csv", "runs.csv", "-o", "page.html"]).ends_with(0);
    assert!(!run.stderr.contains('\x1b') && !run.stdout.contains('\x1b'), "{run}");
    let table = place.read("runs.csv");
    assert!(!table.contains(['\x1b', '\u{202e}']));
    let rows = rows(&place, "runs.csv");
    assert_eq!(rows.len(), 6, "one row for each journal, whatever its name: {table}");
    let columns = ["name", "command", "strategy", "problem", "test", "input", "journal"];
    let texts = rows.iter().flat_map(|row| columns.map(|column| row[column].as_str().unwrap()));
    for text in texts {
        assert!(!text.starts_with(['=', '+', '-', '@']), "{text}");
    }
    let page = place.read("page.html");
    assert!(page.contains("&lt;img src=x") && !page.contains("<img"), "{page}");
}
