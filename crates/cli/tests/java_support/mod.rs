//! Jars for the tests: a compiled program, and malformed archives.
#![allow(dead_code)]

use crate::support::example;
use lapidary_jvm::{Compression, Limits, read_jar, write_jar};
use lapidary_testkit::javac;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

/// The names and contents of entries.
pub type Entries = Vec<(String, Vec<u8>)>;

/// The classes of `fixtures/java/app`, as entries of a jar.
pub fn app() -> Entries {
    static COMPILED: OnceLock<Entries> = OnceLock::new();
    COMPILED.get_or_init(|| compile(&example("fixtures/java/app/Main.java"))).clone()
}

fn compile(source: &Path) -> Entries {
    let directory = tempfile::tempdir().unwrap();
    javac(&["-g"], directory.path(), [source]);
    let files = fs::read_dir(directory.path().join("app")).unwrap().map(|file| file.unwrap().path());
    let name = |path: &Path| format!("app/{}", path.file_name().unwrap().to_str().unwrap());
    let mut entries: Entries = files.map(|path| (name(&path), fs::read(&path).unwrap())).collect();
    entries.sort();
    entries
}

pub const MANIFEST: &str = "Manifest-Version: 1.0\r\nMain-Class: app.Main\r\n\r\n";

/// The program with a manifest and a resource.
pub fn app_jar() -> Vec<u8> {
    let mut entries = app();
    entries.insert(0, ("META-INF/MANIFEST.MF".to_owned(), MANIFEST.into()));
    entries.push(("notes/readme.txt".to_owned(), b"hello\n".to_vec()));
    jar(&entries)
}

pub fn jar(entries: &Entries) -> Vec<u8> {
    let entries = entries.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
    write_jar(entries, Compression::Deflated).unwrap()
}

/// The entries of a jar.
pub fn unpack(jar: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let read = read_jar(jar, &Limits::default()).unwrap();
    read.entries.into_iter().map(|entry| (entry.name, entry.bytes.to_vec())).collect()
}

/// An archive whose entries have the given names and flags, even senseless ones.
pub fn raw_archive(entries: &[(&str, &[u8], u16)]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes, flags) in entries {
        let start = archive.len() as u32;
        let common = common_header(name, bytes, *flags);
        archive.extend([&b"PK\x03\x04"[..], &common[..], &[0, 0], name.as_bytes(), bytes].concat());
        let place = start.to_le_bytes();
        directory.extend([&b"PK\x01\x02\x14\x00"[..], &common[..], &[0; 12], &place, name.as_bytes()].concat());
    }
    let (count, size) = ((entries.len() as u16).to_le_bytes(), (directory.len() as u32).to_le_bytes());
    let place = (archive.len() as u32).to_le_bytes();
    [
        archive,
        directory,
        b"PK\x05\x06\x00\x00\x00\x00".to_vec(),
        count.into(),
        count.into(),
        size.into(),
        place.into(),
        vec![0, 0],
    ]
    .concat()
}

/// The fields that the local header and the directory entry share, up to the length of the name.
fn common_header(name: &str, bytes: &[u8], flags: u16) -> Vec<u8> {
    let size = (bytes.len() as u32).to_le_bytes();
    let length = (name.len() as u16).to_le_bytes();
    [&[20, 0], &flags.to_le_bytes()[..], &[0, 0, 0, 0, 33, 0], &checksum(bytes).to_le_bytes(), &size, &size, &length]
        .concat()
}

/// The CRC-32 of zip archives, computed bit by bit.
fn checksum(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
}
