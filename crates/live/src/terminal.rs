//! Takes the terminal for a screen, and gives it back as it was, whatever happens.
//!
//! The screen is the alternate one. After the run it is gone, so the terminal shows what it showed
//! before with the summary below, and nothing of a resized view is left behind. A view inside the
//! ordinary screen would leave torn lines there each time the window changes its width.

use crate::outlet;
use crate::screen::Look;
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use std::env::var;
use std::io::{self, IsTerminal};
use std::mem::MaybeUninit;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// The smallest terminal that gets a screen.
const COLUMNS: u16 = 20;
const ROWS: u16 = 6;

/// Whether standard error is a terminal on which a line can be replaced.
pub(crate) fn is_capable() -> bool {
    let is_known = var("TERM").is_ok_and(|term| !term.is_empty() && term != "dumb");
    is_known && io::stderr().is_terminal()
}

/// The abilities of the terminal.
pub(crate) fn look() -> Look {
    let locale =
        ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| var(name).ok().filter(|value| !value.is_empty()));
    let is_utf8 = |locale: String| locale.to_lowercase().replace('-', "").contains("utf8");
    Look {
        colour: var("NO_COLOR").is_ok_and(|value| value.is_empty()) || var("NO_COLOR").is_err(),
        unicode: locale.is_some_and(is_utf8),
    }
}

/// Whether this process may change the terminal: a job in the background would be stopped for it.
fn is_in_the_foreground() -> bool {
    let foreground = rustix::termios::tcgetpgrp(io::stderr());
    foreground.is_ok_and(|group| group == rustix::process::getpgrp())
}

/// Shows the alternate screen without a cursor.
const ENTER: &str = "\x1b[?1049h\x1b[?25l";
/// Shows the ordinary screen with a cursor.
const LEAVE: &str = "\x1b[?1049l\x1b[?25h";

/// Takes the terminal, and returns the text that it then has to get. None if it is too small or not
/// ours.
pub(crate) fn enter() -> Option<&'static str> {
    let is_large_enough = crossterm::terminal::size().is_ok_and(|(columns, rows)| columns >= COLUMNS && rows >= ROWS);
    if !is_large_enough || !is_in_the_foreground() {
        return None;
    }
    guard::install();
    guard::remember();
    if enable_raw_mode().is_err() {
        return None;
    }
    guard::arm(true);
    Some(ENTER)
}

/// Gives the terminal back, and returns the text that it then has to get. Once it has,
/// [`has_left`] follows.
pub(crate) fn leave() -> &'static str {
    // The terminal may be gone.
    let _ = disable_raw_mode();
    LEAVE
}

/// Notes that the terminal is as it was before the screen.
pub(crate) fn has_left() {
    guard::arm(false);
}

/// Restores the terminal when a panic or a fatal signal ends the program.
mod guard {
    use super::*;

    static IS_ARMED: AtomicBool = AtomicBool::new(false);

    struct Before(MaybeUninit<libc::termios>);

    // Written by `remember` before the flag is set, and only read while it is set.
    static mut BEFORE: Before = Before(MaybeUninit::uninit());

    /// The signals that end the program unless somebody handles them, and the actions before ours.
    const SIGNALS: [libc::c_int; 6] =
        [libc::SIGQUIT, libc::SIGABRT, libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE];
    static mut ACTIONS: [MaybeUninit<libc::sigaction>; 6] = [const { MaybeUninit::uninit() }; 6];

    pub fn arm(is_armed: bool) {
        IS_ARMED.store(is_armed, Ordering::SeqCst);
    }

    /// Notes the settings of the terminal.
    pub fn remember() {
        // SAFETY: the flag is not set, so no handler reads, and the outlet's lock is held, so no
        // other thread writes.
        unsafe { libc::tcgetattr(2, (&raw mut BEFORE.0).cast()) };
    }

    pub fn install() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            let before = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                if IS_ARMED.load(Ordering::SeqCst) {
                    outlet::close_after_panic();
                }
                before(panic);
            }));
            for (index, signal) in SIGNALS.into_iter().enumerate() {
                // SAFETY: the handler calls nothing that a signal handler must not call, and the
                // action before is stored before the handler can run.
                unsafe {
                    let slot = (&raw mut ACTIONS[index]).cast::<libc::sigaction>();
                    libc::sigaction(signal, std::ptr::null(), slot);
                    let mut action: libc::sigaction = std::mem::zeroed();
                    action.sa_sigaction = restore as extern "C" fn(libc::c_int) as libc::sighandler_t;
                    action.sa_flags = libc::SA_ONSTACK;
                    libc::sigaction(signal, &action, std::ptr::null_mut());
                }
            }
        });
    }

    /// Restores the terminal, then lets the signal do what it would have done without us.
    extern "C" fn restore(signal: libc::c_int) {
        // SAFETY: `write`, `tcsetattr`, `sigaction` and `raise` may be called in a signal handler.
        unsafe {
            if IS_ARMED.swap(false, Ordering::SeqCst) {
                libc::write(2, LEAVE.as_ptr().cast(), LEAVE.len());
                libc::tcsetattr(2, libc::TCSANOW, (&raw const BEFORE.0).cast());
            }
            if let Some(index) = SIGNALS.iter().position(|other| *other == signal) {
                libc::sigaction(signal, (&raw const ACTIONS[index]).cast(), std::ptr::null_mut());
                libc::raise(signal);
            }
        }
    }
}
