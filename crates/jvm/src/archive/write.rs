//! Writing jars. Equal entries always give equal bytes.

use super::ArchiveError;
use std::collections::HashMap;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

const MANIFEST: &str = "META-INF/MANIFEST.MF";

/// The entry by which EPUB and OpenDocument files are recognised, which must not be compressed.
const MIMETYPE: &str = "mimetype";

/// How entries are packed. Candidates are stored, which is some twenty times faster; results are
/// deflated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    Stored,
    Deflated,
}

/// Writes a jar of named entries in the given order, but with the manifest first, where tools look
/// for it. If several entries share a name, the last is written, which is the one that the JVM
/// sees.
pub fn write_jar<'a>(
    entries: impl IntoIterator<Item = (&'a str, &'a [u8])>,
    compression: Compression,
) -> Result<Vec<u8>, ArchiveError> {
    let mut entries: Vec<(&str, &[u8])> = entries.into_iter().collect();
    entries.sort_by_key(|(name, _)| *name != MANIFEST);
    let last: HashMap<&str, usize> = entries.iter().enumerate().map(|(index, (name, _))| (*name, index)).collect();
    let mut writer = ZipWriter::new(Cursor::new(Vec::with_capacity(expected_size(&entries))));
    for (index, (name, bytes)) in entries.iter().enumerate() {
        if last[name] == index {
            write_entry(&mut writer, name, bytes, compression)?;
        }
    }
    let written = writer.finish().map_err(|error| cannot_write("(the directory)", error.to_string()))?;
    Ok(written.into_inner())
}

fn write_entry(
    writer: &mut ZipWriter<Cursor<Vec<u8>>>,
    name: &str,
    bytes: &[u8],
    compression: Compression,
) -> Result<(), ArchiveError> {
    let method = match compression {
        Compression::Deflated if !bytes.is_empty() && name != MIMETYPE => CompressionMethod::Deflated,
        _ => CompressionMethod::Stored,
    };
    let options = SimpleFileOptions::default().compression_method(method).last_modified_time(DateTime::default());
    writer.start_file(name, options).map_err(|error| cannot_write(name, error.to_string()))?;
    writer.write_all(bytes).map_err(|error| cannot_write(name, error.to_string()))
}

/// An estimate of the archive's size: the contents, plus a header, a directory record and the name
/// twice for each entry.
fn expected_size(entries: &[(&str, &[u8])]) -> usize {
    entries.iter().map(|(name, bytes)| bytes.len() + 2 * name.len() + 80).sum()
}

fn cannot_write(name: &str, reason: String) -> ArchiveError {
    ArchiveError::CannotWrite { name: name.into(), reason }
}
