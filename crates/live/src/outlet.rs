//! Everything that is printed while a view is up goes through here. A live line is cleared before
//! other text is printed, and text is held back while the screen belongs to the view.

use crate::harmless;
use crate::terminal;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

impl Stream {
    fn is_terminal(self) -> bool {
        match self {
            Stream::Out => io::stdout().is_terminal(),
            Stream::Err => io::stderr().is_terminal(),
        }
    }

    /// A reader that has gone is not an error, since results are on disk.
    fn print(self, text: &str) {
        let _ = match self {
            Stream::Out => io::stdout().write_all(text.as_bytes()),
            Stream::Err => io::stderr().write_all(text.as_bytes()),
        };
    }
}

/// The part of a view that the terminal shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Nothing,
    Line,
    Screen,
}

struct Outlet {
    shown: Shown,
    /// Text for the terminal that waits until the screen is closed.
    held: Vec<(Stream, String)>,
    /// Whether standard output is for a program, so that nothing for a person goes there.
    is_reserved: bool,
}

static OUTLET: Mutex<Outlet> = Mutex::new(Outlet { shown: Shown::Nothing, held: Vec::new(), is_reserved: false });

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
    match outlet.shown {
        _ if outlet.is_reserved && stream == Stream::Out => {}
        Shown::Screen if stream.is_terminal() => outlet.held.push((stream, text.to_owned())),
        Shown::Line if stream.is_terminal() => {
            outlet.clear_line();
            stream.print(text);
        }
        _ => stream.print(text),
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
    if outlet.shown != Shown::Screen {
        outlet.shown = Shown::Line;
        // The run goes on even if the terminal is gone.
        let _ = io::stderr().write_all(format!("\r{shown}\x1b[K").as_bytes());
    }
}

/// Clears the live line, if there is one.
pub fn clear_line() {
    let mut outlet = outlet();
    if outlet.shown == Shown::Line {
        outlet.clear_line();
    }
}

/// Takes the terminal for a screen. False if that is impossible.
pub(crate) fn open_screen() -> bool {
    let mut outlet = outlet();
    if outlet.shown == Shown::Line {
        outlet.clear_line();
    }
    let is_open = terminal::enter();
    if is_open {
        outlet.shown = Shown::Screen;
    }
    is_open
}

/// Gives the terminal back as it was, and prints what was held back.
pub(crate) fn close_screen() {
    outlet().close();
}

/// Like [`close_screen`], for a panic, which may have happened while the lock was held.
pub(crate) fn close_after_panic() {
    match OUTLET.try_lock() {
        Ok(mut outlet) => outlet.close(),
        Err(_) => terminal::leave(),
    }
}

/// Calls `draw` if the terminal still shows the screen.
pub(crate) fn on_screen<T>(draw: impl FnOnce() -> T) -> Option<T> {
    let outlet = outlet();
    (outlet.shown == Shown::Screen).then(draw)
}

impl Outlet {
    fn clear_line(&mut self) {
        let _ = io::stderr().write_all(b"\r\x1b[K");
        self.shown = Shown::Nothing;
    }

    fn close(&mut self) {
        if self.shown == Shown::Screen {
            terminal::leave();
            self.shown = Shown::Nothing;
            self.held.drain(..).for_each(|(stream, text)| stream.print(&text));
        }
    }
}
