//! The zip archive of a bundle. Equal bundles have equal bytes: entries are in order, and their
//! times are fixed.

use lapidary_reduce::{Entry, FileTree};
use std::io::{Cursor, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Packs a directory, which becomes the only one at the top of the archive.
pub(crate) fn packed(tree: &FileTree) -> anyhow::Result<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, entry) in tree.entries() {
        let name = Path::new(tree.name()).join(path).to_string_lossy().into_owned();
        let options = SimpleFileOptions::default().last_modified_time(DateTime::default());
        match entry {
            Entry::EmptyDirectory => writer.add_directory(name, options.unix_permissions(0o755))?,
            Entry::Link { target } => writer.add_symlink(name, target.to_string_lossy(), options)?,
            Entry::File { content, executable } => {
                let method = if content.is_empty() { CompressionMethod::Stored } else { CompressionMethod::Deflated };
                let options = options.compression_method(method);
                writer.start_file(name, options.unix_permissions(if *executable { 0o755 } else { 0o644 }))?;
                writer.write_all(content)?;
            }
        }
    }
    Ok(writer.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_bundles_give_equal_bytes() {
        let script = Entry::File { content: b"#!/bin/sh\n".to_vec().into(), executable: true };
        let entries = [("b/run.sh".into(), script), ("a b.txt".into(), Entry::file("text"))];
        let tree = FileTree::directory("bundle", entries.into());
        let bytes = packed(&tree).unwrap();
        assert_eq!(packed(&tree).unwrap(), bytes);
        let read = lapidary_jvm::read_jar(&bytes, &lapidary_jvm::Limits::default()).unwrap();
        let names: Vec<&str> = read.entries.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["bundle/a b.txt", "bundle/b/run.sh"]);
    }
}
