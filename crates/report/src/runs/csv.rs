//! The table of runs as CSV (RFC 4180), one line for each journal.
//!
//! Invariant: no text is a formula for a spreadsheet. A text whose first character that is no blank
//! is `=`, `+`, `-`, `@` or an apostrophe gets an apostrophe in front, so that a program gets the
//! text back by removing one leading apostrophe.

use super::{Run, Runs};
use crate::text;

const COLUMNS: [&str; 20] = [
    "name",
    "command",
    "strategy",
    "strategies",
    "bytes_before",
    "bytes_after",
    "left",
    "tests",
    "interesting",
    "unresolved",
    "timed_out",
    "cached",
    "seconds",
    "seconds_in_tests",
    "ended",
    "counts",
    "problem",
    "test",
    "input",
    "journal",
];

/// The table of all runs, and of the journals that cannot be read.
#[must_use]
pub fn table(runs: &Runs) -> String {
    let mut out = COLUMNS.join(",") + "\r\n";
    for run in &runs.runs {
        push_row(&mut out, &row(run));
    }
    for broken in &runs.unreadable {
        push_row(&mut out, &unreadable(&runs.name_of(broken), &broken.problem, &broken.path.to_string_lossy()));
    }
    out
}

fn row(run: &Run) -> [String; COLUMNS.len()] {
    let count = |number: u64| number.to_string();
    [
        guarded(&run.name),
        guarded(&run.command),
        guarded(&run.strategy),
        guarded(&run.strategies.join(" ")),
        count(run.bytes_before),
        count(run.bytes_after),
        run.left().map(|left| left.to_string()).unwrap_or_default(),
        count(run.tally.all()),
        count(run.tally.interesting),
        count(run.tally.unresolved),
        count(run.tally.timed_out),
        run.cached.map(count).unwrap_or_default(),
        run.seconds.to_string(),
        // A sum of many times has an error in its last digits.
        ((run.in_tests * 1e6).round() / 1e6).to_string(),
        run.ending.word().to_owned(),
        if run.counts() { "yes" } else { "no" }.to_owned(),
        guarded(&run.problems().join(" ")),
        guarded(&run.test),
        guarded(&run.input),
        guarded(&run.journal.to_string_lossy()),
    ]
}

fn unreadable(name: &str, problem: &str, path: &str) -> [String; COLUMNS.len()] {
    let mut row = [const { String::new() }; COLUMNS.len()];
    let set = [("name", guarded(name)), ("ended", "unreadable".to_owned()), ("counts", "no".to_owned())];
    for (column, value) in set.into_iter().chain([("problem", guarded(problem)), ("journal", guarded(path))]) {
        let place = COLUMNS.iter().position(|name| *name == column).expect("a column of the table");
        row[place] = value;
    }
    row
}

/// A text that is no formula, with control characters and marks of writing direction as escapes.
fn guarded(field: &str) -> String {
    let field = text::plain(field);
    // Some spreadsheets take the wide forms, too.
    let is_taken = |first: char| matches!(first, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠' | '\'');
    match field.trim_start().starts_with(is_taken) {
        true => format!("'{field}"),
        false => field.into_owned(),
    }
}

fn push_row(out: &mut String, fields: &[String]) {
    let quoted: Vec<String> = fields.iter().map(|field| quoted(field)).collect();
    out.push_str(&quoted.join(","));
    out.push_str("\r\n");
}

fn quoted(field: &str) -> String {
    match field.contains([',', '"', '\r', '\n']) || field.starts_with(' ') || field.ends_with(' ') {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::run::sample;
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be_and_never_formulas() {
        assert_eq!(quoted("plain text"), "plain text");
        assert_eq!(quoted("a,b \"c\""), "\"a,b \"\"c\"\"\"");
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "  =1", "＝1", "\n=cmd|'/c x'!A0"] {
            assert!(guarded(formula).starts_with('\''), "{formula:?}");
        }
        assert_eq!(guarded("'quoted'"), "''quoted'", "one apostrophe is always ours");
        assert_eq!(guarded("a=b-c"), "a=b-c");
        assert_eq!(guarded("a\u{202e}b\0"), "a\\u{202e}b\\u{0}");
    }

    #[test]
    fn a_run_is_a_line_with_the_numbers_of_its_journal() {
        let runs = Runs { runs: vec![sample("=a,b", 400, 100)], ..Runs::default() };
        let text = table(&runs);
        let lines: Vec<&str> = text.split("\r\n").collect();
        assert_eq!(lines[0].split(',').count(), COLUMNS.len());
        assert_eq!(
            lines[1],
            "\"'=a,b\",reduce,default,polish,400,100,0.25,3,1,0,0,4,1.5,1.25,done,yes,,./test {},key,\"=a,b.journal.jsonl\""
                .replace("\"=a,b.", "\"'=a,b.")
        );
        assert_eq!(lines[2], "");
    }
}
