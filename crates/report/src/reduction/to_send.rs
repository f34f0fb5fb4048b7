//! The page of a reduction for somebody else: what a bug tracker may show.
//!
//! Invariant: on it is nothing of the input but what is left of it, and neither the words of the
//! test nor a path of the machine. Numbers and names of stages tell the rest.

use super::crash::Crash;
use super::gathered::Gathered;
use super::sources::Sources;
use super::{head, kept, sizes};
use crate::page::{Notice, Page, Section};
use maud::html;

/// The page of the run that this journal is of, without what its owner may want to keep.
#[must_use]
pub fn page_to_send(run: &Gathered) -> Page {
    let mut page = head(run);
    if run.done.is_none() {
        page = page.notice(Notice::warning(html! { p { "The search had not come to its end." } }));
    }
    if let Some(listing) = Sources::of_result(run).result() {
        page = page.section(Section::new("result", "The result", listing));
    }
    if let Some(failure) = Crash::of_result(run).and_then(|crash| crash.result()) {
        page = page.section(failure);
    }
    page = page.section(Section::new("size", "Size", sizes::section(run)));
    if let Some(kept) = kept::without_words(run) {
        page = page.section(Section::new("left", "What is left", kept));
    }
    page = page.section(Section::new("tests", "Candidates", sizes::tests(run)));
    page.section(Section::new("without", "What this page leaves out", html! {
        p {
            "The original, what was removed from it, the words of the test, and the paths of the machine are not on this page. "
            "How to see the failure is in " code { "ISSUE.md" } ", beside it."
        }
    }))
}
