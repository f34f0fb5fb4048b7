//! Pages in a real browser: `tests/browser/check.py` opens each in a headless Chromium.

use lapidary_logic::{Var, VarSet};
use lapidary_reduce::journal::{Of, OutputRecord};
use lapidary_reduce::{Event, Header, Item, Journal, Judgment, Keeper, Key, StageEnd, StageInfo, Verdict};
use lapidary_report::reduction::{self, Gathered};
use lapidary_report::runs::Runs;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const HOSTILE: &str =
    "</script><script>document.title='harmed'</script><img src=x onerror=\"document.title='harmed'\">\u{202e}\0\x1b[2J";

/// Checks pages, each described as `check.py` wants it.
fn check(directory: &Path, pages: &[Value]) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/check.py");
    let mut command = Command::new("python3");
    command.arg(script).env("PYTHONDONTWRITEBYTECODE", "1");
    for (number, page) in pages.iter().enumerate() {
        let path = directory.join(format!("{number}.json"));
        fs::write(&path, page.to_string()).unwrap();
        command.arg(path);
    }
    let output = command.output().expect("python3; scripts/setup installs it");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
}

/// A journal of one stage with 20 items, of which every second is removed, one by one.
fn journal(directory: &Path, label: impl Fn(usize) -> String) -> PathBuf {
    let result = directory.join("result.c");
    let input = directory.join("input.c");
    let lines: Vec<String> = (0..20).map(|number| format!("int x{number}; // {}", label(number))).collect();
    let mut original = lines.join("\n").into_bytes();
    original.extend(b"\xff\xfe\n");
    original.extend("y".repeat(10_000_000).bytes());
    fs::write(&input, original).unwrap();
    fs::write(&result, lines.iter().step_by(2).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let path = directory.join("result.c.journal.jsonl");
    let header = Header::new(Key([1; 32]), vec![label(0)]).describing(label(1), vec![label(2)]).of("reduce", &[input]);
    let mut journal = Journal::create(&path, &header).unwrap();
    journal.output(&OutputRecord::new(Of::Input, label(3), label(4).as_bytes(), &[0xff; 40_000])).unwrap();
    let item = |number: usize| {
        Item::new(label(number), if number.is_multiple_of(3) { "function" } else { "line" }).costing(50)
    };
    let items: Vec<Item> = (0..20).map(item).collect();
    let info = StageInfo { round: 1, name: &label(5), strategy: "polish", items: &items, clauses: 3, bytes: 1000 };
    journal.stage(&info).unwrap();
    let start = VarSet::full(20);
    let mut keep = start.clone();
    for number in 0..20u64 {
        let var = Var::new(number as usize);
        let is_good = number % 2 == 1;
        let mut candidate = keep.clone();
        candidate.remove(var);
        if is_good {
            keep.remove(var);
        }
        let verdict = if is_good { Verdict::Interesting } else { Verdict::Uninteresting };
        let elapsed = Duration::from_millis(number * number + 1);
        let judgment = Judgment { elapsed, ..Judgment::new(verdict, label(6)) };
        journal
            .test(&Event {
                number: number + 1,
                stage: "x",
                key: Key([number as u8; 32]),
                judgment: &judgment,
                bytes: 50 * candidate.len() as u64,
                keep: &candidate,
                start: &start,
                improved: is_good,
                replayed: false,
                waited: Duration::ZERO,
            })
            .unwrap();
    }
    let clause = |vars: &[usize]| Some(Keeper::Clause(vars.iter().copied().map(Var::new).collect()));
    let mut keepers = vec![None; 20];
    keepers[0] = Some(Keeper::Test { reason: label(9).into(), with: 1 });
    keepers[2] = clause(&[0]);
    keepers[4] = clause(&[0, 2, 6, 8]);
    keepers[6] = clause(&[]);
    let (name, kept) = (label(5), &keep);
    let end = StageEnd { round: 1, name: &name, items: &items, start: &start, kept, keepers: &keepers };
    journal.stage_ended(&end).unwrap();
    journal.done(500, 7).unwrap();
    journal.output(&OutputRecord::new(Of::Result, label(7), label(8).as_bytes(), b"")).unwrap();
    path
}

#[test]
fn a_result_of_a_flaky_test_is_no_good_news() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let mut journal = Journal::create(&path, &Header::new(Key([1; 32]), Vec::new())).unwrap();
    let page = || reduction::page(&Gathered::read(&path).unwrap()).render();
    let mut again = OutputRecord::new(Of::Result, "exit code 1", b"", b"");
    journal.done(500, 7).unwrap();
    journal.output(&again).unwrap();
    assert!(page().contains("notice good"));
    again.is_uninteresting = true;
    journal.output(&again).unwrap();
    assert!(page().contains("The test is flaky") && !page().contains("notice good"));
}

/// The content that the charts of such a journal must have.
fn wanted(page: &Path, search: Value) -> Value {
    let steps = (0..20u64).filter(|number| number % 2 == 1).map(|number| json!([number + 1, 1000 - 25 * (number + 1)]));
    let curve: Vec<Value> = [json!([0, 1000])].into_iter().chain(steps).chain([json!([20, 500])]).collect();
    json!({ "page": page, "title": "input.c", "curve": curve, "tests": 20, "search": search })
}

#[test]
fn pages_of_reductions_work_in_a_browser_and_hostile_names_do_no_harm() {
    let directory = tempfile::tempdir().unwrap();
    let mut pages = Vec::new();
    for (name, hostile) in [("plain", ""), ("hostile", HOSTILE)] {
        let place = directory.path().join(name);
        fs::create_dir(&place).unwrap();
        let journal = journal(&place, |number| format!("name{number} {hostile}"));
        let page = place.join("page.html");
        reduction::page(&Gathered::read(&journal).unwrap()).write(&page).unwrap();
        let length = fs::metadata(&page).unwrap().len();
        assert!(length < 400_000, "{length} bytes for twenty items");
        let text = fs::read_to_string(&page).unwrap();
        for because in [
            "without it and 1 other item, the test says",
            " is not valid without it",
            " are not valid together without it",
            "it must stay in any case",
        ] {
            assert!(text.contains(because), "{because}");
        }
        pages.push(wanted(&page, json!([["removed", "name13", 1], ["left", "name1", 5], ["left", "nothing", 0]])));
    }
    check(directory.path(), &pages);
}

/// A run with this name below a folder: 10 tests, of which the last one finds the best result.
fn small_run(folder: &Path, name: &str, strategy: &'static str, input: u8, bytes_after: u64) -> PathBuf {
    let path = folder.join(format!("{name}.journal.jsonl"));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let run = vec![format!("--strategy {strategy}")];
    let header = Header::new(Key([input; 32]), run).describing("./test {}".to_owned(), Vec::new()).of("reduce", &[]);
    let mut journal = Journal::create(&path, &header).unwrap();
    let items = [Item::new("item", "line")];
    journal.stage(&StageInfo { round: 1, name: "lines", strategy, items: &items, clauses: 0, bytes: 1000 }).unwrap();
    let all = VarSet::full(1);
    for number in 1..=10 {
        let is_last = number == 10;
        let verdict = if is_last { Verdict::Interesting } else { Verdict::Uninteresting };
        let event = Event {
            number,
            stage: "lines",
            key: Key([number as u8; 32]),
            judgment: &Judgment { elapsed: Duration::from_millis(5), ..Judgment::new(verdict, "exit code") },
            bytes: if is_last { bytes_after } else { 900 },
            keep: &all,
            start: &all,
            improved: is_last,
            replayed: false,
            waited: Duration::ZERO,
        };
        journal.test(&event).unwrap();
    }
    journal.done(bytes_after, 3).unwrap();
    path
}

#[test]
fn the_page_of_many_runs_works_in_a_browser_and_hostile_names_do_no_harm() {
    let directory = tempfile::tempdir().unwrap();
    let hostile = HOSTILE.replace(['/', '\0'], "");
    let mut pages = Vec::new();
    for (folder, strategy) in [("plain", "ddmin"), (&*hostile, HOSTILE)] {
        let root = directory.path().join(folder);
        for number in 0..30 {
            let name =
                if folder == "plain" { format!("case{number}") } else { format!("{hostile}{number}/case{number}") };
            small_run(&root, &name, strategy, number, 100 + u64::from(number));
            small_run(&root, &format!("{name}.gbr"), "gbr", number, 50 + u64::from(number));
        }
        fs::write(root.join("foreign.journal.jsonl"), &hostile).unwrap();
        let damaged = small_run(&root, "damaged", HOSTILE, 200, 10);
        fs::write(&damaged, fs::read_to_string(&damaged).unwrap().replacen("exit code", HOSTILE, 1)).unwrap();
        let page = directory.path().join(format!("{}.html", pages.len()));
        let runs = Runs::read(&[root]);
        assert_eq!((runs.runs.len(), runs.unreadable.len()), (61, 1));
        let own_pages = BTreeMap::from([(runs.runs[0].journal.clone(), "./own.html".to_owned())]);
        runs.page(None, &own_pages).write(&page).unwrap();
        let length = fs::metadata(&page).unwrap().len();
        assert!(length < 400_000, "{length} bytes for sixty runs");
        let search = json!([["runs", "case13", 2], ["runs", "gbr case13", 1], ["pairs", "case13", 1]]);
        let mut wanted = json!({ "page": page, "title": shown_title(folder), "search": search });
        if folder == "plain" {
            wanted["steps"] = curves();
        }
        pages.push(wanted);
    }
    check(directory.path(), &pages);
}

/// The values that the curves of the plain runs must have: each of the 30 runs of a strategy leaves
/// one byte more than the one before, and the run called `damaged` leaves ten bytes.
fn curves() -> Value {
    let of = |first: u64| -> Vec<Value> {
        (0..30).map(|number| json!([(first + number) as f64 / 1000.0, (number + 1) as f64 / 30.0])).collect()
    };
    json!([
        ["Runs by share left", "gbr", of(50)],
        ["Runs by share left", "ddmin", of(100)],
        ["Runs by candidates judged", "gbr", [[10, 1]]]
    ])
}

/// A title as a page shows it: what would be obeyed is a sign.
fn shown_title(title: &str) -> String {
    title.replace('\u{202e}', "U+202E").replace('\x1b', "U+001B")
}

#[test]
fn a_journal_of_a_run_that_was_stopped_or_has_only_begun_has_a_page() {
    let directory = tempfile::tempdir().unwrap();
    let path = journal(directory.path(), |number| format!("name{number}"));
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let page = |text: &str| {
        fs::write(&path, text).unwrap();
        reduction::page(&Gathered::read(&path).unwrap()).render()
    };
    assert!(page(lines[0]).contains("The search has not begun."));
    let half = page(&lines[..10].concat());
    assert!(half.contains("stopped before the search came to its end") && half.contains("data-name=\"best\""));
    let damaged = page(&(lines[..8].concat() + "nonsense\n" + &lines[9..].concat() + "{\"do"));
    assert!(damaged.contains("1 line of the journal cannot be read and is left out: 9."), "the line is named");
    assert!(damaged.contains("The last line of the journal is incomplete"));
    let held = fs::File::open(&path).unwrap();
    held.lock().unwrap();
    assert!(page(&lines[..9].concat()).contains("still going on"));
}
