//! Runs a script before anybody gets it: it must say yes to the input, twice, and no to an empty one.

use super::call::Call;
use super::draft::Draft;
use super::lab::{Lab, Run};
use super::report::Proved;
use super::script;
use crate::error::Error;
use std::time::Duration;

/// Proves the script, or explains what is wrong with it.
pub fn of(text: &str, draft: &Draft, call: &Call, lab: &Lab) -> anyhow::Result<Proved> {
    let content = lab.content(call)?;
    let run = |content: &[u8]| lab.script(text, &call.name(), content, patience(lab));
    let first = run(&content)?;
    if code(&first) != 0 {
        return Err(wrong(failed_on_input(draft, call, lab, &content)?));
    }
    let second = run(&content)?;
    if code(&second) != 0 {
        let reason = "it said yes to the input once and no the second time: the failure does not happen in every run";
        return Err(wrong(format!("{reason}; test by hand with --any-of (see `lapidary reduce --help`)")));
    }
    let empty = run(b"")?;
    if code(&empty) == 0 {
        return Err(wrong(failed_on_empty(call)));
    }
    Ok(Proved { input: [code(&first), code(&second)], empty: code(&empty) })
}

/// No script takes longer, unless it hangs: each command in it has a limit of its own.
fn patience(lab: &Lab) -> Duration {
    Duration::from_secs(3600) + lab.timeout() * 10
}

fn code(run: &Run) -> i32 {
    run.ending.shell_code().unwrap_or(124)
}

fn wrong(reason: String) -> anyhow::Error {
    Error::NotInteresting { explanation: format!("no script was written: {reason}"), reason }.into()
}

/// The condition that does not hold in a fresh directory, although the command failed where it was
/// typed.
fn failed_on_input(draft: &Draft, call: &Call, lab: &Lab, content: &[u8]) -> anyhow::Result<String> {
    let traced =
        script::numbered(draft, call).replacen('\n', "\ntrap 'printf \"%s\\n\" \"$output\" | tail -n 12' EXIT\n", 1);
    let run = lab.script(&traced, &call.name(), content, patience(lab))?;
    let number = usize::try_from(code(&run)).unwrap_or_default().checked_sub(script::FIRST_NUMBER);
    let paragraph = number.and_then(|number| draft.paragraphs.get(number));
    let broken = paragraph.map_or("the script itself broke", |paragraph| &paragraph.why);
    let mut text = format!("in a fresh directory that holds only {}, this does not hold: {broken}", call.name());
    if let Some(printed) = run.last_lines() {
        text.push_str(&format!("\n--- output there\n{printed}"));
    }
    text.push_str(
        "\nnote: files that the command needs besides the input must be named in its arguments; a part of the output \
         that stays can be named with --text REGEX",
    );
    Ok(text)
}

fn failed_on_empty(call: &Call) -> String {
    format!(
        "an empty {} fails in the same way, so everything would be removed; name a text of the output that only \
         this failure has with --text REGEX, or another input with --input FILE",
        call.name()
    )
}
