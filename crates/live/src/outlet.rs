//! Everything that is printed while a view is up goes through here. A live line is cleared before
//! other text is printed, and text is held back while the screen belongs to the view.
//!
//! While a view is up, nobody waits long for the terminal: text that it does not take is in the
//! backlog, and no frame is drawn until the one before has been taken. Without a view, printing
//! waits as it does in every program, and so does printing on what is no terminal, but never with
//! the lock held.

use crate::backlog::Backlog;
use crate::harmless;
use crate::stream::Stream;
use crate::terminal;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The part of a view that the terminal shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Nothing,
    Line,
    Screen,
}

struct Outlet {
    shown: Shown,
    /// Whether a view is up.
    is_viewed: bool,
    /// Text for the terminal that waits until the screen is closed.
    held: Vec<(Stream, String)>,
    backlog: Backlog<Stream>,
    /// Whether standard output is for a program, so that nothing for a person goes there.
    is_reserved: bool,
}

static OUTLET: Mutex<Outlet> = Mutex::new(Outlet {
    shown: Shown::Nothing,
    is_viewed: false,
    held: Vec::new(),
    backlog: Backlog::new(),
    is_reserved: false,
});

fn outlet() -> MutexGuard<'static, Outlet> {
    OUTLET.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps standard output for a program: [`write()`] prints nothing there any more.
pub fn reserve_stdout() {
    outlet().is_reserved = true;
}

/// Prints a text for a person as it is, now or when the screen is closed.
pub fn write(stream: Stream, text: &str) {
    let mut outlet = outlet();
    if outlet.is_reserved && stream == Stream::Out {
        return;
    }
    if !stream.is_terminal() {
        // The view goes on while the reader of a pipe keeps us waiting.
        drop(outlet);
        return stream.print(text.as_bytes());
    }
    match outlet.shown {
        Shown::Screen => outlet.held.push((stream, text.to_owned())),
        Shown::Line | Shown::Nothing => {
            outlet.clear_line();
            outlet.print(stream, text);
        }
    }
}

/// Replaces the live line.
pub fn draw_line(line: &str) {
    let line = harmless(line).replace(['\n', '\t'], " ");
    let width = rustix::termios::tcgetwinsize(io::stderr()).map_or(0, |size| usize::from(size.ws_col));
    // A terminal of unknown width reports 0.
    let width = if width == 0 { 80 } else { width.max(20) };
    let shown: String = line.chars().take(width - 1).collect();
    let mut outlet = outlet();
    if outlet.shown != Shown::Screen && outlet.has_caught_up() {
        outlet.shown = Shown::Line;
        outlet.print(Stream::Err, &format!("\r{shown}\x1b[K"));
    }
}

/// Clears the live line, if there is one.
pub fn clear_line() {
    outlet().clear_line();
}

/// From now on, nobody who writes here waits for the terminal.
pub(crate) fn begin_view() {
    outlet().is_viewed = true;
}

/// Waits until the terminal shows what was written. It is as it was before the view.
pub(crate) fn end_view() {
    let mut outlet = outlet();
    outlet.close();
    outlet.clear_line();
    outlet.is_viewed = false;
    outlet.flush();
}

/// Waits until the terminal shows what was written, at most for this long.
pub(crate) fn settle(patience: Duration) {
    outlet().offer(patience);
}

/// Whether the terminal has taken everything that was written, and is ready for more.
pub(crate) fn has_caught_up() -> bool {
    outlet().has_caught_up()
}

/// Takes the terminal for a screen. False if that is impossible.
pub(crate) fn open_screen() -> bool {
    let mut outlet = outlet();
    outlet.clear_line();
    if !outlet.has_caught_up() {
        return false;
    }
    let opening = terminal::enter();
    if let Some(opening) = opening {
        outlet.shown = Shown::Screen;
        outlet.print(Stream::Err, opening);
    }
    opening.is_some()
}

/// Gives the terminal back as it was, and prints what was held back.
pub(crate) fn close_screen() {
    outlet().close();
}

/// Like [`close_screen`], for a panic, which may have happened while the lock was held.
pub(crate) fn close_after_panic() {
    match OUTLET.try_lock() {
        Ok(mut outlet) => outlet.close(),
        Err(_) => {
            Stream::Err.print(terminal::leave().as_bytes());
            terminal::has_left();
        }
    }
}

/// Writes a frame that `draw` returns, if the terminal still shows the screen and has taken the
/// frame before. Returns whether it shows the screen.
pub(crate) fn draw_on_screen(draw: impl FnOnce() -> Vec<u8>) -> bool {
    let mut outlet = outlet();
    let is_open = outlet.shown == Shown::Screen;
    if is_open && outlet.has_caught_up() {
        outlet.backlog.push(Stream::Err, draw());
        outlet.offer(SHORT);
    }
    is_open
}

/// How long a terminal may take for a frame or a text. It takes them in slices of a few kilobytes,
/// and needs a moment after each.
const SHORT: Duration = Duration::from_millis(20);

impl Outlet {
    /// Prints on the terminal: at once, or when the terminal takes it if a view is up.
    fn print(&mut self, stream: Stream, text: &str) {
        // A terminal that is late already is not waited for again.
        let patience = if self.backlog.is_empty() { SHORT } else { Duration::ZERO };
        self.backlog.push(stream, text);
        if self.is_viewed { self.offer(patience) } else { self.flush() }
    }

    fn has_caught_up(&mut self) -> bool {
        self.offer(Duration::ZERO);
        self.backlog.is_empty()
    }

    fn offer(&mut self, patience: Duration) {
        self.backlog.offer(patience);
        self.note_leaving();
    }

    fn flush(&mut self) {
        self.backlog.flush();
        self.note_leaving();
    }

    /// Until the terminal has taken the end of the screen, a fatal signal has to restore it.
    fn note_leaving(&self) {
        if self.shown != Shown::Screen && self.backlog.is_empty() {
            terminal::has_left();
        }
    }

    fn clear_line(&mut self) {
        if self.shown == Shown::Line {
            self.shown = Shown::Nothing;
            self.print(Stream::Err, "\r\x1b[K");
        }
    }

    fn close(&mut self) {
        if self.shown == Shown::Screen {
            self.shown = Shown::Nothing;
            self.print(Stream::Err, terminal::leave());
            std::mem::take(&mut self.held).iter().for_each(|(stream, text)| self.print(*stream, text));
        }
    }
}
