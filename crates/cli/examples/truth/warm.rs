//! A JVM that stays alive. The tested program gets a `java` that starts no JVM, but asks `WarmJava`
//! over a socket.
//!
//! A replay then takes a few milliseconds. Each loads its own classes.

use lapidary_java_workers::Replay;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};

/// The environment variable with the socket that the JVM listens on.
const SOCKET: &str = "TRUTH_JAVA_SOCKET";

/// A JVM that listens on a socket. It is ended on drop.
pub struct Warm {
    child: Child,
    socket: PathBuf,
    home: PathBuf,
}

impl Warm {
    /// Starts the JVM with `WarmJava` from a directory. The socket and a Java home go to `place`.
    pub fn start(installed: &Path, place: &Path) -> anyhow::Result<Warm> {
        let (socket, home) = (place.join("socket"), place.join("home"));
        std::fs::create_dir_all(home.join("bin"))?;
        let real = Replay::install()?.java;
        let real_home = real.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
        for shared in ["lib", "release"] {
            std::os::unix::fs::symlink(real_home.join(shared), home.join(shared))?;
        }
        std::os::unix::fs::symlink(std::env::current_exe()?, home.join("bin/java"))?;
        std::fs::write(home.join("bin/javac"), format!("#!/bin/sh\nexec {}/bin/javac \"$@\"\n", real_home.display()))?;
        let mut java = Command::new(real);
        java.args(Replay::JVM_OPTIONS).arg("-cp").arg(installed).arg("WarmJava").arg(&socket);
        let mut child = java.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut ready = String::new();
        if let Some(out) = child.stdout.take() {
            BufReader::new(out).read_line(&mut ready)?;
        }
        Ok(Warm { child, socket, home })
    }

    /// Makes a command use this JVM as its Java.
    pub fn given_to(&self, command: &mut Command) {
        command.env("JAVA_HOME", &self.home).env(SOCKET, &self.socket);
    }

    /// The program that takes the place of `java`.
    pub fn java(&self) -> PathBuf {
        self.home.join("bin/java")
    }
}

impl Drop for Warm {
    fn drop(&mut self) {
        // An error means that it has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn is_called_as_java() -> bool {
    let name = std::env::args_os().next().map(PathBuf::from);
    name.is_some_and(|name| name.file_name().is_some_and(|name| name == "java"))
}

/// Passes the arguments to the JVM, and its answer back.
pub fn as_java() -> anyhow::Result<ExitCode> {
    let socket = std::env::var_os(SOCKET).map(PathBuf::from).or_else(beside).unwrap_or_default();
    let mut stream = UnixStream::connect(socket)?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut message = (arguments.len() as u32).to_be_bytes().to_vec();
    for argument in &arguments {
        message.extend((argument.len() as u32).to_be_bytes());
        message.extend(argument.as_bytes());
    }
    stream.write_all(&message)?;
    if arguments.iter().any(|argument| argument.ends_with(".Replay")) {
        let code = number(&mut stream)?;
        let (out, err) = (block(&mut stream)?, block(&mut stream)?);
        io::stdout().write_all(&out)?;
        io::stderr().write_all(&err)?;
        return Ok(ExitCode::from(code as u8));
    }
    let mut calls = stream.try_clone()?;
    std::thread::spawn(move || {
        // If the reader at the other end is gone, no answer is expected.
        let _ = io::copy(&mut io::stdin(), &mut calls);
        let _ = calls.shutdown(std::net::Shutdown::Write);
    });
    for line in BufReader::new(stream).lines() {
        println!("{}", line?);
    }
    Ok(ExitCode::SUCCESS)
}

/// The socket of the Java home that this program is called from.
fn beside() -> Option<PathBuf> {
    let called = PathBuf::from(std::env::args_os().next()?);
    Some(called.parent()?.parent()?.parent()?.join("socket"))
}

fn number(stream: &mut UnixStream) -> io::Result<u32> {
    let mut bytes = [0; 4];
    stream.read_exact(&mut bytes)?;
    Ok(u32::from_be_bytes(bytes))
}

fn block(stream: &mut UnixStream) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; number(stream)? as usize];
    stream.read_exact(&mut bytes)?;
    Ok(bytes)
}
