//! Recognising directories that Lapidary made, so that it never removes one that it did not make.
//!
//! A directory of ours holds a file with a fixed text and a key. Its name alone says nothing: users
//! may call their directories whatever they like.

use std::fs::File;
use std::io::Read;
use std::path::Path;

const TEXT: &str = "lapidary made this directory and removes it when no run needs it any more.";

/// The content of the file that makes a directory ours. The key says which directory it belongs to.
pub fn label(key: &str) -> String {
    format!("{TEXT}\n{key}\n")
}

/// Whether a file has the content that [`label`] gives for this key.
pub fn is_labelled(file: &Path, key: &str) -> bool {
    let wanted = label(key);
    let is_file = file.symlink_metadata().is_ok_and(|found| found.is_file());
    let mut found = Vec::new();
    let read = |file: File| file.take(wanted.len() as u64 + 1).read_to_end(&mut found);
    is_file && File::open(file).and_then(read).is_ok() && found == wanted.as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_with_text_and_key_is_a_label() {
        let path = std::env::temp_dir().join(format!("own-{}", std::process::id()));
        let labelled = |content: &str, key: &str| {
            std::fs::write(&path, content).unwrap();
            is_labelled(&path, key)
        };
        assert!(labelled(&label("a"), "a"));
        assert!(!labelled(&label("a"), "b"), "another directory's");
        assert!(!labelled(&(label("a") + "more"), "a"));
        assert!(!labelled("", "a"));
        std::fs::remove_file(&path).unwrap();
        assert!(!is_labelled(&path, "a"));
    }
}
