//! Java: crashes and errors of javac, crashes of the virtual machine, uncaught exceptions.

use super::row::{Recognised, Row};
use crate::init::draft::{Streams, limit};
use crate::init::seen::{Seen, pattern};

/// An exception inside javac, with the method that threw it.
pub fn compiler_crash(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    let is_crash =
        r"An exception has occurred in the compiler|The system is out of resources|com\.sun\.tools\.javac\.main";
    if !row.call().is_tool(&["javac"]) || row.seen.find(is_crash).is_none() {
        return Ok(None);
    }
    let thrown =
        pattern(r"(?m)^((?:[a-z]\w*\.)+[A-Z]\w*)[^\n]*\n\s+at (?:[\w.@-]+/)?([\w.$<>]+)\(").captures(&row.seen.output);
    let failure = row.failure("a crash of javac");
    let Some(thrown) = thrown else { return failure.same_code().recognised() };
    let exception = vec![thrown[1].to_owned()];
    // Where a stack overflows is a matter of chance.
    match thrown[1].ends_with("StackOverflowError") {
        true => failure.text(&exception).recognised(),
        false => failure.text(&exception).text(&[format!("{}(", &thrown[2])]).recognised(),
    }
}

/// The key of an error or a warning of javac, which does not depend on names in the program.
pub fn compiler_error(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    if !row.call().is_tool(&["javac"]) {
        return Ok(None);
    }
    let kind = if row.seen.succeeded() { "warn" } else { "err" };
    let Some(key) = raw_key(row.seen, kind)? else { return messages(row) };
    let what = format!("{} of javac", if kind == "err" { "an error" } else { "a warning" });
    let failure = row.failure(what).streams(Streams::Both).same_code().text(&key);
    let others = if row.seen.succeeded() { other_warnings(row) } else { None };
    let failure = others.iter().fold(failure, |failure, note| failure.note(note));
    failure.adding("-XDrawDiagnostics", "javac then prints the keys of its messages, without names").recognised()
}

/// A note about warnings of another category than the first one, which the key is of.
fn other_warnings(row: &Row<'_>) -> Option<String> {
    let first = row.seen.find(r"warning: (\[[\w-]+\])?")?.get(1).map_or("", |category| category.as_str());
    row.other_warnings(r"warning: (\[[\w-]+\])", |name| name == first)
}

/// The key that javac prints with raw diagnostics, and that of the reason inside the message.
fn raw_key(seen: &Seen<'_>, kind: &str) -> anyhow::Result<Option<Vec<String>>> {
    if !seen.call.is_direct() {
        return Ok(None);
    }
    let line = seen.call.with(&["-XDrawDiagnostics"], "").line();
    let limit = limit(seen.run.elapsed);
    let script = format!("#!/bin/sh\ninput={}\ntimeout {limit} {line} 2>&1\n", seen.call.candidate());
    let content = seen.lab.content(seen.call)?;
    let run = seen.lab.script(
        &script,
        &seen.call.name(),
        &content,
        seen.lab.timeout().max(std::time::Duration::from_secs(limit)),
    )?;
    let keys = pattern(&format!(r"(compiler\.{kind}\.[\w.-]+)(?:: (\(compiler\.misc\.[\w.-]+))?"));
    Ok(keys.captures(&run.stdout).map(|found| {
        let groups = found.iter().skip(1).flatten().map(|group| group.as_str().to_owned());
        groups.collect()
    }))
}

/// The message in words, where there is no key.
fn messages(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    let Some(message) = row.seen.first_of(&[r"(?:error|warning): [^\n]+"]) else { return Ok(None) };
    row.failure("a message of javac").same_code().text(&message).recognised()
}

/// A crash of the Java virtual machine, by the function that its report calls problematic.
pub fn machine_crash(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    if row.seen.find("A fatal error has been detected by the Java Runtime Environment").is_none() {
        return Ok(None);
    }
    let frame = row.seen.find(r"# Problematic frame:\s*\n# \w\s+(?:\[[^\]]*\]\s*)?([\w:~<>.$]+)");
    let kind = row.seen.find(r"# +(SIG\w+|EXCEPTION_\w+|Internal Error)").map(|found| vec![found[1].to_owned()]);
    let frame = frame.map(|found| vec![found[1].to_owned()]);
    let what = row.failure("a crash of the Java virtual machine").streams(Streams::Both);
    kind.into_iter().chain(frame).fold(what, |failure, text| failure.text(&text)).recognised()
}

/// An exception that ended a Java program.
pub fn exception(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    let thrown = row.seen.first_of(&[r"(?m)^Exception in thread [^\n]*"]);
    let Some(thrown) = thrown.filter(|_| !row.seen.succeeded()) else { return Ok(None) };
    row.failure("an uncaught Java exception").same_code().text(&thrown).recognised()
}
