//! Locations as libclang reports them.

use clang_sys::*;
use std::ffi::c_void;
use std::ptr;

/// A place in a file.
pub(super) struct Place {
    pub file: CXFile,
    pub offset: u32,
    /// Whether the text is written here rather than in a macro definition.
    pub is_spelled: bool,
}

pub(super) unsafe fn place(location: CXSourceLocation) -> Place {
    let (mut file, mut spelled_file): (CXFile, CXFile) = (ptr::null_mut::<c_void>(), ptr::null_mut::<c_void>());
    let (mut offset, mut spelled) = (0, 0);
    // SAFETY: the out-parameters are live; libclang accepts null for the ones not wanted.
    unsafe {
        clang_getFileLocation(location, &mut file, ptr::null_mut(), ptr::null_mut(), &mut offset);
        clang_getSpellingLocation(location, &mut spelled_file, ptr::null_mut(), ptr::null_mut(), &mut spelled);
    }
    Place { file, offset, is_spelled: file == spelled_file && offset == spelled }
}
