//! Paths as libclang spells them.

use std::path::{Path, PathBuf};

/// Compares two paths, ignoring `.` and `..` components, which libclang or the user may have put
/// there.
pub(crate) fn is_same(left: &Path, right: &Path) -> bool {
    left == right || without_dots(left) == without_dots(right)
}

fn without_dots(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir if result.file_name().is_some() => {
                result.pop();
            }
            _ => result.push(part),
        }
    }
    result
}
