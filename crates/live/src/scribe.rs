//! A thread that makes the text of results, so that neither the run nor the view waits for it:
//! disassembling a jar or comparing it with the input may take a second.

use crate::classes::Classes;
use crate::diff::{self, Row, Tag};
use crate::document::Document;
use crate::keys::Pane;
use lapidary::FileTree;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A text to make.
#[derive(Clone)]
pub(crate) struct Wanted {
    pub pane: Pane,
    pub input: Arc<FileTree>,
    pub best: Arc<FileTree>,
}

impl Wanted {
    /// Whether both are the same text of the same result.
    pub(crate) fn is_same(&self, other: &Wanted) -> bool {
        self.pane == other.pane && Arc::ptr_eq(&self.best, &other.best)
    }
}

/// A text that was made.
pub(crate) struct Made {
    pub title: String,
    pub rows: Vec<Row>,
    /// When it was begun.
    pub at: Instant,
    pub took: Duration,
}

/// Makes one text after another on a thread of its own, which begins with the first and ends with
/// the scribe.
#[derive(Default)]
pub(crate) struct Scribe {
    desk: Option<Arc<Desk>>,
}

#[derive(Default)]
struct Desk {
    papers: Mutex<Papers>,
    changed: Condvar,
}

#[derive(Default)]
struct Papers {
    wanted: Option<Wanted>,
    made: Option<Made>,
    is_over: bool,
}

impl Scribe {
    /// Asks for a text, in place of one that was asked for and is not begun.
    pub(crate) fn ask(&mut self, wanted: Wanted) {
        let desk = self.desk.get_or_insert_with(begin);
        desk.papers().wanted = Some(wanted);
        desk.changed.notify_all();
    }

    /// The latest text that was made since the last call.
    pub(crate) fn made(&self) -> Option<Made> {
        self.desk.as_ref()?.papers().made.take()
    }
}

impl Drop for Scribe {
    /// The thread is told to end. Nobody waits for a text that it has begun.
    fn drop(&mut self) {
        if let Some(desk) = &self.desk {
            desk.papers().is_over = true;
            desk.changed.notify_all();
        }
    }
}

impl Desk {
    fn papers(&self) -> MutexGuard<'_, Papers> {
        // The thread holds no lock while it makes a text, which is where it could panic.
        self.papers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next text to make. `None` once the scribe is gone.
    fn next(&self) -> Option<Wanted> {
        let idle = |papers: &mut Papers| papers.wanted.is_none() && !papers.is_over;
        let mut papers = self.changed.wait_while(self.papers(), idle).unwrap_or_else(PoisonError::into_inner);
        if papers.is_over { None } else { papers.wanted.take() }
    }
}

/// Begins to work. If the system has no thread to spare, no text is made.
fn begin() -> Arc<Desk> {
    let desk = Arc::new(Desk::default());
    let at_work = Arc::clone(&desk);
    let work = move || {
        let mut classes = Classes::default();
        while let Some(wanted) = at_work.next() {
            let made = made(&wanted, &mut classes);
            classes.forget_unused();
            at_work.papers().made = Some(made);
        }
    };
    let _ = std::thread::Builder::new().name("text of the view".into()).spawn(work);
    desk
}

fn made(wanted: &Wanted, classes: &mut Classes) -> Made {
    let at = Instant::now();
    let rows = match wanted.pane {
        Pane::Text => {
            let lines = Document::with(&wanted.best, classes).lines;
            lines.into_iter().map(|line| Row::new(Tag::Plain, line)).collect()
        }
        Pane::Diff => diff::rows(&wanted.input, &wanted.best, classes),
    };
    let title = match wanted.pane {
        Pane::Text => format!("the best so far: {}", wanted.best.name()),
        Pane::Diff => format!("what was removed from {}", wanted.input.name()),
    };
    Made { title, rows, at, took: at.elapsed() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(pane: Pane, best: &str) -> Wanted {
        let [input, best] = ["a\nb\n", best].map(|text| Arc::new(FileTree::file("x", text)));
        Wanted { pane, input, best }
    }

    /// Waits for a text whose title begins like this; others may come before.
    fn await_title(scribe: &Scribe, title: &str) -> Made {
        loop {
            match scribe.made() {
                Some(made) if made.title.starts_with(title) => return made,
                _ => std::thread::yield_now(),
            }
        }
    }

    #[test]
    fn the_last_text_that_was_asked_for_is_made() {
        let mut scribe = Scribe::default();
        assert!(scribe.made().is_none(), "nothing was asked for");
        for number in 0..100 {
            scribe.ask(wanted(Pane::Text, &number.to_string()));
        }
        scribe.ask(wanted(Pane::Diff, "a\n"));
        let made = await_title(&scribe, "what was removed from x");
        assert_eq!(made.rows.last().unwrap(), &Row::new(Tag::Removed, "- b"));
        assert!(scribe.made().is_none(), "a text is handed out once");
        scribe.ask(wanted(Pane::Text, "a\n"));
        assert_eq!(await_title(&scribe, "the best so far: x").rows, [Row::new(Tag::Plain, "a")]);
    }

    #[test]
    fn a_scribe_that_is_gone_makes_nothing_more() {
        let mut scribe = Scribe::default();
        scribe.ask(wanted(Pane::Text, "a\n"));
        await_title(&scribe, "the best");
        let desk = Arc::clone(scribe.desk.as_ref().unwrap());
        drop(scribe);
        while Arc::strong_count(&desk) > 1 {
            std::thread::yield_now();
        }
        assert!(desk.next().is_none());
    }
}
