//! Runs the commands in README.md and docs, and compares their output with the pages.
//!
//! A fenced block whose first line begins with `$ ` is a session: commands, each with the output
//! that follows it. All sessions of a page run in one directory that holds a copy of `examples`.
//! Comments before a block change that:
//!
//!   <!-- not run: REASON -->    the block is not run
//!   <!-- run: COMMAND -->       COMMAND runs first, unseen by readers; $PAGES is the repository
//!   <!-- file: NAME -->         the block that follows is the content of a file
//!
//! `[...]` on a line of its own stands for any lines. Seconds are not compared, nor are counts that
//! depend on how busy the machine is, nor is the line about the sandbox. With LAPIDARY_BLESS=1, the
//! pages are rewritten with the output of the commands.

use crate::support;

use regex::Regex;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::Place;

/// A command of a page, with its place in the page.
struct Step {
    line: usize,
    command: String,
    /// The lines of output on the page. `None` if the command is hidden from readers.
    expected: Option<Range<usize>>,
}

enum Piece {
    Run(Step),
    File(String, String),
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

#[test]
fn the_readme_is_true() {
    check("README.md");
}

#[test]
fn the_guide_to_reducing_is_true() {
    check("docs/guide/reduce.md");
}

#[test]
fn the_guide_to_init_is_true() {
    check("docs/guide/init.md");
}

#[test]
fn the_guide_to_reducing_c_is_true() {
    check("docs/guide/reduce-c.md");
}

#[test]
fn the_guide_to_reducing_java_is_true() {
    check("docs/guide/reduce-java.md");
}

#[test]
fn the_guide_to_crashes_is_true() {
    check("docs/guide/crash.md");
}

#[test]
fn the_guide_to_bundles_is_true() {
    check("docs/guide/bundle.md");
}

#[test]
fn the_guide_to_slices_is_true() {
    check("docs/guide/slice.md");
    check("docs/concepts/slicing.md");
}

#[test]
fn the_guide_to_comparing_is_true() {
    check("docs/guide/compare.md");
}

#[test]
fn the_guide_to_exploring_is_true() {
    check("docs/guide/explore.md");
}

#[test]
fn the_guide_to_triage_is_true() {
    check("docs/guide/triage.md");
}

#[test]
fn the_guide_to_reports_is_true() {
    check("docs/guide/report.md");
}

#[test]
fn the_guide_to_clusters_is_true() {
    // The farm of the page has the address of one that runs.
    let address = lapidary_testkit::farm::shared().address();
    check_with("docs/guide/remote.md", &|command| command.replace("grpc://127.0.0.1:8980", address));
}

#[test]
fn the_pages_about_models_are_true() {
    check("docs/concepts/model.md");
    check("docs/concepts/java-model.md");
}

#[test]
fn no_page_with_commands_is_forgotten() {
    let source = include_str!("pages.rs");
    for folder in ["docs/guide", "docs/concepts", "docs/reference"] {
        for entry in fs::read_dir(root().join(folder)).unwrap().flatten() {
            let page = format!("{folder}/{}", entry.file_name().to_string_lossy());
            let text = fs::read_to_string(entry.path()).unwrap_or_default();
            let has_commands = text.contains("```\n$ ");
            assert!(!has_commands || source.contains(&format!("\"{page}\"")), "{page} is not checked");
        }
    }
}

/// Runs all commands of a page and compares their output with the page.
fn check(page: &str) {
    check_with(page, &str::to_owned);
}

/// Like [`check`], but runs what becomes of the commands.
fn check_with(page: &str, meant: &dyn Fn(&str) -> String) {
    let path = root().join(page);
    let text = fs::read_to_string(&path).expect("a page");
    let lines: Vec<&str> = text.lines().collect();
    let place = Place::new();
    copy(&root().join("examples"), &place.path("examples"));
    let (mut blessed, mut wrong) = (Vec::new(), Vec::new());
    for piece in pieces(&lines) {
        let step = match piece {
            Piece::File(name, content) => {
                fs::write(place.path(name), content).unwrap();
                continue;
            }
            Piece::Run(step) => step,
        };
        let printed = run(&place, &meant(&step.command));
        let Some(expected) = step.expected else { continue };
        let said = lines[expected.clone()].join("\n");
        if !matches(&said, &printed) {
            wrong.push(format!("{page}:{}: {}\n--- page\n{said}\n--- printed\n{printed}", step.line, step.command));
            blessed.push((expected, printed));
        }
    }
    if std::env::var_os("LAPIDARY_BLESS").is_some() {
        fs::write(&path, rewritten(&lines, blessed)).unwrap();
    } else {
        assert!(wrong.is_empty(), "{}\nLAPIDARY_BLESS=1 rewrites the page", wrong.join("\n\n"));
    }
}

fn rewritten(lines: &[&str], blessed: Vec<(Range<usize>, String)>) -> String {
    let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    for (range, printed) in blessed.into_iter().rev() {
        lines.splice(range, printed.lines().map(str::to_owned));
    }
    lines.join("\n") + "\n"
}

fn pieces(lines: &[&str]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut is_skipped, mut file) = (false, None);
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        if let Some(command) = comment(line, "run") {
            pieces.push(Piece::Run(Step { line: at + 1, command: command.to_owned(), expected: None }));
        } else if comment(line, "not run").is_some() {
            is_skipped = true;
        } else if let Some(name) = comment(line, "file") {
            file = Some(name.to_owned());
        } else if line.starts_with("```") {
            let end = (at + 1..lines.len()).find(|end| lines[*end].starts_with("```")).expect("the block is closed");
            if let Some(name) = file.take() {
                pieces.push(Piece::File(name, lines[at + 1..end].join("\n") + "\n"));
            } else if !is_skipped {
                pieces.extend(session(lines, at + 1..end).into_iter().map(Piece::Run));
            }
            is_skipped = false;
            at = end;
        }
        at += 1;
    }
    pieces
}

/// The commands of a block; none if it does not begin with one.
fn session(lines: &[&str], block: Range<usize>) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut at = block.start;
    while at < block.end {
        match (lines[at].strip_prefix("$ "), steps.last_mut()) {
            (Some(first), _) => {
                let (line, mut command) = (at + 1, first.to_owned());
                while command.ends_with('\\') && at + 1 < block.end {
                    at += 1;
                    command.truncate(command.len() - 1);
                    command.push_str(lines[at].trim_start());
                }
                steps.push(Step { line, command, expected: Some(at + 1..at + 1) });
            }
            (None, Some(Step { expected: Some(expected), .. })) => expected.end = at + 1,
            (None, _) => return Vec::new(),
        }
        at += 1;
    }
    steps
}

fn comment<'a>(line: &'a str, what: &str) -> Option<&'a str> {
    line.strip_prefix("<!-- ")?.strip_suffix(" -->")?.strip_prefix(what)?.strip_prefix(": ")
}

/// The output of a shell command on both streams, in the order of a terminal.
fn run(place: &Place, command: &str) -> String {
    let binaries = Path::new(env!("CARGO_BIN_EXE_lapidary")).parent().expect("a directory").to_owned();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(place.path(""))
        .env("PATH", format!("{}:{path}", binaries.display()))
        .env("TMPDIR", place.tmpdir())
        .env("PAGES", root())
        .output()
        .expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // Progress lines depend on time and are not on the pages.
    let progress = Regex::new(r" \| \d+ s( \||$)").expect("a pattern");
    let is_progress = |line: &str| progress.is_match(line);
    let is_fetching = |line: &str| line.starts_with("fetching ") && line.ends_with(" from Maven Central");
    // Whether there is a sandbox depends on the machine.
    let is_about_sandbox = |line: &str| line.contains(" in a sandbox") || line.contains(" without a sandbox");
    let is_hidden = |line: &str| is_progress(line) || is_fetching(line) || is_about_sandbox(line);
    let answer = text.lines().filter(|line| !is_hidden(line));
    answer.collect::<Vec<_>>().join("\n")
}

/// Whether the page has the printed output.
fn matches(said: &str, printed: &str) -> bool {
    let mut pattern = String::from("(?s)^");
    // Random testing finds more on a faster machine.
    let is_sure = |line: &&str| !line.starts_with("random   ");
    for line in said.trim_end().lines().filter(is_sure) {
        match line.trim() {
            "[...]" => pattern.push_str("(?:[^\n]*\n)*"),
            _ => pattern.push_str(&format!("{}[ \t]*\n", regex::escape(&without_chance(line.trim_end())))),
        }
    }
    pattern.push('$');
    let printed: String = printed.trim_end().lines().filter(is_sure).map(|line| without_chance(line) + "\n").collect();
    Regex::new(&pattern).expect("an escaped page").is_match(&printed)
}

/// A line without times, and without the number of tests, which depends on speculation.
fn without_chance(line: &str) -> String {
    let chance = [
        (r"\b\d+(\.\d+)? (ms|s)\b", "SECONDS"),
        (r"[\d,]+ tests? in SECONDS(, SECONDS of it before the search)?", "TESTS"),
        (r"\b[\d,]+ calls", "CALLS"),
        (r"random testing: \d+ of", "random testing: SOME of"),
    ];
    chance.iter().fold(line.to_owned(), |line, (pattern, with)| {
        Regex::new(pattern).expect("a pattern").replace_all(&line, *with).into_owned()
    })
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &target),
            false => _ = fs::copy(entry.path(), &target).unwrap(),
        }
    }
}
