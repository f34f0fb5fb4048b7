//! Commands that do not end.

use super::row::{Recognised, Row};
use crate::init::draft::Paragraph;

/// A command that was still running when the time was over.
pub fn never_ends(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    if row.seen.run.ending.shell_code().is_some() {
        return Ok(None);
    }
    let limit = row.seen.lab.timeout().as_secs_f64().ceil().max(1.0) as u64;
    let mut draft = row.draft("a command that does not end");
    let line = format!("timeout {limit} {} >/dev/null 2>&1", row.call().line());
    draft.paragraphs.push(Paragraph::step(format!("Run the command for at most {limit} s."), vec![line]));
    let why = format!("It must still be running after {limit} s: that is exit code 124 of timeout.");
    draft.paragraphs.push(Paragraph::condition(why, "[ $? -eq 124 ] || exit 1".to_owned()));
    draft
        .notes
        .push(format!("each test that still hangs takes {limit} s; a smaller --timeout makes the reduction faster"));
    Ok(Some(Recognised::Draft(draft)))
}
