//! Writes a draft as a script for POSIX shells, every line explained.

use super::call::Call;
use super::draft::Draft;
use lapidary_common::shell::quoted;

/// The text of the script.
pub fn write(draft: &Draft, call: &Call) -> String {
    with_exits(draft, call, |_| 1)
}

/// The script with another exit code for each paragraph, to find out which one ends it.
pub fn numbered(draft: &Draft, call: &Call) -> String {
    with_exits(draft, call, |number| FIRST_NUMBER + number)
}

/// The exit code of the first paragraph of a numbered script.
pub const FIRST_NUMBER: usize = 200;

fn with_exits(draft: &Draft, call: &Call, exit: impl Fn(usize) -> usize) -> String {
    let mut text = header(draft, call);
    if draft.paragraphs.iter().flat_map(|paragraph| &paragraph.lines).any(|line| line.contains("\"$input\"")) {
        text.push_str(&input(call));
    }
    for setting in &draft.settings {
        text.push_str(&format!("\n{}export {}={}\n", comment(&setting.why), setting.name, quoted(&setting.value)));
    }
    for (number, paragraph) in draft.paragraphs.iter().enumerate() {
        text.push_str(&format!("\n{}", comment(&paragraph.why)));
        let coded = |line: &String| line.replace("exit 1", &format!("exit {}", exit(number)));
        paragraph.lines.iter().for_each(|line| text.push_str(&format!("{}\n", coded(line))));
    }
    text + &ending(draft)
}

/// Reports print what the test says about the result, so it shows the failure.
fn ending(draft: &Draft) -> String {
    let compares = draft.paragraphs.iter().flat_map(|paragraph| &paragraph.lines).any(|line| line.contains("$other"));
    let shown = match compares {
        true => r#""$output" '--- and with the other command:' "$other""#,
        false => r#""$output""#,
    };
    format!("\n# All of this holds: the file still fails. Show it.\nprintf '%s\\n' {shown} | head -n 50\nexit 0\n")
}

fn header(draft: &Draft, call: &Call) -> String {
    let about = [
        "Says by its exit code whether a file still fails: 0 means yes, anything else no.".to_owned(),
        format!("It looks for {}, the preset {} of `lapidary init`.", draft.what, draft.preset),
        "The command that failed:".to_owned(),
    ];
    let about: String = about.iter().map(|line| comment(line)).collect();
    let reasons: String = call.reasons().iter().map(|why| comment(why)).collect();
    format!("#!/bin/sh\n{about}#     {}\n{reasons}", one_line(&call.typed()))
}

fn input(call: &Call) -> String {
    let about = "The file: the first argument, or without one the file of this name in the current directory.";
    format!("\n{}input={}\n[ $# -eq 0 ] || input=$1\n", comment(about), call.candidate())
}

/// The text as a comment, in lines of at most 100 columns.
fn comment(text: &str) -> String {
    const WIDTH: usize = 98;
    let text = one_line(text);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut().filter(|line| line.chars().count() + word.chars().count() < WIDTH) {
            Some(line) => line.extend([" ", word]),
            None => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| format!("# {line}\n")).collect()
}

/// The text without line ends and other characters that a comment must not hold.
fn one_line(text: &str) -> String {
    let is_control = |c: char| {
        c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|c| if is_control(c) { '?' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_never_reach_the_next_line() {
        let text = comment("one\nrm -rf x\r\u{202e}two");
        assert_eq!(text, "# one?rm -rf x??two\n");
        assert!(comment(&"word ".repeat(60)).lines().all(|line| line.starts_with("# ") && line.len() <= 100));
    }
}
