//! Programs that end themselves or are ended: sanitizers, assertions, panics, signals.

use super::c_compiler;
use super::row::{Recognised, Row};
use crate::init::seen::pattern;

const ADVICE: &str = "where a C or C++ program itself crashes, `lapidary crash` needs no test and keeps the reason";

/// The finding of a sanitizer, and the function where it happened.
pub fn sanitizer(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    let found = row.seen.find(r"(\w+Sanitizer): ([a-zA-Z][\w-]*)|(runtime error: [^\n]+)");
    let Some(found) = found.filter(|_| !is_compiler(row)) else { return Ok(None) };
    let what = row.failure("a finding of a sanitizer").note(ADVICE);
    if let Some(undefined) = found.get(3) {
        return what.text(&row.seen.steady(undefined.as_str())).recognised();
    }
    let frame = pattern(r"(?m)^\s*#\d+ 0x[0-9a-f]+ in (\w[\w:~<>]*)");
    let mut functions = frame.captures_iter(&row.seen.output).map(|frame| frame[1].to_owned());
    let own = functions.find(|name| !name.starts_with("__") && !name.contains("interceptor"));
    let what = what.text(&[format!("{}: {}", &found[1], &found[2])]);
    own.into_iter().fold(what, |failure, name| failure.text(&[format!(" in {name}")])).recognised()
}

/// A failed assertion of C or C++, without its line.
pub fn assertion(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    let Some(message) = row.seen.first_of(&[r"(?m)^[^\n]*Assertion [`'][^\n]+' failed"]) else { return Ok(None) };
    row.failure("a failed assertion").text(&message).note(ADVICE).recognised()
}

/// A panic of a Rust or Go program, by its message.
pub fn panic(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    let message = row.seen.first_of(&[
        r"panicked at '(?P<keep>[^\n]+)', ",
        r"panicked at [^\n]+:\n(?P<keep>[^\n]+)",
        r"(?m)^(?P<keep>(?:panic|fatal error): [^\n]+)\n(?:[^\n]*\n)*?\n?goroutine ",
    ]);
    let Some(message) = message else { return Ok(None) };
    row.failure("a panic").same_code().text(&message).recognised()
}

/// Death by a signal, with the most telling line that was printed, if any.
pub fn signal(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    let code = row.seen.run.ending.shell_code().filter(|code| (129..=192).contains(code));
    if code.is_none() {
        return Ok(None);
    }
    let what = row.failure(format!("a command {}", ended(code.unwrap_or_default()))).same_code();
    row.seen.telling_line().into_iter().fold(what, |failure, line| failure.text(&line)).recognised()
}

fn ended(code: i32) -> String {
    lapidary_predicate::Ending::Signalled(code - 128).to_string()
}

/// Compilers talk about sanitizers without being watched by one.
fn is_compiler(row: &Row<'_>) -> bool {
    c_compiler::compiles(row.call()) && row.call().is_direct()
}
