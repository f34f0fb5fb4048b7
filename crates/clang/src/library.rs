//! Loads libclang.

use clang_sys::SharedLibrary;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};
use thiserror::Error;

/// libclang is missing from this machine or does not work.
#[derive(Clone, Debug, Error, Serialize, Deserialize)]
#[error(
    "C and C++ are read with libclang, and it cannot be loaded ({0}); install it (Debian and Ubuntu: `apt install libclang1 libclang-common-dev`, or those of a version, such as `libclang1-19 libclang-common-19-dev`) or set LIBCLANG_PATH to the directory it is in"
)]
pub struct LoadError(pub(crate) String);

/// Makes libclang's functions callable in this thread. The library is loaded once.
pub(crate) fn enter() -> Result<(), LoadError> {
    static LOADED: OnceLock<Result<Arc<SharedLibrary>, LoadError>> = OnceLock::new();
    if clang_sys::is_loaded() {
        return Ok(());
    }
    let loaded = LOADED.get_or_init(|| {
        stay_in_the_calling_thread();
        clang_sys::load_manually().map(Arc::new).map_err(|why| LoadError(one_line(&why)))
    });
    clang_sys::set_library(Some(loaded.clone()?));
    Ok(())
}

/// Stops libclang from parsing in a thread of its own, whose stack overflows on deeply nested code.
/// Our own threads have stacks that are large enough.
fn stay_in_the_calling_thread() {
    // SAFETY: the environment is read by Rust's standard library, which locks it, and by libclang,
    // which is not loaded yet.
    unsafe { std::env::set_var("LIBCLANG_NOTHREADS", "1") }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
