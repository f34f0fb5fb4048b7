//! rustc: internal errors, errors with a code, warnings.

use super::row::{Recognised, Row};
use crate::init::draft::Setting;

/// `thread 'rustc' panicked at PLACE`, or `error: internal compiler error`. Lines are left out.
pub fn ice(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    let is_ice = row.seen.find(r"the compiler unexpectedly panicked|error: internal compiler error").is_some();
    if !is_ice {
        return Ok(None);
    }
    let what = row.failure("an internal error of rustc");
    let what = what.setting(Setting::new("RUSTC_ICE", "0", "No report file for each crash."));
    // Older compilers put the message before the place, newer ones on the next line.
    let message = row.seen.first_of(&[
        r"error: internal compiler error: [^\n]+",
        r"panicked at '(?P<keep>[^\n]+)', ",
        r"panicked at [^\n]+:\n(?P<keep>[^\n]+)",
    ]);
    let place = row.seen.find(r"panicked at (?:'[^\n]*', )?[^\n]*?((?:compiler|library)/[\w/.-]+\.rs):\d+");
    let place = place.map(|found| vec![found[1].to_owned()]);
    let texts: Vec<Vec<String>> = place.into_iter().chain(message).collect();
    let unexplained = vec!["the compiler unexpectedly panicked".to_owned()];
    let texts = if texts.is_empty() { vec![unexplained] } else { texts };
    texts.iter().fold(what, |failure, text| failure.text(text)).recognised()
}

/// `error[E0308]`: the code says which rule was broken, the message names things of the program.
pub fn error(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    if !row.call().is_tool(&["rustc"]) || row.seen.succeeded() {
        return Ok(None);
    }
    let found = row.seen.first_of(&[r"(?m)^error\[E\d{4}\]", r"(?m)^error: [^\n]+"]);
    let Some(message) = found else { return Ok(None) };
    row.failure("an error of rustc").same_code().text(&message).recognised()
}

/// The first warning.
pub fn warning(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    if !row.call().is_tool(&["rustc"]) || !row.seen.succeeded() {
        return Ok(None);
    }
    let found = row.seen.first_of(&[r"`?#\[warn\((?P<keep>[\w:]+)\)\]`?", r"(?m)^warning: [^\n]+"]);
    let Some(message) = found else { return Ok(None) };
    let chosen = format!("#[warn({})]", message.concat());
    let others = row.other_warnings(r"note: `(#\[warn\([\w:]+\)\])`", |name| name == chosen);
    let failure = row.failure("a warning of rustc").same_code().text(&message);
    others.iter().fold(failure, |failure, note| failure.note(note)).recognised()
}
