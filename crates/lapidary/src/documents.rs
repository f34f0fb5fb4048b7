//! Documents: files for people and programs that a command makes anew each time.
//!
//! Invariant: a document takes the place of nothing but an older document of its sort; a file that
//! somebody else wrote stays. It is written as a whole or not at all, unless only the content of a
//! file may be changed.

use crate::aside::directory_of;
use anyhow::{Context, bail};
use lapidary_common::Cancel;
use rustix::fs::{Access, AtFlags, CWD, OFlags, accessat, fcntl_setfl};
use rustix::io::Errno;
use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::time::Duration;

/// A sort of document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentKind {
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

impl DocumentKind {
    fn in_words(self) -> &'static str {
        match self {
            DocumentKind::Page => "page",
            DocumentKind::Summary => "JSON summary",
            DocumentKind::Table => "table",
            DocumentKind::Events => "log of events",
            DocumentKind::Specification => "specification",
        }
    }

    /// Makes sure that the document can be written there, and leaves nothing behind. `-` is standard
    /// output.
    pub fn check(self, path: &Path) -> crate::Result<()> {
        Ok(self.checked(path)?)
    }

    pub(crate) fn checked(self, path: &Path) -> anyhow::Result<()> {
        let Place::File { path, is_shared } = Place::of(path) else { return Ok(()) };
        let cannot = || format!("cannot write {}", path.display());
        let Ok(found) = path.metadata() else {
            if path.is_symlink() {
                bail!("{} is a link to nothing: remove it, or name another file", path.display());
            }
            return File::create_new(path).and_then(|_| std::fs::remove_file(path)).with_context(cannot);
        };
        if found.is_dir() {
            bail!("{} is a directory: name a file", path.display());
        }
        if found.file_type().is_socket() {
            bail!("{} is a socket: name a file", path.display());
        }
        if !found.is_file() || is_shared {
            // To open a pipe or a device does something: the reader of a pipe would see its end.
            return accessat(CWD, path, Access::WRITE_OK, AtFlags::EACCESS).with_context(cannot);
        }
        if found.len() > 0 && !self.is_in(path).with_context(cannot)? {
            bail!(
                "{} is no {} of Lapidary, so it is not replaced: remove it, or name another file",
                path.display(),
                self.in_words()
            );
        }
        OpenOptions::new().append(true).open(path).map(drop).with_context(cannot)
    }

    /// Writes the document. A file that is there must be of this sort; `-` is standard output.
    pub fn write(self, path: &Path, text: &str) -> crate::Result<()> {
        self.checked(path)?;
        Ok(Place::of(path).write(text)?)
    }

    /// Opens the document, to be written bit by bit. A file that is there must be of this sort, and
    /// is emptied; `-` is standard output. If the path is a pipe that nobody reads, calls `waiting`
    /// and waits for a reader until the run is cancelled.
    pub fn create(self, path: &Path, cancel: &Cancel, waiting: impl FnOnce()) -> crate::Result<Box<dyn Write + Send>> {
        self.checked(path)?;
        Ok(match Place::of(path) {
            Place::Output => Box::new(io::stdout()),
            Place::Error => Box::new(io::stderr()),
            Place::File { path, is_shared } => {
                let is_pipe = path.metadata().is_ok_and(|found| found.file_type().is_fifo());
                let mut options = OpenOptions::new();
                options.create(true).append(is_shared).write(true).truncate(!is_shared);
                let opened = if is_pipe { open_pipe(path, cancel, waiting)? } else { options.open(path) };
                Box::new(opened.with_context(|| format!("cannot write {}", path.display()))?)
            }
        })
    }

    /// Whether a file holds a document of this sort.
    fn is_in(self, path: &Path) -> io::Result<bool> {
        const HEAD: u64 = 1 << 14;
        let mut head = Vec::new();
        File::open(path)?.take(HEAD).read_to_end(&mut head)?;
        let head = String::from_utf8_lossy(&head);
        let first = head.lines().next().unwrap_or_default();
        Ok(match self {
            DocumentKind::Page => head.contains("<meta name=\"generator\" content=\"lapidary "),
            DocumentKind::Table => first.starts_with("name,command,strategy,strategies,bytes_before,"),
            DocumentKind::Events => first.contains("\"event\":\"begin\"") && first.contains("\"lapidary\":"),
            DocumentKind::Specification => {
                first.contains("Written by lapidary from the difference of the two versions")
            }
            DocumentKind::Summary => first == "{" && names_a_command(path)?,
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

/// Where the text of a document goes.
#[derive(Debug, PartialEq, Eq)]
enum Place<'p> {
    /// To our standard output.
    Output,
    /// To our standard error.
    Error,
    /// To a file, pipe or device.
    File {
        path: &'p Path,
        /// Whether it is open already, for somebody who named it in /proc.
        is_shared: bool,
    },
}

impl Place<'_> {
    /// A path like `/dev/stdout` or `/dev/fd/3` names a file that our caller has opened. What we
    /// print there comes after what is there, and the file stays the one that the caller has.
    fn of(path: &Path) -> Place<'_> {
        match stream_of_caller(path).as_deref() {
            _ if path == Path::new("-") => Place::Output,
            Some("1") => Place::Output,
            Some("2") => Place::Error,
            descriptor => Place::File { path, is_shared: descriptor.is_some() },
        }
    }

    fn write(&self, text: &str) -> anyhow::Result<()> {
        match self {
            Place::Output => all_to(io::stdout(), text).context("cannot write to standard output"),
            Place::Error => all_to(io::stderr(), text).context("cannot write to standard error"),
            Place::File { path, is_shared } => {
                let written = if *is_shared { append(path, text) } else { whole(path, text.as_bytes()) };
                written.with_context(|| format!("cannot write {}", path.display()))
            }
        }
    }
}

/// The number of the descriptor of ours that a path leads to, if we may write there.
fn stream_of_caller(path: &Path) -> Option<String> {
    const LINKS: usize = 40;
    let descriptors = Path::new("/proc/self/fd").canonicalize().ok()?;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let folder = directory_of(&path).canonicalize().ok()?;
        if folder == descriptors {
            let number = path.file_name()?.to_string_lossy().into_owned();
            return is_for_writing(&number).then_some(number);
        }
        path = folder.join(path.read_link().ok()?);
    }
    None
}

/// Whether a descriptor of ours was opened for writing. That of an input was not.
fn is_for_writing(number: &str) -> bool {
    let about = std::fs::read_to_string(format!("/proc/self/fdinfo/{number}")).unwrap_or_default();
    let flags = about.lines().find_map(|line| line.strip_prefix("flags:")).map(str::trim);
    let flags = flags.and_then(|flags| u32::from_str_radix(flags, 8).ok());
    flags.is_some_and(|flags| OFlags::from_bits_retain(flags).intersects(OFlags::WRONLY | OFlags::RDWR))
}

/// Writes to a stream of ours. A reader that has gone is not an error.
fn all_to(mut stream: impl Write, text: &str) -> io::Result<()> {
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

fn append(path: &Path, text: &str) -> io::Result<()> {
    OpenOptions::new().append(true).open(path)?.write_all(text.as_bytes())
}

/// Opens a pipe for writing, as soon as it has a reader.
fn open_pipe(path: &Path, cancel: &Cancel, waiting: impl FnOnce()) -> anyhow::Result<io::Result<File>> {
    const LOOK: Duration = Duration::from_millis(20);
    let mut waiting = Some(waiting);
    loop {
        // A plain open would wait, and could not be cancelled.
        let opened = OpenOptions::new().write(true).custom_flags(OFlags::NONBLOCK.bits() as i32).open(path);
        match opened {
            Err(error) if error.raw_os_error() == Some(Errno::NXIO.raw_os_error()) => {
                if cancel.is_cancelled() {
                    bail!("nobody reads the pipe {}", path.display());
                }
                waiting.take().into_iter().for_each(|waiting| waiting());
                std::thread::sleep(LOOK);
            }
            opened => return Ok(opened.and_then(|pipe| Ok(fcntl_setfl(&pipe, OFlags::empty()).map(|()| pipe)?))),
        }
    }
}

/// Writes a file as a whole: beside its place first. A pipe or a device is written to directly, and
/// so is a file that cannot be replaced.
fn whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let found = path.metadata().ok();
    if found.as_ref().is_some_and(|found| !found.is_file()) {
        return OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    match (replaced(path, bytes, found.as_ref()), found) {
        // In place, the text before would be lost without room for the new one.
        (Err(error), Some(_)) if !matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => {
            in_place(path, bytes)
        }
        (replaced, _) => replaced,
    }
}

/// Puts a new file in the place of the one that was found.
fn replaced(path: &Path, bytes: &[u8], found: Option<&Metadata>) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    // The system takes away what the user's mask forbids.
    let mut file = builder.permissions(Permissions::from_mode(0o666)).tempfile_in(directory_of(path))?;
    if let Some(found) = found {
        let new = file.as_file().metadata()?;
        if (new.uid(), new.gid()) != (found.uid(), found.gid()) || found.nlink() > 1 {
            return Err(io::Error::other("the file would get another owner, or lose a name"));
        }
        file.as_file().set_permissions(found.permissions())?;
    }
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

/// Changes the content of a file.
fn in_place(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::event::{PollFd, PollFlags, Timespec};
    use std::fs;

    #[test]
    fn only_a_document_of_the_same_sort_is_replaced() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        let summary = "{\n  \"bytes\": 3,\n  \"command\": \"reduce\"\n}\n";
        for foreign in ["#!/bin/sh\n", "{\n  \"command\": \"serve\"\n}\n", "{\"command\": \"reduce\"}", "<html></html>"]
        {
            fs::write(path("mine"), foreign).unwrap();
            for sort in [
                DocumentKind::Page,
                DocumentKind::Summary,
                DocumentKind::Table,
                DocumentKind::Events,
                DocumentKind::Specification,
            ] {
                let refused = sort.write(&path("mine"), summary).unwrap_err().to_string();
                assert!(refused.contains("so it is not replaced"), "{refused}");
            }
            assert_eq!(fs::read_to_string(path("mine")).unwrap(), foreign);
        }
        for before in ["", summary] {
            fs::write(path("ours"), before).unwrap();
            DocumentKind::Summary.write(&path("ours"), summary).unwrap();
            assert_eq!(fs::read_to_string(path("ours")).unwrap(), summary);
        }
        assert!(DocumentKind::Page.check(&path("ours")).is_err() && DocumentKind::Page.check(place.path()).is_err());
        DocumentKind::Page.check(&path("new")).unwrap();
        assert!(!path("new").exists(), "a check leaves nothing behind");
        assert!(DocumentKind::Page.check(&path("no/such")).is_err());
        DocumentKind::Page.write(Path::new("/dev/null"), "text").unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
        std::os::unix::fs::symlink("nowhere", path("broken")).unwrap();
        for (wrong, reason) in [("socket", "is a socket"), ("broken", "is a link to nothing")] {
            let refused = DocumentKind::Events.check(&path(wrong)).unwrap_err().to_string();
            assert!(refused.contains(reason), "{refused}");
        }
    }

    #[test]
    fn a_check_leaves_the_reader_of_a_pipe_alone() {
        let place = tempfile::tempdir().unwrap();
        let pipe = place.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        DocumentKind::Events.check(&pipe).unwrap();
        let mut reader = File::options().read(true).custom_flags(OFlags::NONBLOCK.bits() as i32).open(&pipe).unwrap();
        let mut poll = [PollFd::new(&reader, PollFlags::IN)];
        DocumentKind::Events.check(&pipe).unwrap();
        rustix::event::poll(&mut poll, Some(&Timespec::default())).unwrap();
        assert!(!poll[0].revents().contains(PollFlags::HUP), "nobody has opened the other end and left");
        DocumentKind::Summary.write(&pipe, "text").unwrap();
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "text");
    }

    #[test]
    fn a_run_that_is_cancelled_waits_for_no_reader() {
        let place = tempfile::tempdir().unwrap();
        let pipe = place.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let cancel = Cancel::new();
        let refused = DocumentKind::Events.create(&pipe, &cancel, || cancel.cancel()).map(drop).unwrap_err();
        assert!(refused.to_string().contains("nobody reads the pipe"), "{refused}");
    }

    #[test]
    fn a_file_keeps_its_mode_and_its_other_names() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        let mode = |name: &str| fs::metadata(path(name)).unwrap().permissions().mode() & 0o7777;
        for (name, wanted) in [("open", 0o666), ("closed", 0o600)] {
            fs::write(path(name), "").unwrap();
            fs::set_permissions(path(name), Permissions::from_mode(wanted)).unwrap();
            DocumentKind::Summary.write(&path(name), "text").unwrap();
            assert_eq!((mode(name), fs::read_to_string(path(name)).unwrap().as_str()), (wanted, "text"));
        }
        let long = "{\n  \"command\": \"reduce\",\n  \"much\": \"more\"\n}\n";
        fs::write(path("one"), long).unwrap();
        fs::hard_link(path("one"), path("other")).unwrap();
        DocumentKind::Summary.write(&path("one"), "short").unwrap();
        assert_eq!(fs::read_to_string(path("other")).unwrap(), "short");
    }

    #[test]
    fn a_link_leads_to_the_file_that_is_replaced() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::write(path("file"), "").unwrap();
        std::os::unix::fs::symlink(path("file"), path("link")).unwrap();
        DocumentKind::Summary.write(&path("link"), "text").unwrap();
        assert!(path("link").is_symlink() && fs::read_to_string(path("file")).unwrap() == "text");
    }
}
