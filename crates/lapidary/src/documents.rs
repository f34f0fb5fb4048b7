//! Documents: files for people and programs that a command makes anew each time.
//!
//! Invariant: a document is written as a whole or not at all, and takes the place of nothing but an
//! older document of its sort. A file that somebody else wrote stays.

use crate::aside::directory_of;
use anyhow::{Context, bail};
use rustix::fs::OFlags;
use rustix::io::Errno;
use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// A sort of document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// An HTML page.
    Page,
    /// A JSON summary of one command.
    Summary,
    /// A CSV table of runs.
    Table,
    /// A log of events.
    Events,
    /// A specification that `compare` suggests.
    Specification,
}

impl Document {
    /// The sort that an option asks for, or that messages call by this name.
    pub(crate) fn named(what: &str) -> Option<Document> {
        Some(match what {
            "--report" | "the page" | "the page of a run" => Document::Page,
            "--json" => Document::Summary,
            "--csv" | "the table" => Document::Table,
            "--events" => Document::Events,
            "--write-spec" => Document::Specification,
            _ => return None,
        })
    }

    fn in_words(self) -> &'static str {
        match self {
            Document::Page => "page",
            Document::Summary => "JSON summary",
            Document::Table => "table",
            Document::Events => "log of events",
            Document::Specification => "specification",
        }
    }

    /// Makes sure that the document can be written there, and leaves nothing behind. `-` is standard
    /// output.
    pub fn check(self, path: &Path) -> crate::Result<()> {
        Ok(self.checked(path)?)
    }

    pub(crate) fn checked(self, path: &Path) -> anyhow::Result<()> {
        if path == Path::new("-") {
            return Ok(());
        }
        let cannot = || format!("cannot write {}", path.display());
        let Ok(found) = path.metadata() else {
            return File::create_new(path).and_then(|_| std::fs::remove_file(path)).with_context(cannot);
        };
        if found.is_dir() {
            bail!("{} is a directory: name a file", path.display());
        }
        if found.is_file() && found.len() > 0 && !self.is_in(path).with_context(cannot)? {
            bail!(
                "{} is no {} of Lapidary, so it is not replaced: remove it, or name another file",
                path.display(),
                self.in_words()
            );
        }
        // A pipe that nobody reads would be waited for.
        let opened = OpenOptions::new().append(true).custom_flags(OFlags::NONBLOCK.bits() as i32).open(path);
        match opened {
            Err(error) if error.raw_os_error() == Some(Errno::NXIO.raw_os_error()) && found.file_type().is_fifo() => {
                bail!("nobody reads the pipe {}: start its reader first, or name a file", path.display())
            }
            opened => opened.map(drop).with_context(cannot),
        }
    }

    /// Writes the document to a file. One that was there must be of this sort.
    pub fn write(self, path: &Path, text: &str) -> crate::Result<()> {
        self.checked(path)?;
        Ok(whole(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?)
    }

    /// Whether a file holds a document of this sort.
    fn is_in(self, path: &Path) -> io::Result<bool> {
        const HEAD: u64 = 1 << 14;
        let mut head = Vec::new();
        File::open(path)?.take(HEAD).read_to_end(&mut head)?;
        let head = String::from_utf8_lossy(&head);
        let first = head.lines().next().unwrap_or_default();
        Ok(match self {
            Document::Page => head.contains("<meta name=\"generator\" content=\"lapidary "),
            Document::Table => first.starts_with("name,command,strategy,strategies,bytes_before,"),
            Document::Events => first.contains("\"event\":\"begin\"") && first.contains("\"lapidary\":"),
            Document::Specification => first.contains("Written by lapidary from the difference of the two versions"),
            Document::Summary => first == "{" && names_a_command(path)?,
        })
    }
}

/// Whether the object that a file holds says which command it is about.
fn names_a_command(path: &Path) -> io::Result<bool> {
    const COMMANDS: [&str; 9] = ["reduce", "crash", "slice", "explore", "compare", "triage", "model", "bundle", "init"];
    for line in BufReader::new(File::open(path)?).split(b'\n') {
        let line = line?;
        if let Some(name) = line.strip_prefix(b"  \"command\": \"") {
            let is_known =
                |command: &&str| name.strip_prefix(command.as_bytes()).is_some_and(|rest| rest.starts_with(b"\""));
            return Ok(COMMANDS.iter().any(is_known));
        }
    }
    Ok(false)
}

/// Writes a file as a whole: beside its place first. A pipe or a device is written to directly.
fn whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let permissions = match path.metadata() {
        Ok(found) if !found.is_file() => return std::fs::write(path, bytes),
        Ok(found) => found.permissions(),
        // The system takes away what the user's mask forbids.
        Err(_) => Permissions::from_mode(0o666),
    };
    let mut file = tempfile::Builder::new().permissions(permissions).tempfile_in(directory_of(path))?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_a_document_of_the_same_sort_is_replaced() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        let summary = "{\n  \"bytes\": 3,\n  \"command\": \"reduce\"\n}\n";
        for foreign in ["#!/bin/sh\n", "{\n  \"command\": \"serve\"\n}\n", "{\"command\": \"reduce\"}", "<html></html>"]
        {
            fs::write(path("mine"), foreign).unwrap();
            for sort in [Document::Page, Document::Summary, Document::Table, Document::Events, Document::Specification]
            {
                let refused = sort.write(&path("mine"), summary).unwrap_err().to_string();
                assert!(refused.contains("so it is not replaced"), "{refused}");
            }
            assert_eq!(fs::read_to_string(path("mine")).unwrap(), foreign);
        }
        for before in ["", summary] {
            fs::write(path("ours"), before).unwrap();
            Document::Summary.write(&path("ours"), summary).unwrap();
            assert_eq!(fs::read_to_string(path("ours")).unwrap(), summary);
        }
        assert!(Document::Page.check(&path("ours")).is_err() && Document::Page.check(place.path()).is_err());
        Document::Page.check(&path("new")).unwrap();
        assert!(!path("new").exists(), "a check leaves nothing behind");
        assert!(Document::Page.check(&path("no/such")).is_err());
        Document::Page.write(Path::new("/dev/null"), "text").unwrap();
        assert!(std::process::Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
        let refused = Document::Events.check(&path("pipe")).unwrap_err().to_string();
        assert!(refused.contains("nobody reads the pipe"), "{refused}");
    }

    #[test]
    fn a_link_leads_to_the_file_that_is_replaced() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::write(path("file"), "").unwrap();
        std::os::unix::fs::symlink(path("file"), path("link")).unwrap();
        Document::Summary.write(&path("link"), "text").unwrap();
        assert!(path("link").is_symlink() && fs::read_to_string(path("file")).unwrap() == "text");
    }
}
