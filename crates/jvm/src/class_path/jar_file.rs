//! One jar of the class path: an index of its entries, and bytes on demand.

use super::ClassPathError;
use crate::archive::{ArchiveError, Limits};
use std::collections::HashMap;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zip::ZipArchive;

/// The largest size that a class file may unpack to; anything above is taken for a zip bomb.
const MAX_CLASS_BYTES: u64 = 256 << 20;
const VERSIONS: &str = "META-INF/versions/";

/// A jar that is cheap to clone and needs no lock: threads share its bytes and its directory.
pub struct JarFile {
    path: PathBuf,
    archive: ZipArchive<Cursor<Arc<[u8]>>>,
    /// For a multi-release jar, the entry that the JVM uses for each class with a version for this
    /// release. Empty for other jars.
    versioned: HashMap<String, usize>,
}

impl JarFile {
    pub fn open(path: PathBuf, release: u32) -> Result<JarFile, ClassPathError> {
        match JarFile::index(&path, release) {
            Ok((archive, versioned)) => Ok(JarFile { path, archive, versioned }),
            Err(Failure::File(reason)) => Err(ClassPathError::Unreadable { path, reason }),
            Err(Failure::Archive(reason)) => Err(ClassPathError::BadArchive { path, reason }),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the bytes of a class, or the reason why its entry cannot be read.
    pub fn find(&self, class: &str) -> Option<Result<Arc<[u8]>, String>> {
        let entry = format!("{class}.class");
        let index = self.versioned.get(&entry).copied().or_else(|| self.archive.index_for_name(&entry))?;
        Some(unpack(&mut self.archive.clone(), index))
    }

    fn index(path: &Path, release: u32) -> Result<Indexed, Failure> {
        let bytes: Arc<[u8]> = std::fs::read(path).map_err(Failure::File)?.into();
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(not_an_archive)?;
        let limit = Limits::default().entries;
        if archive.len() > limit {
            return Err(Failure::Archive(ArchiveError::TooManyEntries { limit }));
        }
        let versioned = match is_multi_release(&mut archive) {
            true => versioned_entries(&archive, release),
            false => HashMap::new(),
        };
        Ok((archive, versioned))
    }
}

type Indexed = (ZipArchive<Cursor<Arc<[u8]>>>, HashMap<String, usize>);

enum Failure {
    File(std::io::Error),
    Archive(ArchiveError),
}

fn not_an_archive(error: zip::result::ZipError) -> Failure {
    Failure::Archive(ArchiveError::NotAnArchive { reason: error.to_string() })
}

fn unpack(archive: &mut ZipArchive<Cursor<Arc<[u8]>>>, index: usize) -> Result<Arc<[u8]>, String> {
    let entry = archive.by_index(index).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    entry.take(MAX_CLASS_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MAX_CLASS_BYTES {
        return Err(format!("unpacks to more than {MAX_CLASS_BYTES} bytes"));
    }
    Ok(bytes.into())
}

/// Returns whether the main section of the manifest says `Multi-Release: true`.
fn is_multi_release(archive: &mut ZipArchive<Cursor<Arc<[u8]>>>) -> bool {
    let manifest = archive.index_for_name("META-INF/MANIFEST.MF").and_then(|index| unpack(archive, index).ok());
    let manifest = manifest.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let main_section = manifest.lines().take_while(|line| !line.is_empty());
    let mut attributes = main_section.filter_map(|line| line.split_once(':'));
    attributes
        .any(|(name, value)| name.eq_ignore_ascii_case("multi-release") && value.trim().eq_ignore_ascii_case("true"))
}

/// For each class below `META-INF/versions/N`, the entry with the highest N that the release
/// allows.
fn versioned_entries(archive: &ZipArchive<Cursor<Arc<[u8]>>>, release: u32) -> HashMap<String, usize> {
    let mut best: HashMap<String, (u32, usize)> = HashMap::new();
    for index in 0..archive.len() {
        let Some(Ok(name)) = archive.name_for_index(index) else { continue };
        let Some((version, class)) = split_version(&name) else { continue };
        if (9..=release).contains(&version) && best.get(class).is_none_or(|(known, _)| *known < version) {
            best.insert(class.into(), (version, index));
        }
    }
    best.into_iter().map(|(class, (_, index))| (class, index)).collect()
}

fn split_version(entry: &str) -> Option<(u32, &str)> {
    let (version, class) = entry.strip_prefix(VERSIONS)?.split_once('/')?;
    Some((version.parse().ok()?, class))
}
