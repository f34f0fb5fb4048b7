//! Running code on a stack that is large enough for deeply nested, generated programs.

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Runs a function on a thread with a stack of this many bytes. If the system cannot start such a
/// thread, the function runs on the stack at hand, which is enough for most programs.
pub fn on_a_deep_stack<T: Send>(bytes: usize, act: impl FnOnce() -> T + Send) -> T {
    let waiting = Mutex::new(Some(act));
    let take = || waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
    let begin = || take().map(|act| act());
    thread::scope(|scope| match thread::Builder::new().stack_size(bytes).spawn_scoped(scope, begin) {
        Ok(thread) => thread.join().unwrap_or_else(|reason| resume_unwind(reason)),
        Err(_) => begin(),
    })
    .expect("the function runs once")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_that_no_system_has_is_done_without() {
        assert_eq!(on_a_deep_stack(1 << 20, || 1), 1);
        assert_eq!(on_a_deep_stack(1 << 60, || 2), 2);
    }
}
