//! Ctrl-C and SIGTERM end an exploration in good order: what was found is told, and written.

use lapidary_terms::Interrupt;
use std::io;
use std::mem::MaybeUninit;

/// The signals that a user or a system stops programs with.
const SIGNALS: [libc::c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

/// Sets the interrupt when one of the signals comes.
pub fn interrupt_on_signal(interrupt: Interrupt) -> io::Result<()> {
    on_signal(move || interrupt.set())
}

/// Does something when one of the signals comes. It must be called before there are other threads: a thread of its own waits for
/// the signals and all others block them, since Z3 puts handlers of its own in the place of ours while it answers.
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
    // SAFETY: the set is made by `sigemptyset` before anything reads it.
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

/// Waits for one of the signals; false if there is no waiting for them.
fn wait(signals: &libc::sigset_t) -> bool {
    let mut signal = 0;
    // SAFETY: both live as long as the call.
    unsafe { libc::sigwait(signals, &mut signal) == 0 }
}
