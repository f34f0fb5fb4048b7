//! Guards against undefined behaviour: a program that has it may print anything, so a difference
//! would prove nothing.

use super::row::Row;
use crate::error::Error;
use crate::init::call::Call;
use crate::init::draft::{Draft, Paragraph, Streams};
use crate::init::lab::Run;
use crate::init::script;
use anyhow::Context;

/// Warnings that mean undefined behaviour, or a program that is broken on the way to a smaller one.
const WARNINGS: [&str; 9] = [
    "uninitialized",
    "return-type",
    "implicit-function-declaration",
    "implicit-int",
    "int-conversion",
    "incompatible-pointer-types",
    "array-bounds",
    "format",
    "shift-count-overflow",
];

const SANITIZERS: &str = "-fsanitize=address,undefined";

/// How the program is compiled to be watched, and what it prints then.
pub struct Guard {
    pub paragraphs: Vec<Paragraph>,
    /// The output of the watched program, with its exit code.
    pub printed: String,
}

/// A guard for the program that `compile` makes: as many of its checks as the original passes.
pub fn of(row: &Row<'_>, compile: &Call) -> anyhow::Result<Option<Guard>> {
    let base = compile.without_output().without(|word| usize::from(word.starts_with("-O")));
    let accepted = |flags: &[&str]| -> anyhow::Result<bool> {
        let words = [&["-O1"], flags].concat();
        let line = format!("timeout {} {} -o guard", row.limit(), base.with(&words, "").line());
        Ok(run(row, compile, &line)?.ending.shell_code() == Some(0))
    };
    let warnings: Vec<String> = WARNINGS.iter().map(|name| format!("-Werror={name}")).collect();
    let warnings: Vec<&str> = warnings.iter().map(String::as_str).collect();
    let mut flags = Vec::new();
    match accepted(&warnings)? {
        true => flags = warnings,
        false => {
            for warning in warnings {
                if accepted(&[warning])? {
                    flags.push(warning);
                }
            }
        }
    }
    let is_watched = accepted(&[SANITIZERS, "-fno-sanitize-recover=all"])?;
    if is_watched {
        flags.extend([SANITIZERS, "-fno-sanitize-recover=all"]);
    }
    if flags.is_empty() {
        return Ok(None);
    }
    let paragraphs = paragraphs(row, &base.with(&[&["-O1"], flags.as_slice()].concat(), ""), is_watched);
    let printed = printed(row, compile, &paragraphs)?;
    if printed.contains("runtime error:") || printed.contains("Sanitizer") {
        return Err(undefined(&printed));
    }
    Ok(Some(Guard { paragraphs, printed }))
}

fn paragraphs(row: &Row<'_>, build: &Call, is_watched: bool) -> Vec<Paragraph> {
    let limit = row.limit();
    let why = "Undefined behaviour allows a program to print anything, so it must have none: compile it with \
               the warnings that tell, as errors, and with the sanitizers.";
    let build =
        Paragraph::condition(why, format!("timeout {limit} {} -o guard >/dev/null 2>&1 || exit 1", build.line()));
    let why = format!("Run that program for at most {limit} s.");
    let watched = Paragraph::run("expected", "./guard </dev/null", Streams::Both, limit, &why);
    let setting = "ASAN_OPTIONS=detect_leaks=0 ";
    let watched = Paragraph {
        lines: watched.lines.iter().map(|line| line.replace("{ timeout", &format!("{{ {setting}timeout"))).collect(),
        ..watched
    };
    let why = "It must end in time, and the sanitizers must find nothing. Leaks do not count.";
    let check = "case $expected in *'runtime error:'* | *Sanitizer* | *'[exit code 124]') exit 1 ;; *'[exit code '*) ;; *) exit 1 ;; esac";
    let mut paragraphs = vec![build, watched, Paragraph::condition(why, check.to_owned())];
    if !is_watched {
        paragraphs[1].why.push_str(" The sanitizers are not installed here.");
    }
    paragraphs
}

/// The output of the watched program.
fn printed(row: &Row<'_>, compile: &Call, paragraphs: &[Paragraph]) -> anyhow::Result<String> {
    let lines: Vec<String> = paragraphs[..2].iter().flat_map(|paragraph| paragraph.lines.clone()).collect();
    let run = run(row, compile, &format!("{}\nprintf '%s' \"$expected\"", lines.join("\n")))?;
    Ok(run.stdout)
}

/// Runs lines of a script on the input.
pub fn run(row: &Row<'_>, call: &Call, lines: &str) -> anyhow::Result<Run> {
    let mut draft = Draft::new(row.name, "a trial", call);
    draft.paragraphs.push(Paragraph::step("Trial.", vec![lines.to_owned()]));
    let text = script::write(&draft, call).replace("\nexit 0\n", "\n");
    let content = row.seen.lab.content(call).context("the input is gone")?;
    row.seen.lab.script(&text, &call.name(), &content, row.seen.lab.timeout() * 20)
}

fn undefined(printed: &str) -> anyhow::Error {
    let telling = printed.lines().find(|line| line.contains("runtime error:") || line.contains("Sanitizer"));
    let reason = format!("the program has undefined behaviour: {}", telling.unwrap_or_default().trim());
    let explanation = format!("no script was written: {reason}; its outputs may differ without a bug in the compiler");
    Error::NotInteresting { reason, explanation }.into()
}
