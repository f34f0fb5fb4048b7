//! Signals that end a run in good order: its result is still saved, printed and written.
//!
//! There are two ways to hear a signal, because neither suits all commands. Handlers are replaced
//! by Z3 while it solves. Blocked signals stay blocked in every program that we start, so a test
//! that calls `timeout` would hang.

use anyhow::Context;
use lapidary::Cancel;
use std::io;
use std::mem::MaybeUninit;

/// The signals with which users and systems stop programs.
const SIGNALS: [libc::c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

/// Returns a `Cancel` that fires on one of the signals, for commands that start other programs.
pub fn cancel_on_signal() -> anyhow::Result<Cancel> {
    let cancel = Cancel::new();
    let on_signal = cancel.clone();
    ctrlc::set_handler(move || on_signal.cancel()).context("cannot listen for signals")?;
    Ok(cancel)
}

/// Returns a `Cancel` that fires on one of the signals, for commands that use Z3. A thread of its
/// own waits for the signals, and all others block them, so this must be called before other
/// threads start.
pub fn cancel_beside_z3() -> anyhow::Result<Cancel> {
    let cancel = Cancel::new();
    let on_signal = cancel.clone();
    listen(move || on_signal.cancel()).context("cannot listen for signals")?;
    Ok(cancel)
}

fn listen(act: impl Fn() + Send + 'static) -> io::Result<()> {
    let signals = blocked()?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        while wait(&signals) {
            act();
        }
    })?;
    Ok(())
}

fn blocked() -> io::Result<libc::sigset_t> {
    let mut signals = MaybeUninit::uninit();
    // SAFETY: `sigemptyset` initialises the set before anything reads it.
    let error = unsafe {
        libc::sigemptyset(signals.as_mut_ptr());
        SIGNALS.into_iter().for_each(|signal| {
            libc::sigaddset(signals.as_mut_ptr(), signal);
        });
        libc::pthread_sigmask(libc::SIG_BLOCK, signals.as_ptr(), std::ptr::null_mut())
    };
    match error {
        // SAFETY: as above.
        0 => Ok(unsafe { signals.assume_init() }),
        code => Err(io::Error::from_raw_os_error(code)),
    }
}

/// Waits for one of the signals. Returns false if waiting is impossible.
fn wait(signals: &libc::sigset_t) -> bool {
    let mut signal = 0;
    // SAFETY: both references outlive the call.
    unsafe { libc::sigwait(signals, &mut signal) == 0 }
}
