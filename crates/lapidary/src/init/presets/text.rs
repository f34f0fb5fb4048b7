//! Texts that the user names: in the output of a command, or in the assembly that a compiler writes.

use super::c_compiler;
use super::row::{Other, Recognised, Row};
use crate::init::call::Call;
use crate::init::draft::{Draft, Paragraph, Streams};

/// `--text` and `--without` on the output of any command.
pub fn asked_for(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    if !row.wishes.wants_text() {
        return Ok(None);
    }
    let mut draft = row.draft("a text in the output");
    let why = format!("Run the command for at most {} s. Keep all that it prints and its exit code.", row.limit());
    draft.paragraphs.push(Paragraph::run("output", &row.call().line(), Streams::Both, row.limit(), &why));
    finish(row, &mut draft);
    Ok(Some(Recognised::Draft(draft)))
}

/// `--text` and `--without` on assembly or other code that a compiler writes: an optimisation that is
/// missed.
pub fn in_assembly(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    let call = row.call();
    if !row.wishes.wants_text() || !writes_assembly(call) {
        return Ok(None);
    }
    let mut draft = row.draft("an optimisation that is missed");
    let why = format!("Compile for at most {} s, and keep the assembly and the exit code.", row.limit());
    draft.paragraphs.push(Paragraph::run("output", &printing(call).line(), Streams::Stdout, row.limit(), &why));
    finish(row, &mut draft);
    Ok(Some(Recognised::Draft(draft)))
}

/// The conditions that both rows share.
fn finish(row: &Row<'_>, draft: &mut Draft) {
    if let Some(code) = row.seen.run.ending.shell_code() {
        draft.paragraphs.push(Paragraph::exit_code(
            "output",
            code,
            format!("The exit code must be {code}, as it was."),
        ));
    }
    if let Some(regex) = &row.wishes.text {
        let why = format!("The text `{regex}` must be there, as an extended regular expression.");
        draft.paragraphs.push(Paragraph::matches("output", regex, why));
    }
    if let Some(regex) = &row.wishes.without {
        let why = format!("The text `{regex}` must not be there, as an extended regular expression.");
        draft.paragraphs.push(Paragraph::lacks("output", regex, why));
    }
    if let Some(other) = &row.wishes.other {
        the_other_differs(row, other, draft);
    }
}

/// The second command does not show what the first one does.
fn the_other_differs(row: &Row<'_>, other: &Other, draft: &mut Draft) {
    let limit = row.limit();
    let (call, streams) = match other {
        Other::Flags(flags) => (with_flags(row.call(), flags), Streams::Both),
        Other::Command(call) => (call.clone(), Streams::Both),
    };
    let is_assembly = writes_assembly(&call);
    let (call, streams) = if is_assembly { (printing(&call), Streams::Stdout) } else { (call, streams) };
    let why = format!("Run the command to compare with for at most {limit} s, in the same way.");
    draft.paragraphs.push(Paragraph::run("other", &call.line(), streams, limit, &why));
    let why = "The other command must succeed.";
    draft.paragraphs.push(Paragraph::exit_code("other", 0, why));
    if let Some(regex) = &row.wishes.text {
        draft.paragraphs.push(Paragraph::lacks("other", regex, format!("There, the text `{regex}` must not be.")));
    }
    if let Some(regex) = &row.wishes.without {
        draft.paragraphs.push(Paragraph::matches("other", regex, format!("There, the text `{regex}` must be.")));
    }
}

/// The command with these flags in place of its optimisation.
pub fn with_flags(call: &Call, flags: &[String]) -> Call {
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    call.without(|word| usize::from(word.starts_with("-O"))).with(&flags, "")
}

fn writes_assembly(call: &Call) -> bool {
    let writes =
        |word: &str| word == "-S" || word.contains("emit=asm") || word.contains("emit=llvm-ir") || word == "asm";
    let is_compiler = call.is_tool(&c_compiler::COMPILERS) || call.is_tool(&["rustc"]);
    is_compiler && call.is_direct() && call.has_argument(writes)
}

/// The command with its code on standard output.
fn printing(call: &Call) -> Call {
    call.without_output().with(&["-o", "-"], "")
}
