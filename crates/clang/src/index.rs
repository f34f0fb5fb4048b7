//! An index of libclang whose units leave nothing on disk.
//!
//! What is kept of headers would else be a file among the temporary ones, which stays behind when the process is killed.

use clang_sys::CXIndex;
use libloading::Library;
use std::ffi::{c_char, c_uchar, c_uint, c_ushort};
use std::ptr;
use std::sync::OnceLock;

/// `CXIndexOptions` of libclang 17. That of clang-sys has choices of another size.
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

/// By reference, and not by value as clang-sys has it.
type CreateIndex = unsafe extern "C" fn(*const Options) -> CXIndex;

/// None where libclang is older than 17, or does not know these options.
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
    // SAFETY: the options are laid out as libclang's header says, and alive during the call.
    let index = unsafe { create(&options) };
    (!index.is_null()).then_some(index)
}

fn find() -> Option<CreateIndex> {
    let loaded = clang_sys::get_library()?;
    // SAFETY: this library is loaded already, so that nothing of it is run; the type is that of its header.
    unsafe {
        let library = Library::new(loaded.path()).ok()?;
        let create = *library.get::<CreateIndex>(b"clang_createIndexWithOptions\0").ok()?;
        // It stays loaded for as long as the process lives.
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
    fn what_is_kept_of_headers_is_no_file() {
        crate::is_available().unwrap();
        let Some(index) = new_index() else { return };
        // SAFETY: it was made here and nobody uses it.
        unsafe { clang_sys::clang_disposeIndex(index) };
        let before = preambles();
        // Of a file that is not there nothing is kept.
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
