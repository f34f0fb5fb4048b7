//! Lapidary's own runtime parts: the object linked into every candidate and the library loaded into
//! the compiler. Each is compiled once per compiler and kept in the user's cache.

use crate::build::Build;
use crate::disturbance::output;
use crate::error::CrashError;
use crate::flags::is_sanitizing;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A runtime part to compile.
struct Part {
    /// The start of its file name.
    name: &'static str,
    extension: &'static str,
    /// The source files. The first is compiled, the others are included.
    sources: &'static [(&'static str, &'static str)],
    flags: &'static [&'static str],
}

const TRAP: Part = Part {
    name: "trap",
    extension: "o",
    sources: &[
        ("trap.c", include_str!("../runtime/trap.c")),
        ("report.h", include_str!("../runtime/report.h")),
        ("walk.h", include_str!("../runtime/walk.h")),
        ("steps.h", include_str!("../runtime/steps.h")),
        ("memory.h", include_str!("../runtime/memory.h")),
        ("exceptions.h", include_str!("../runtime/exceptions.h")),
    ],
    flags: &["-c"],
};

const COMPILE_SERVER: Part = Part {
    name: "compile-server",
    extension: "so",
    sources: &[("compile_server.c", include_str!("../runtime/compile_server.c"))],
    flags: &["-shared", "-ldl"],
};

/// Returns the object for programs of this build.
pub fn object(compiler: &Path, build: &Build, scratch: &Path) -> Result<PathBuf, CrashError> {
    made(&TRAP, compiler, &flags(build), scratch)
}

/// Returns the library that turns a compiler into a server.
pub fn compile_server(compiler: &Path, scratch: &Path) -> Result<PathBuf, CrashError> {
    made(&COMPILE_SERVER, compiler, &[], scratch)
}

/// Returns a compiled part from the cache. If the cache cannot be written, the part is compiled in
/// `scratch`.
fn made(part: &Part, compiler: &Path, flags: &[String], scratch: &Path) -> Result<PathBuf, CrashError> {
    match cache().map(|cache| made_in(&cache, part, compiler, flags)) {
        Some(Err(CrashError::Write(..))) | None => made_in(scratch, part, compiler, flags),
        Some(made) => made,
    }
}

fn made_in(directory: &Path, part: &Part, compiler: &Path, flags: &[String]) -> Result<PathBuf, CrashError> {
    let place = directory.join(format!("{}-{}.{}", part.name, key(part, compiler, flags), part.extension));
    if place.exists() {
        return Ok(place);
    }
    let failed = |error| CrashError::Write(place.clone(), error);
    fs::create_dir_all(directory).map_err(failed)?;
    let workshop = tempfile::Builder::new().prefix("making-").tempdir_in(directory).map_err(failed)?;
    let made = make(part, compiler, flags, workshop.path())?;
    // Another process may have been faster, which does no harm.
    fs::rename(made, &place).map_err(failed)?;
    Ok(place)
}

/// Returns `$XDG_CACHE_HOME/lapidary/crash` or `~/.cache/lapidary/crash`, which belong to the user
/// alone.
fn cache() -> Option<PathBuf> {
    let absolute = |name| std::env::var_os(name).map(PathBuf::from).filter(|path: &PathBuf| path.is_absolute());
    let base = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
    base.map(|base| base.join("lapidary/crash"))
}

/// Returns the flags that the object must share with the program it becomes part of.
fn flags(build: &Build) -> Vec<String> {
    let plain = build.all_flags().any(|flag| is_sanitizing(flag) || flag.starts_with("-static"));
    let machine = |flag: &&str| matches!(*flag, "-m32" | "-mx32" | "-m64") || flag.starts_with("--target=");
    let mut flags: Vec<String> = build.all_flags().filter(machine).map(String::from).collect();
    flags.extend(plain.then(|| "-DLAPIDARY_PLAIN".into()));
    flags
}

fn key(part: &Part, compiler: &Path, flags: &[String]) -> String {
    let stamp = compiler.metadata().map_or(0, |metadata| metadata.mtime());
    let text = format!("{}\0{stamp}\0{}\0{:?}\0{:?}", compiler.display(), flags.join("\0"), part.flags, part.sources);
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

fn make(part: &Part, compiler: &Path, flags: &[String], workshop: &Path) -> Result<PathBuf, CrashError> {
    let failed = |error: io::Error| CrashError::Write(workshop.to_path_buf(), error);
    for (name, text) in part.sources {
        fs::write(workshop.join(name), text).map_err(failed)?;
    }
    let mut command = Command::new(compiler);
    command
        .args(["-x", "c", "-std=gnu11", "-O2", "-fPIC", "-fexceptions", "-g0", "-w"])
        .args(flags)
        .args([part.sources[0].0, "-o", "made"])
        .args(part.flags)
        .current_dir(workshop);
    let output = output(&mut command, failed)?;
    if output.status.success() {
        return Ok(workshop.join("made"));
    }
    let errors = String::from_utf8_lossy(&output.stderr).lines().take(12).collect::<Vec<_>>().join("\n");
    Err(CrashError::Runtime { compiler: compiler.display().to_string(), errors })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_made_where_it_can_be() {
        let compiler = lapidary_predicate::resolve("gcc".as_ref(), Path::new("/")).unwrap();
        let unwritable = made_in(Path::new("/proc/nope"), &TRAP, &compiler, &[]);
        assert!(matches!(unwritable, Err(CrashError::Write(..))));
        let scratch = tempfile::tempdir().unwrap();
        let made = made_in(scratch.path(), &TRAP, &compiler, &[]).unwrap();
        assert!(made.starts_with(scratch.path()) && made.exists());
    }
}
