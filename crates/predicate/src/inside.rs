//! The first process of ours in a sandbox. It runs the program and notes how that ended.
//!
//! Bubblewrap reports death by a signal like a shell, as exit code 128 + n. A program that exits with
//! such a code would look as if it had been killed, so the end is noted in a file, which has no name
//! any more when the program starts. The process is our own executable, started with a hidden
//! argument. Where that is not possible, exit codes above 128 that belong to a signal are taken for
//! that signal, except SIGKILL: a test may well end with 137 because one of its children was killed.

use crate::ending::{Ending, is_signal};
use crate::warden;
use lapidary_common::sandbox::Sandbox;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

const ARGUMENT: &str = "__inside";

/// The name of the note.
const NAME: &str = ".lapidary-ending";

/// The beginning of a note about a program that could not be started.
const NOT_STARTED: &str = "not started: ";

/// If this process was started inside a sandbox, runs the program and never returns.
pub fn run_if_asked() {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().as_deref() == Some(OsStr::new(ARGUMENT))
        && let (Some(note), Some(program)) = (arguments.next(), arguments.next())
    {
        let note = take(Path::new(&note));
        std::process::exit(run(Command::new(program).args(arguments), note));
    }
}

/// Opens the note and removes its name, so that the program neither sees nor changes it. Nothing
/// else is ever removed.
fn take(note: &Path) -> Option<File> {
    let file = File::options().write(true).open(note).ok()?;
    let is_note = note.ends_with(NAME) && file.metadata().is_ok_and(|found| found.is_file());
    fs::remove_file(Some(note).filter(|_| is_note)?).ok().map(|()| file)
}

/// Runs the command and returns an exit code for those who do not read the note. The program gets a
/// process group of its own: it may end that without ending us.
fn run(command: &mut Command, note: Option<File>) -> i32 {
    let (text, code) = match command.process_group(0).status() {
        Ok(status) => {
            let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default());
            (status.into_raw().to_string(), code)
        }
        Err(error) => (format!("{NOT_STARTED}{error}"), 127),
    };
    // If the note cannot be written, the exit code has to do.
    let _ = note.map(|mut note| note.write_all(text.as_bytes()));
    code
}

/// The file in which the process inside notes how the program ended. Dropping it removes the file,
/// in case nobody took it.
pub struct EndingNote {
    executable: PathBuf,
    path: PathBuf,
    file: File,
}

impl EndingNote {
    /// Creates an empty note in the directory for temporary files of a run. There is none if our
    /// executable cannot serve inside.
    pub fn within(temporary: &Path) -> io::Result<Option<EndingNote>> {
        let Some(executable) = std::env::current_exe().ok().filter(|path| warden::available() && path.is_file()) else {
            return Ok(None);
        };
        let path = temporary.join(NAME);
        let file = File::options().read(true).write(true).create_new(true).open(&path)?;
        Ok(Some(EndingNote { executable, path, file }))
    }

    /// The sandbox in which our executable is visible.
    pub fn shown_in(&self, sandbox: Sandbox) -> Sandbox {
        sandbox.reads(&self.executable)
    }

    /// The words that come before the program.
    pub fn words(&self) -> [OsString; 3] {
        [self.executable.clone().into(), ARGUMENT.into(), self.path.clone().into()]
    }

    fn text(&self) -> String {
        let mut text = String::new();
        // A note that cannot be read says nothing.
        let _ = (&self.file).read_to_string(&mut text);
        text
    }
}

impl Drop for EndingNote {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// How a program in a sandbox ended whose bubblewrap ended like this, or why it could not be started.
/// `stderr` is what both have printed.
pub fn ending(seen: Ending, note: Option<&EndingNote>, stderr: &[u8]) -> Result<Ending, String> {
    let text = note.map(EndingNote::text).unwrap_or_default();
    if let Some(reason) = text.strip_prefix(NOT_STARTED) {
        return Err(reason.to_owned());
    }
    if let Ok(status) = text.parse() {
        return Ok(ExitStatus::from_raw(status).into());
    }
    match seen {
        Ending::Exited(1) if stderr.starts_with(b"bwrap: ") => Err(String::from_utf8_lossy(stderr).trim().to_owned()),
        Ending::Exited(code) if code != 128 + libc::SIGKILL && is_signal(code - 128) => {
            Ok(Ending::Signalled(code - 128))
        }
        other => Ok(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(text: &str) -> EndingNote {
        let path = tempfile::NamedTempFile::new().unwrap().into_temp_path().keep().unwrap();
        fs::write(&path, text).unwrap();
        EndingNote { executable: "/bin/false".into(), file: File::open(&path).unwrap(), path }
    }

    #[test]
    fn the_note_counts_and_the_exit_code_only_without_it() {
        let seen = Ending::Exited(139);
        assert_eq!(ending(seen, Some(&noted("11")), b""), Ok(Ending::Signalled(11)));
        assert_eq!(ending(seen, Some(&noted("35584")), b""), Ok(Ending::Exited(139)));
        assert_eq!(ending(seen, Some(&noted("")), b""), Ok(Ending::Signalled(11)));
        assert_eq!(ending(seen, None, b""), Ok(Ending::Signalled(11)));
        for code in [0, 1, 127, 137, 255] {
            assert_eq!(ending(Ending::Exited(code), None, b"bwrap"), Ok(Ending::Exited(code)));
        }
        assert_eq!(ending(Ending::Signalled(9), None, b""), Ok(Ending::Signalled(9)));
    }

    #[test]
    fn a_sandbox_that_cannot_be_made_is_no_ending() {
        let failed = ending(Ending::Exited(1), Some(&noted("")), b"bwrap: Can't find source path /x\n");
        assert_eq!(failed, Err("bwrap: Can't find source path /x".into()));
        let missing = ending(Ending::Exited(127), Some(&noted("not started: No such file")), b"");
        assert_eq!(missing, Err("No such file".into()));
    }
}
