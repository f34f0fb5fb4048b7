//! Finds the program of the test and checks that it can be started.

use lapidary_common::program::on_path_from;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a program cannot be started.
#[derive(Debug, Error)]
pub enum ProgramError {
    /// No program was named.
    #[error("no test was given: name a command after --")]
    Missing,
    /// There is no such program on the PATH or in the current directory.
    #[error("no such command: {0}")]
    NotFound(String),
    /// The path is a directory.
    #[error("{0} is a directory, not a test")]
    Directory(String),
    /// The file is not executable.
    #[error("{0} is not executable: run chmod +x {0}")]
    NotExecutable(String),
    /// The file is a script that cannot be read.
    #[error("{0} cannot be read: {1}")]
    Unreadable(String, std::io::Error),
    /// The file is empty.
    #[error("{0} is empty")]
    Empty(String),
    /// The file is a script whose first line names no interpreter.
    #[error("{0} does not say which program runs it: its first line must be #!/bin/sh or the like")]
    NoInterpreter(String),
    /// The file is a script whose interpreter cannot be started.
    #[error("{script} cannot run: its first line names {interpreter}, {reason}")]
    BadInterpreter {
        /// The script.
        script: String,
        /// The interpreter that its first line names.
        interpreter: String,
        /// The problem with the interpreter.
        reason: &'static str,
    },
}

/// The absolute path of a program, as found from the directory `here`. A path with a slash is
/// relative to `here`; a bare word is searched on PATH, then in `here`.
pub fn resolve(program: &OsStr, here: &Path) -> Result<PathBuf, ProgramError> {
    if program.is_empty() {
        return Err(ProgramError::Missing);
    }
    let found = if program.as_bytes().contains(&b'/') { None } else { on_path_from(program, here) };
    let path = found.unwrap_or_else(|| here.join(program));
    check(&path, &program.to_string_lossy())?;
    Ok(path)
}

fn is_executable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

fn check(path: &Path, name: &str) -> Result<(), ProgramError> {
    match path.metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(ProgramError::NotFound(name.into())),
        Err(error) => return Err(ProgramError::Unreadable(name.into(), error)),
        Ok(metadata) if metadata.is_dir() => return Err(ProgramError::Directory(name.into())),
        Ok(_) if !is_executable(path) => return Err(ProgramError::NotExecutable(name.into())),
        Ok(_) => {}
    }
    match beginning(path) {
        // A binary may be executable without being readable. A script may not, but then its
        // interpreter reports that.
        Err(_) => Ok(()),
        Ok(bytes) => check_beginning(&bytes, name),
    }
}

fn beginning(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(512).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn check_beginning(bytes: &[u8], name: &str) -> Result<(), ProgramError> {
    if bytes.is_empty() {
        return Err(ProgramError::Empty(name.into()));
    }
    if let Some(rest) = bytes.strip_prefix(b"#!") {
        let line = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
        return check_interpreter(&String::from_utf8_lossy(line), name);
    }
    // Binaries of any format are left to the kernel, which may be configured to run them.
    if bytes.contains(&0) { Ok(()) } else { Err(ProgramError::NoInterpreter(name.into())) }
}

fn check_interpreter(line: &str, script: &str) -> Result<(), ProgramError> {
    let bad = |interpreter: &str, reason| {
        Err(ProgramError::BadInterpreter { script: script.into(), interpreter: interpreter.into(), reason })
    };
    let mut words = line.split_ascii_whitespace();
    let interpreter = words.next().unwrap_or_default();
    if line.ends_with('\r') {
        return bad(interpreter, "and ends with a carriage return: save the script with Unix line ends");
    }
    if !Path::new(interpreter).is_file() {
        return bad(interpreter, "which does not exist");
    }
    if !is_executable(Path::new(interpreter)) {
        return bad(interpreter, "which is not executable");
    }
    if interpreter.ends_with("/env")
        && let Some(program) = words.find(|word| !word.starts_with('-') && !word.contains('='))
        && on_path_from(OsStr::new(program), Path::new("/")).is_none()
    {
        return bad(program, "which is not on PATH");
    }
    Ok(())
}
