//! `output.txt`: what the failing command prints on the input, bounded and made harmless.

use super::check::{Shown, Tried};
use super::plain::{bounded, harmless, without_home};

/// The most bytes of a stream in the file.
const LONGEST: usize = 64 << 10;

/// One stream of the failing command, fit for others to read.
pub(crate) fn stream(bytes: &[u8], tried: &Tried, most: usize) -> String {
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    for place in &tried.places {
        let place = place.to_string_lossy();
        text = text.replace(&format!("{place}/"), "").replace(&*place, ".");
    }
    bounded(&without_home(&harmless(&text)), most)
}

/// The text of the file.
pub(crate) fn text(tried: &Tried) -> String {
    let mut text = match &tried.shown {
        Shown::Reproduced => "The failure was seen once more when this was packed.\n".to_owned(),
        Shown::OnlyHere(_) => "The failure was seen once more on the machine where this was packed.\n".to_owned(),
        Shown::NotReproduced(why) => format!("When this was packed, the failure was not seen again: {why}\n"),
        Shown::NotRun(why) => return format!("Nothing was run when this was packed: {why}\n"),
    };
    if !tried.status.is_empty() {
        text.push_str(&format!("exit code: {}\n", harmless(&tried.status)));
    }
    for (name, bytes) in [("standard output", &tried.stdout), ("standard error", &tried.stderr)] {
        let shown = stream(bytes, tried, LONGEST);
        let end = if shown.is_empty() || shown.ends_with('\n') { "" } else { "\n" };
        text.push_str(&format!("--- {name}\n{shown}{end}"));
    }
    text
}
