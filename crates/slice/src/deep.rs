//! Runs code on a thread with a stack large enough for deeply nested, generated programs.

use std::thread;

pub(crate) fn on_a_deep_stack<T: Send>(act: impl FnOnce() -> T + Send) -> T {
    const STACK_BYTES: usize = 1 << 29;
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, act);
        let joined = thread.expect("a thread can be started").join();
        joined.unwrap_or_else(|reason| std::panic::resume_unwind(reason))
    })
}
