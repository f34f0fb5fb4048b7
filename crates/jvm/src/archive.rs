//! Reading and writing jars that come from untrusted sources.
//!
//! An archive that cannot be read in full (truncated, damaged, encrypted, a zip bomb) is an error.
//! An archive that can be read but has entries that would do harm on a file system is read, and
//! each such entry is reported as an [`Oddity`]. A caller may keep such an entry as opaque bytes
//! under its name, or warn about it, but must never write it to disk under that name.

mod oddity;
mod write;

pub use oddity::{Oddity, OddityKind};
pub use write::{Compression, write_jar};

use std::io::{Cursor, Read};
use std::sync::Arc;
use thiserror::Error;
use zip::read::{Config, ZipFileEntry, ZipReadOptions};
use zip::unstable::read::ZipIterable;

/// A file or directory in a jar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JarEntry {
    /// The name as written in the archive: parts are separated by `/`, and a directory ends in one.
    /// Never trust it as a path.
    pub name: String,
    pub bytes: Arc<[u8]>,
}

impl JarEntry {
    pub fn is_directory(&self) -> bool {
        self.name.ends_with('/')
    }
}

/// All entries of a jar in the order of its directory, and the oddities found among them.
#[derive(Clone, Debug, Default)]
pub struct Jar {
    pub entries: Vec<JarEntry>,
    pub oddities: Vec<Oddity>,
}

/// How much an archive may unpack to before it is taken for a zip bomb.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub entries: usize,
    pub total_bytes: u64,
    /// Unpacked bytes per packed byte, over the whole archive. Applies only to archives that unpack
    /// to more than `ratio_from_bytes`.
    pub ratio: u64,
    /// Archives that unpack to no more than this many bytes are never rejected because of their
    /// ratio.
    pub ratio_from_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { entries: 1_000_000, total_bytes: 4 << 30, ratio: 200, ratio_from_bytes: 64 << 20 }
    }
}

impl Limits {
    /// The number of bytes that an archive of this size may unpack to, and the error to report if
    /// it unpacks to more.
    fn allowance(&self, packed: u64) -> (u64, ArchiveError) {
        let by_ratio = packed.saturating_mul(self.ratio).max(self.ratio_from_bytes);
        if by_ratio < self.total_bytes {
            (by_ratio, ArchiveError::RatioTooHigh { limit: self.ratio })
        } else {
            (self.total_bytes, ArchiveError::TooLarge { limit: self.total_bytes })
        }
    }
}

/// The reason why an archive cannot be read or written.
#[derive(Debug, Error)]
pub enum ArchiveError {
    #[error("not a zip archive, or one that was cut off ({reason})")]
    NotAnArchive { reason: String },
    #[error("entry {name} is encrypted; decrypt the archive first")]
    Encrypted { name: String },
    #[error("entry {name} is damaged ({reason})")]
    Damaged { name: String, reason: String },
    #[error("has more than {limit} entries")]
    TooManyEntries { limit: usize },
    #[error("unpacks to more than {limit} bytes")]
    TooLarge { limit: u64 },
    #[error("unpacks to more than {limit} times its size, like a zip bomb")]
    RatioTooHigh { limit: u64 },
    #[error("entry {name} cannot be written ({reason})")]
    CannotWrite { name: String, reason: String },
}

/// Reads all entries of an archive into memory.
pub fn read_jar(bytes: &[u8], limits: &Limits) -> Result<Jar, ArchiveError> {
    let mut archive = ZipIterable::try_new(Cursor::new(bytes), Config::default()).map_err(not_an_archive)?;
    if archive.len() > limits.entries {
        return Err(ArchiveError::TooManyEntries { limit: limits.entries });
    }
    let mut unpacking = Unpacking::new(bytes, limits);
    for entry in archive.files().map_err(not_an_archive)? {
        unpacking.add(entry.map_err(not_an_archive)?)?;
    }
    Ok(unpacking.finish())
}

struct Unpacking<'a> {
    bytes: &'a [u8],
    limits: &'a Limits,
    left: u64,
    entries: Vec<JarEntry>,
    oddities: Vec<Oddity>,
}

impl<'a> Unpacking<'a> {
    fn new(bytes: &'a [u8], limits: &'a Limits) -> Self {
        let (left, _) = limits.allowance(bytes.len() as u64);
        Unpacking { bytes, limits, left, entries: Vec::new(), oddities: Vec::new() }
    }

    fn add(&mut self, entry: ZipFileEntry<'static>) -> Result<(), ArchiveError> {
        let (name, kind) = decoded_name(&entry);
        if let Some(kind) = kind {
            self.oddities.push(Oddity { entry: self.entries.len(), name: name.clone(), kind });
        }
        let said = entry.size();
        let bytes = self.unpack(&name, entry)?;
        let found = bytes.len() as u64;
        if said != found {
            let kind = OddityKind::WrongSize { said, found };
            self.oddities.push(Oddity { entry: self.entries.len(), name: name.clone(), kind });
        }
        self.entries.push(JarEntry { name, bytes });
        Ok(())
    }

    fn unpack(&mut self, name: &str, entry: ZipFileEntry<'static>) -> Result<Arc<[u8]>, ArchiveError> {
        if entry.encrypted() {
            return Err(ArchiveError::Encrypted { name: name.into() });
        }
        let damaged = |reason: String| ArchiveError::Damaged { name: name.into(), reason };
        let mut reader = Cursor::new(self.bytes);
        let file = entry.with_reader(&mut reader, ZipReadOptions::new()).map_err(|error| damaged(error.to_string()))?;
        let mut content = Vec::new();
        file.take(self.left + 1).read_to_end(&mut content).map_err(|error| damaged(error.to_string()))?;
        self.left = match self.left.checked_sub(content.len() as u64) {
            Some(left) => left,
            None => return Err(self.limits.allowance(self.bytes.len() as u64).1),
        };
        Ok(content.into())
    }

    fn finish(mut self) -> Jar {
        self.oddities.extend(oddity::of_names(&self.entries));
        self.oddities.sort();
        Jar { entries: self.entries, oddities: self.oddities }
    }
}

/// Decodes an entry name as UTF-8, which is what Java does whatever the archive says. If the bytes
/// are not UTF-8, each becomes one character, so that different names stay different.
fn decoded_name(entry: &ZipFileEntry<'_>) -> (String, Option<OddityKind>) {
    match std::str::from_utf8(entry.name_raw()) {
        Ok(name) if entry.is_symlink() => (name.into(), Some(OddityKind::Link)),
        Ok(name) => (name.into(), None),
        Err(_) => {
            let name = entry.name_raw().iter().map(|&byte| char::from(byte)).collect();
            (name, Some(OddityKind::NameNotUnicode))
        }
    }
}

fn not_an_archive(error: zip::result::ZipError) -> ArchiveError {
    ArchiveError::NotAnArchive { reason: error.to_string() }
}

#[cfg(test)]
mod tests;
