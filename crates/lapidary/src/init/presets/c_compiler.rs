//! Compilers of C and C++: gcc's internal errors, clang's crashes, errors and warnings.

use super::row::{Recognised, Row};
use crate::init::call::Call;
use crate::init::lab::Lab;
use crate::init::seen::pattern;

pub const COMPILERS: [&str; 6] = ["gcc", "g++", "cc", "c++", "clang", "clang++"];
const SOURCES: [&str; 10] = ["c", "i", "cc", "cpp", "cxx", "C", "ii", "h", "hpp", "m"];

/// Whether the command compiles C or C++.
pub fn compiles(call: &Call) -> bool {
    call.is_tool(&COMPILERS) && call.has_extension(&SOURCES)
}

/// Whether the file is C or C++.
pub fn is_source(call: &Call) -> bool {
    call.has_extension(&SOURCES)
}

/// The command with the directory of the input among those of its headers, if it includes files
/// from there: a candidate is elsewhere.
pub fn with_headers(call: Call, lab: &Lab) -> anyhow::Result<Call> {
    if !compiles(&call) || !call.is_direct() {
        return Ok(call);
    }
    let content = lab.content(&call)?;
    let text = String::from_utf8_lossy(&content);
    let directory = lab.directory_of(&call);
    let is_there = |name: &str| directory.join(name).is_file();
    let includes = pattern(r#"(?m)^\s*#\s*include\s*"([^"\n]+)""#);
    if !includes.captures_iter(&text).any(|found| is_there(&found[1])) {
        return Ok(call);
    }
    let path = directory.to_string_lossy().into_owned();
    Ok(call.with(&["-iquote", &path], "-iquote was added: the file includes headers from its own directory."))
}

/// `internal compiler error: in FUNCTION, at FILE:LINE`. The line is left out.
pub fn gcc_ice(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    let Some(message) = row.seen.first_of(&[r"internal compiler error: [^\n]*"]) else { return Ok(None) };
    if row.call().is_tool(&["rustc"]) {
        return Ok(None);
    }
    let mut failure = row.failure("an internal error of gcc");
    if is_bare(&message) {
        // A crash of the compiler has no place of its own: the pass and the innermost function do.
        for place in [row.seen.first_of(&[r"during \w+ pass: \w+"]), innermost_of_gcc(row)].into_iter().flatten() {
            failure = failure.text(&place);
        }
    }
    failure.text(&message).recognised()
}

fn is_bare(message: &[String]) -> bool {
    message.concat().len() < "internal compiler error: Segmentation fault signal terminated program cc1plus".len()
        && ["Segmentation fault", "Aborted", "Bus error"].iter().any(|signal| message.concat().contains(signal))
}

fn innermost_of_gcc(row: &Row<'_>) -> Option<Vec<String>> {
    const HANDLERS: [&str; 4] = ["crash_signal", "internal_error", "fancy_abort", "diagnostic"];
    let frames = pattern(r"(?m)^0x[0-9a-f]+ ([\w:~<>]+)");
    let mut names = frames.captures_iter(&row.seen.output).map(|found| found[1].to_owned());
    names.find(|name| !HANDLERS.iter().any(|handler| name.contains(handler))).map(|name| vec![name])
}

/// An assertion, an unreachable place, an error of the backend, or a stack dump.
pub fn clang_crash(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    let is_crash = row.seen.output.contains("PLEASE submit a bug report to")
        || row.seen.find(r"(?m)^(fatal error: error in backend|LLVM ERROR): ").is_some();
    if !is_crash {
        return Ok(None);
    }
    let named = row.seen.first_of(&[
        r"(?m)^[^\n]*Assertion [`'][^\n]+' failed\.",
        r"(?m)^(?P<keep>[^\n]+)\nUNREACHABLE executed",
        r"UNREACHABLE executed",
        r"error in backend: [^\n]+",
        r"LLVM ERROR: [^\n]+",
    ]);
    let message =
        named.or_else(|| innermost_of_clang(row)).unwrap_or_else(|| vec!["PLEASE submit a bug report".into()]);
    let failure = row.failure("a crash of clang").text(&message);
    let failure = match row.call().is_tool(&["clang", "clang++"]) {
        true => failure.adding("-fno-crash-diagnostics", "otherwise clang runs again after each crash, to write files"),
        false => failure,
    };
    failure.recognised()
}

fn innermost_of_clang(row: &Row<'_>) -> Option<Vec<String>> {
    const HANDLERS: [&str; 8] = [
        "PrintStackTrace",
        "RunSignalHandlers",
        "SignalHandler",
        "CrashRecovery",
        "CrashHandler",
        "__restore_rt",
        "raise",
        "abort",
    ];
    let frames = pattern(r"(?m)^\s*#\d+ 0x[0-9a-f]+ ([\w:~<>]+[^\n(]*)\(");
    let mut names = frames.captures_iter(&row.seen.output).map(|found| found[1].trim().to_owned());
    let name = names.find(|name| !HANDLERS.iter().any(|handler| name.contains(handler)))?;
    Some(vec![format!("{name}(")])
}

/// The first error message of a compiler of C or C++.
pub fn error(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    if !row.call().is_tool(&COMPILERS) || row.seen.succeeded() {
        return Ok(None);
    }
    let Some(message) = row.seen.first_of(&[r"\b(?:fatal )?error: [^\n]+"]) else { return Ok(None) };
    row.failure("an error message of the compiler").same_code().text(&message).recognised()
}

/// The first warning, by the name of its option if it has one.
pub fn warning(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    if !row.call().is_tool(&COMPILERS) || !row.seen.succeeded() {
        return Ok(None);
    }
    let found = row.seen.first_of(&[r"warning: [^\n]*(?P<keep>\[-W[\w+=-]+\])", r"warning: [^\n]+"]);
    let Some(message) = found else { return Ok(None) };
    let failure = row.failure("a warning of the compiler").same_code().text(&message);
    let others =
        row.other_warnings(r"warning: [^\n]*(\[-W[\w+=-]+\])", |name| message.iter().any(|piece| piece == name));
    others.iter().fold(failure, |failure, note| failure.note(note)).recognised()
}
