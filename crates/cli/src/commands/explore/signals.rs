//! Signals that end an exploration in good order: its findings are still printed and written.

use lapidary_terms::Interrupt;
use std::io;
use std::mem::MaybeUninit;

/// The signals with which users and systems stop programs.
const SIGNALS: [libc::c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

/// Sets the interrupt when one of the signals arrives.
pub fn interrupt_on_signal(interrupt: Interrupt) -> io::Result<()> {
    on_signal(move || interrupt.set())
}

/// Calls `act` whenever one of the signals arrives. A thread of its own waits for the signals, and
/// all others block them, because Z3 replaces our handlers while it solves. So this must be called
/// before other threads start.
pub fn on_signal(act: impl Fn() + Send + 'static) -> io::Result<()> {
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
