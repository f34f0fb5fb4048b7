//! Two commands whose outputs should be the same: wrong code of a compiler, or any two programs.

use super::row::{Other, Recognised, Row};
use super::{c_compiler, guard, text};
use crate::error::Error;
use crate::init::call::Call;
use crate::init::draft::{Draft, Paragraph, Streams};
use std::path::Path;

/// Two ways to compile a program, which then prints different things.
pub fn compiled(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    let call = row.call();
    let Some(other) = row.wishes.other.as_ref().filter(|_| makes_program(call)) else { return Ok(None) };
    let other = match other {
        Other::Flags(flags) => text::with_flags(call, flags),
        Other::Command(other) if makes_program(other) => other.clone(),
        Other::Command(_) => return Ok(None),
    };
    let mut draft = row.draft("wrong code: two ways to compile that differ in what the program does");
    let guard = guard::of(row, &other)?;
    let expected = guard.as_ref().map(|guard| guard.printed.clone());
    match guard {
        Some(guard) => draft.paragraphs.extend(guard.paragraphs),
        None => draft.notes.push(
            "the compiler takes neither warnings nor sanitizers, so nothing guards against undefined behaviour".into(),
        ),
    }
    draft.paragraphs.extend(built_and_run(row, &other, "other", "first", "Compile in the way to compare with."));
    let why = "The other way must give a program that ends in time.";
    let line = "case $other in *'[exit code 124]') exit 1 ;; *'[exit code '*) ;; *) exit 1 ;; esac";
    draft.paragraphs.push(Paragraph::condition(why, line.to_owned()));
    let trial = trial(row, &draft)?;
    if expected.is_some_and(|expected| expected == trial) {
        let why = "It must do what the watched program does.";
        draft.paragraphs.push(Paragraph::condition(why, "[ \"$other\" = \"$expected\" ] || exit 1".to_owned()));
    }
    draft.paragraphs.extend(built_and_run(row, call, "output", "second", "Compile with the command that is wrong."));
    draft.paragraphs.push(must_differ());
    Ok(Some(Recognised::Draft(draft)))
}

/// Puts the output of the draft's program into the variable `other`.
fn trial(row: &Row<'_>, draft: &Draft) -> anyhow::Result<String> {
    let lines: Vec<String> = draft.paragraphs.iter().flat_map(|paragraph| paragraph.lines.clone()).collect();
    let run = guard::run(row, row.call(), &format!("{}\nprintf '%s' \"$other\"", lines.join("\n")))?;
    Ok(run.stdout)
}

fn built_and_run(row: &Row<'_>, call: &Call, variable: &str, program: &str, why: &str) -> Vec<Paragraph> {
    let limit = row.limit();
    let build = call.without_output();
    let line = format!("timeout {limit} {} -o {program} >/dev/null 2>&1 || exit 1", build.line());
    let run = format!("./{program} </dev/null");
    vec![
        Paragraph::condition(why, line),
        Paragraph::run(variable, &run, Streams::Both, limit, &format!("Run it for at most {limit} s.")),
    ]
}

fn must_differ() -> Paragraph {
    let why = "What both print must differ, or their exit codes.";
    Paragraph::condition(why, "[ \"$output\" != \"$other\" ] || exit 1".to_owned())
}

/// Any two commands that should print the same.
pub fn commands(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    let Some(other) = row.wishes.other.as_ref().filter(|_| !row.wishes.wants_text()) else { return Ok(None) };
    let other = match other {
        Other::Flags(flags) => text::with_flags(row.call(), flags),
        Other::Command(other) => other.clone(),
    };
    let (mut draft, limit) = (row.draft("two commands with different output"), row.limit());
    if let Some(compile) = compilation(row, &other)
        && let Some(guard) = guard::of(row, &compile)?
    {
        draft.paragraphs.extend(guard.paragraphs);
    }
    let why = format!("Run the command to compare with for at most {limit} s. Keep its output and exit code.");
    draft.paragraphs.push(Paragraph::run("other", &other.line(), Streams::Stdout, limit, &why));
    let found = trial(row, &draft)?;
    let code = found.rsplit_once("[exit code ").and_then(|(_, code)| code.trim_end_matches(']').parse().ok());
    if code == Some(124) {
        let reason = "the command to compare with does not end".to_owned();
        return Err(Error::NotInteresting { explanation: format!("no script was written: {reason}"), reason }.into());
    }
    draft.paragraphs.extend(
        code.map(|code| Paragraph::exit_code("other", code, format!("Its exit code must be {code}, as it was."))),
    );
    let why = format!("Run the command for at most {limit} s. Keep its output and exit code.");
    draft.paragraphs.push(Paragraph::run("output", &row.call().line(), Streams::Stdout, limit, &why));
    draft.paragraphs.extend(
        row.seen
            .run
            .ending
            .shell_code()
            .map(|code| Paragraph::exit_code("output", code, format!("Its exit code must be {code}, as it was."))),
    );
    draft.paragraphs.push(must_differ());
    Ok(Some(Recognised::Draft(draft)))
}

/// Whether the command compiles C or C++ to a program.
fn makes_program(call: &Call) -> bool {
    let stops_early = |word: &str| matches!(word, "-c" | "-S" | "-E" | "-fsyntax-only" | "-shared");
    c_compiler::compiles(call) && call.is_direct() && !call.has_argument(stops_early)
}

/// The compilation inside one of the commands, for a guard: its compiler with the flags for headers
/// and language, on the input.
fn compilation(row: &Row<'_>, other: &Call) -> Option<Call> {
    let call = row.call();
    if !c_compiler::is_source(call) {
        return None;
    }
    let commands = other.simple_commands().into_iter().chain(call.simple_commands());
    let mut found = commands.filter(|words| c_compiler::COMPILERS.contains(&compiler_of(words).as_str()));
    let words = found.next()?;
    let matters =
        |word: &&String| ["-I", "-D", "-std", "-include", "-l", "-f"].iter().any(|start| word.starts_with(start));
    let mut line: Vec<String> = vec![words[0].clone()];
    line.extend(words[1..].iter().filter(matters).cloned());
    line.push(call.input().to_string_lossy().into_owned());
    let here = std::env::current_dir().ok()?;
    let program = row.seen.lab.program(&line).ok()?;
    Call::of(&line, &program, Some(call.input()), None, Path::new(&here)).ok()
}

fn compiler_of(words: &[String]) -> String {
    words.first().map_or_else(String::new, |word| crate::init::call::family(word))
}
