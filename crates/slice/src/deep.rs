//! Runs code on a thread with a stack large enough for deeply nested, generated programs.

use lapidary_common::stack;

pub(crate) fn on_a_deep_stack<T: Send>(act: impl FnOnce() -> T + Send) -> T {
    stack::on_a_deep_stack(1 << 29, act)
}
