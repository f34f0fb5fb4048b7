//! A stack for code that is nested as deep as its generator liked.

use std::thread;

pub(crate) fn on_a_deep_stack<T: Send>(act: impl FnOnce() -> T + Send) -> T {
    const STACK_BYTES: usize = 1 << 29;
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, act);
        let joined = thread.expect("a thread can be started").join();
        joined.unwrap_or_else(|reason| std::panic::resume_unwind(reason))
    })
}
