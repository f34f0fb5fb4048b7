//! Advice for a user whose test does not find the input interesting: the usual mistakes, recognised
//! by how the run ended and what it printed.

use crate::test::Ready;
use lapidary_predicate::{Ending, Observation};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// One sentence for each mistake that the run may have shown.
pub(crate) fn notes(test: &Ready<'_>, run: &Observation) -> Vec<String> {
    let mut notes = Vec::new();
    let command = test.command.as_deref().unwrap_or_default();
    if let [program, arguments @ ..] = command
        && !names_candidate(arguments)
        && reads_arguments(Path::new(program))
    {
        let program = program.display();
        notes.push(format!(
            "{program} reads its arguments but gets no {{}}, which stands for the candidate: {program} {{}}"
        ));
    }
    if let Some(memory) = test.memory.filter(|_| ran_out_of_memory(run)) {
        return vec![format!("the test may need more memory than --limit-memory {memory} allows")];
    }
    if test.is_remote {
        notes.extend(elsewhere(run));
        return notes;
    }
    for name in missing(test, run) {
        notes.push(format!("the test runs in a directory of its own, which has no `{name}`: use an absolute path"));
    }
    match run.ending {
        Ending::Exited(126 | 127) => {
            notes.push("the test runs in a directory of its own, so a shell command needs absolute paths".to_owned());
        }
        Ending::Exited(code) if test.asks_for_exit_code_0 && notes.is_empty() => notes.push(format!(
            "exit code 0 means \"still fails\"; if the test ends with {code} when it sees the failure, add --expect exit={code}"
        )),
        _ => {}
    }
    if test.is_sandboxed {
        notes
            .push("the test ran in a sandbox, without a network and your home directory: try --sandbox=off".to_owned());
    }
    notes
}

/// A file of this machine that a run on a farm may have lacked there.
fn elsewhere(run: &Observation) -> Vec<String> {
    let said = String::from_utf8_lossy(&run.stderr.head).into_owned();
    let mut notes = BTreeSet::new();
    for line in said.lines() {
        let words =
            || line.split(|c: char| c.is_whitespace() || "'\"`‘’:,;()[]".contains(c)).filter(|word| !word.is_empty());
        notes.extend(unknown_program(line).map(|program| {
            format!("the test ran on the farm, whose workers have no `{program}`: install it there, or choose others with --remote-property")
        }));
        let is_missing =
            ["No such file", "cannot open", "can't open", "not found"].iter().any(|sign| line.contains(sign));
        notes.extend(words().filter(|word| is_missing && word.len() > 1 && Path::new(word).is_file()).map(|file| {
            format!("the test ran on the farm, which has no `{file}`: name it in the arguments of the test, and it goes along")
        }));
    }
    if notes.is_empty() {
        notes.insert("the test ran on the farm: does it do the same without --remote?".to_owned());
    }
    notes.into_iter().collect()
}

/// The program that a shell does not find, as in `sh: 1: gcc: not found` and `bash: line 1: gcc:
/// command not found`. Other lines that end like this are about other things.
fn unknown_program(line: &str) -> Option<&str> {
    let before = line.strip_suffix(": command not found").or_else(|| line.strip_suffix(": not found"))?;
    let (_, program) = before.rsplit_once(": ")?;
    let is_name = !program.is_empty() && !program.contains(|c: char| c.is_whitespace() || "/'\"`".contains(c));
    is_name.then_some(program)
}

/// Whether a run looks as if it got too little memory.
fn ran_out_of_memory(run: &Observation) -> bool {
    const SIGNS: [&str; 8] = [
        "memory",
        "Memory",
        "bad_alloc",
        "failed to map segment",
        "mmap",
        "reserve enough space",
        "GC heap",
        "allocat",
    ];
    let said = [&run.stdout, &run.stderr].map(|output| String::from_utf8_lossy(&output.head).into_owned());
    let is_killed = !matches!(run.ending, Ending::Exited(0..=125) | Ending::TimedOut(_));
    is_killed || said.iter().any(|text| SIGNS.iter().any(|sign| text.contains(sign)))
}

/// Advice for a test that accepts even the smallest candidate.
pub(crate) fn too_weak(command: Option<&[OsString]>) -> String {
    let weak = "the test accepts even the smallest candidate";
    match command {
        Some([_, arguments @ ..]) if !names_candidate(arguments) => {
            format!("{weak}: it may be too weak, or ignore its input, which {{}} in its arguments stands for")
        }
        _ => format!("{weak}, so it seems to accept everything: it may be too weak or ignore its input"),
    }
}

fn names_candidate(arguments: &[OsString]) -> bool {
    arguments.iter().any(|argument| argument.to_string_lossy().contains("{}"))
}

/// Whether a program is a script that mentions its first argument.
fn reads_arguments(program: &Path) -> bool {
    const ENOUGH: u64 = 1 << 16;
    let mut script = Vec::new();
    let read = File::open(program).and_then(|file| file.take(ENOUGH).read_to_end(&mut script));
    let script = String::from_utf8_lossy(&script);
    let mentions = ["$1", "${1", "$@", "$*", "sys.argv", "ARGV", "process.argv"];
    read.is_ok() && script.starts_with("#!") && mentions.iter().any(|word| script.contains(word))
}

/// Files of the user's current directory that the test was given or complained about, by paths
/// that mean something else where it runs.
fn missing(test: &Ready<'_>, run: &Observation) -> BTreeSet<String> {
    let given = test.predicate.relative_arguments().into_iter().map(|argument| argument.to_string_lossy().into_owned());
    let said = String::from_utf8_lossy(&run.stderr.head).into_owned();
    let is_separator = |c: char| c.is_whitespace() || "'\"`:,;()[]".contains(c);
    let words = if said.contains("No such file") { said.as_str() } else { "" };
    let is_here = |word: &&str| {
        let path = Path::new(word);
        path.is_relative() && path.is_file() && path.components().count() > 0
    };
    given.chain(words.split(is_separator).filter(is_here).map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_names_the_program_that_it_does_not_find() {
        let cases = [
            ("sh: 1: gcc: not found", Some("gcc")),
            ("bash: line 1: gcc: command not found", Some("gcc")),
            ("/bin/sh: cc1plus: not found", Some("cc1plus")),
            ("error: symbol f not found", None),
            ("a.c:1: fatal error: header a.h: not found", None),
            ("./check: 2: ./tool: not found", None),
            ("not found", None),
        ];
        for (line, program) in cases {
            assert_eq!(unknown_program(line), program, "{line}");
        }
    }
}
