//! Strings returned by libclang.

use clang_sys::{CXString, clang_disposeString, clang_getCString};
use std::ffi::CStr;

/// Takes ownership of a string: copies it and frees the original.
pub(crate) fn owned(string: CXString) -> String {
    // SAFETY: the string comes from libclang and is disposed of once; the pointer is checked for
    // null.
    unsafe {
        let pointer = clang_getCString(string);
        let text =
            if pointer.is_null() { String::new() } else { CStr::from_ptr(pointer).to_string_lossy().into_owned() };
        clang_disposeString(string);
        text
    }
}
