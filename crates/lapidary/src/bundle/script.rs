//! `reproduce.sh`: a script for any POSIX shell that shows the failure and needs nothing of ours.
//!
//! It works in a directory of its own below TMPDIR: `run` holds a fresh copy of the input, `test`
//! the files of the test, and `stdout` and `stderr` what the command printed. The variable
//! REPRODUCE_IN names another directory, which is then kept.

mod call;
mod decompiler;
mod entered;
mod program;
mod test;

pub(crate) use call::of_call;
pub(crate) use decompiler::{DECOMPILE, of_decompiler};
pub(crate) use entered::{ENTERED, of_analysis};
pub(crate) use program::{Commands, of_program};
pub(crate) use test::{inexpressible, of_test};

use super::travel::{Piece, Placed};
use lapidary_common::shell::quoted;
use std::collections::BTreeMap;
use std::path::Path;

/// The knowledge that scripts of all kinds need.
pub(crate) struct Setting<'a> {
    /// The name of the input.
    pub name: &'a str,
    pub environment: &'a BTreeMap<String, String>,
    /// The files of the test.
    pub placed: &'a Placed,
}

/// A script that is being written.
pub(crate) struct Script {
    text: String,
}

impl Script {
    /// The beginning of every script. `about` says what it does, in one line.
    pub fn begin(setting: &Setting<'_>, about: &str) -> Script {
        let mut script = Script { text: String::new() };
        script.add("#!/bin/sh");
        script.add(&format!("# {}", super::plain::one_line(about)));
        script.add(PRELUDE);
        script.add(&format!("input=$work/run/{}", quoted(setting.name)));
        for (name, value) in setting.environment {
            script.add(&format!("{name}={}; export {name}", quoted(value)));
        }
        script.add(PREPARE);
        script.unpack(setting.placed);
        script
    }

    /// Adds lines.
    pub fn add(&mut self, lines: &str) {
        self.text.push_str(lines);
        if !lines.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// Copies the files of the test to where they are used, and fills in where that is.
    fn unpack(&mut self, placed: &Placed) {
        if placed.entries.is_empty() {
            return;
        }
        self.add("# The files of the test. @TEST@ in scripts stands for their directory.");
        self.add("cp -R \"$here/test\" \"$work/test\" || exit 2");
        if !placed.marked.is_empty() {
            self.add("escaped=$(printf '%s\\n' \"$work/test\" | sed 's/[\\\\&|]/\\\\&/g')");
        }
        for path in &placed.marked {
            let file = quoted(&path.to_string_lossy());
            self.add(&format!("sed \"s|@TEST@|$escaped|g\" \"$here/test\"/{file} >\"$work/test\"/{file}"));
        }
        for (path, entry) in &placed.entries {
            if matches!(entry, lapidary_reduce::Entry::File { executable: true, .. }) {
                self.add(&format!("chmod +x \"$work/test\"/{}", quoted(&path.to_string_lossy())));
            }
        }
    }

    /// Ends the script: it makes up to so many attempts, shows the output of the last one, and says
    /// how it went.
    pub fn finish(mut self, attempts: u32, every_one: bool) -> String {
        match (attempts, every_one) {
            (0 | 1, _) => self.add("attempt"),
            (count, true) => self.add(&format!(
                "# All of {count} runs must fail.\ntries=0\nwhile attempt && tries=$((tries + 1)) && [ \"$tries\" -lt {count} ]; do :; done"
            )),
            (count, false) => self.add(&format!(
                "# It need not fail every time.\ntries=1\nuntil attempt || [ \"$tries\" -ge {count} ]; do tries=$((tries + 1)); done"
            )),
        }
        self.add(VERDICT);
        self.text
    }
}

const PRELUDE: &str = r#"# Prints the output of the failing command and "reproduced", and ends with 0;
# or prints "not reproduced: ..." and ends with 1. If it cannot begin, it ends with 2.
# Needs a POSIX shell and the tools that versions.txt lists.

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 2
work=${REPRODUCE_IN:-${TMPDIR:-/tmp}/reproduce.$$}
(umask 077 && mkdir "$work") || exit 2
work=$(CDPATH='' cd -- "$work" && pwd) || exit 2
[ -n "${REPRODUCE_IN:-}" ] || trap 'cd /; rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
not_reproduced() { printf '%s\n' "$1" >"$work/why"; printf 'not reproduced: %s\n' "$1"; exit 1; }
need() { command -v "$1" >/dev/null 2>&1 || not_reproduced "there is no $1 here"; }
# Prints a file, and ends its last line.
show() {
    [ -s "$1" ] || return 0
    cat "$1"
    [ $(tail -c 1 "$1" | wc -l) -eq 1 ] || echo
}
"#;

const PREPARE: &str = r#"# Every run begins with a fresh copy of the input in a directory of its own.
prepare() {
    rm -rf "$work/run" "$work/tmp"
    mkdir "$work/run" "$work/tmp" && cp -R "$here/input/." "$work/run/" || exit 2
    TMPDIR=$work/tmp; export TMPDIR
}
"#;

const VERDICT: &str = r#"
printf '%s\n' "${status:-}" >"$work/status"
show "$work/stdout"
show "$work/stderr" >&2
[ -z "$why" ] || not_reproduced "$why"
echo reproduced
"#;

/// A line that limits how long what follows may take, where the machine can do that.
pub(crate) fn time_limit(seconds: f64) -> String {
    let seconds = (seconds.ceil() as u64).max(1);
    format!("limit=; if command -v timeout >/dev/null 2>&1; then limit='timeout {seconds}'; fi")
}

/// How long a run may take unless the user has said so.
pub(crate) const PATIENCE: f64 = 300.0;

/// A line that asks for a condition, or gives the reason why there is no failure.
pub(crate) fn unless(condition: &str, why: &str) -> String {
    format!("    {condition} || {{ why={why}; return 1; }}")
}

/// A text as part of a shell's double-quoted word is hard to get right, so it is quoted singly.
pub(crate) fn reason(text: &str) -> String {
    quoted(&super::plain::one_line(text))
}

/// The words of a command for the shell.
pub(crate) fn words(pieces: &[Vec<Piece>]) -> String {
    pieces.iter().map(|word| self::word(word)).collect::<Vec<_>>().join(" ")
}

/// One word for the shell.
pub(crate) fn word(pieces: &[Piece]) -> String {
    let part = |piece: &Piece| match piece {
        Piece::Text(text) if text.is_empty() && pieces.len() > 1 => String::new(),
        Piece::Text(text) => quoted(text),
        Piece::Input => "\"$input\"".to_owned(),
        Piece::File(path) => in_test(path),
    };
    pieces.iter().map(part).collect()
}

/// A file of the test, for the shell.
pub(crate) fn in_test(path: &Path) -> String {
    match path.as_os_str().is_empty() {
        true => "\"$work/test\"".to_owned(),
        false => format!("\"$work/test\"/{}", quoted(&path.to_string_lossy())),
    }
}

#[cfg(test)]
mod tests {
    use super::super::travel::Travellers;
    use super::*;
    use std::fs;
    use std::process::Command;

    /// The output of a script that shows its input, with a variable set.
    fn printed(input: &str, name: &str, value: &str) -> String {
        let place = tempfile::tempdir().unwrap();
        let placed = Travellers::new("in.txt").placed();
        let setting = Setting { name: "in.txt", environment: &BTreeMap::new(), placed: &placed };
        let mut script = Script::begin(&setting, "Reads the input.");
        script.add("attempt() {\n    prepare\n    why=");
        script.add("    (cd \"$work/run\" && cat \"$input\") >\"$work/stdout\" 2>\"$work/stderr\" || why=fails\n}");
        fs::create_dir_all(place.path().join("bundle/input")).unwrap();
        fs::write(place.path().join("bundle/input/in.txt"), input).unwrap();
        fs::write(place.path().join("bundle/reproduce.sh"), script.finish(1, true)).unwrap();
        let mut command = Command::new("sh");
        command.arg("bundle/reproduce.sh").current_dir(place.path()).env(name, value);
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    }

    #[test]
    fn the_directory_of_the_run_may_be_relative() {
        assert_eq!(printed("text\n", "REPRODUCE_IN", "kept"), "text\nreproduced\n");
        assert_eq!(printed("text\n", "TMPDIR", "."), "text\nreproduced\n");
    }

    #[test]
    fn the_verdict_has_a_line_of_its_own() {
        for (input, expected) in [("a", "a\nreproduced\n"), ("a\n\n", "a\n\nreproduced\n"), ("", "reproduced\n")] {
            assert_eq!(printed(input, "TMPDIR", "/tmp"), expected);
        }
    }
}
