//! A libclang index whose units leave nothing on disk.
//!
//! libclang would otherwise store precompiled headers in a temporary file, which stays behind when
//! the process is killed.

use clang_sys::CXIndex;
use libloading::Library;
use std::ffi::{c_char, c_uchar, c_uint, c_ushort};
use std::ptr;
use std::sync::OnceLock;

/// `CXIndexOptions` of libclang 17. The definition in clang-sys has enums of the wrong size.
#[repr(C)]
struct Options {
    size: c_uint,
    background_indexing: c_uchar,
    background_editing: c_uchar,
    flags: c_ushort,
    preamble_directory: *const c_char,
    emission_directory: *const c_char,
}

const PREAMBLES_IN_MEMORY: c_ushort = 1 << 2;

/// The real signature takes the options by pointer; clang-sys declares them by value.
type CreateIndex = unsafe extern "C" fn(*const Options) -> CXIndex;

/// Creates an index. `None` if libclang is older than 17 or does not know these options.
pub(crate) fn new_index() -> Option<CXIndex> {
    static CREATE: OnceLock<Option<CreateIndex>> = OnceLock::new();
    let create = (*CREATE.get_or_init(find)).filter(|_| cfg!(target_endian = "little"))?;
    let options = Options {
        size: size_of::<Options>() as c_uint,
        background_indexing: 0,
        background_editing: 0,
        flags: PREAMBLES_IN_MEMORY,
        preamble_directory: ptr::null(),
        emission_directory: ptr::null(),
    };
    // SAFETY: the options are laid out as in libclang's header and live during the call.
    let index = unsafe { create(&options) };
    (!index.is_null()).then_some(index)
}

fn find() -> Option<CreateIndex> {
    let loaded = clang_sys::get_library()?;
    // SAFETY: the library is already loaded, so none of its initialisers run; the type is that of
    // its header.
    unsafe {
        let library = Library::new(loaded.path()).ok()?;
        let create = *library.get::<CreateIndex>(b"clang_createIndexWithOptions\0").ok()?;
        // Keep the library loaded for as long as the process lives.
        std::mem::forget(library);
        Some(create)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Compilation, Reader, SourceFile, Sources};
    use std::collections::BTreeSet;
    use std::ffi::OsString;

    #[test]
    fn preambles_are_not_kept_on_disk() {
        crate::is_available().unwrap();
        let Some(index) = new_index() else { return };
        // SAFETY: the index was created here and is not used elsewhere.
        unsafe { clang_sys::clang_disposeIndex(index) };
        let before = preambles();
        // libclang keeps a preamble only for a file that exists on disk.
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.c");
        let text = "#include <stdio.h>\nint main(void) { return EOF; }\n";
        std::fs::write(&file, text).unwrap();
        let sources = Sources { files: vec![SourceFile { path: file.clone(), text: text.as_bytes().into() }] };
        let mut reader = Reader::new(Compilation { file, arguments: Vec::new() });
        reader.complaints(&sources).unwrap();
        assert_eq!(preambles(), before);
    }

    fn preambles() -> BTreeSet<OsString> {
        let names = std::fs::read_dir(std::env::temp_dir()).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.as_encoded_bytes().starts_with(b"preamble-")).collect()
    }
}
