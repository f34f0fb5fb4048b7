//! Finding the test, and saying what is wrong with it before anything starts.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum ProgramError {
    #[error("no test was given: name a command after --")]
    Missing,
    #[error("no such command: {0}")]
    NotFound(String),
    #[error("{0} is a directory, not a test")]
    Directory(String),
    #[error("{0} is not executable: run chmod +x {0}")]
    NotExecutable(String),
    #[error("{0} cannot be read: {1}")]
    Unreadable(String, std::io::Error),
    #[error("{0} is empty")]
    Empty(String),
    #[error("{0} does not say which program runs it: its first line must be #!/bin/sh or the like")]
    NoInterpreter(String),
    #[error("{script} cannot run: its first line names {interpreter}, {reason}")]
    BadInterpreter { script: String, interpreter: String, reason: &'static str },
}

/// The absolute path of a program as the user would find it from the directory `here`: a path with a slash is taken
/// from there, a bare word from PATH, or else from there too.
pub fn resolve(program: &OsStr, here: &Path) -> Result<PathBuf, ProgramError> {
    if program.is_empty() {
        return Err(ProgramError::Missing);
    }
    let found = if program.as_bytes().contains(&b'/') { None } else { on_path(program, here) };
    let path = found.unwrap_or_else(|| here.join(program));
    check(&path, &program.to_string_lossy())?;
    Ok(path)
}

fn on_path(program: &OsStr, here: &Path) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_else(|| OsString::from("/usr/local/bin:/usr/bin:/bin"));
    std::env::split_paths(&path)
        .map(|directory| here.join(directory).join(program))
        .find(|path| path.is_file() && is_executable(path))
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
        // A program may be executable without being readable. A script may not, but its interpreter says so.
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
    // Binaries of any format go to the kernel, which may have been taught to run them.
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
        && on_path(OsStr::new(program), Path::new("/")).is_none()
    {
        return bad(program, "which is not on PATH");
    }
    Ok(())
}
