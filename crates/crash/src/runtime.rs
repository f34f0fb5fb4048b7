//! The part of us that is linked into every candidate, compiled once for each compiler and kept in the user's cache.

use crate::build::Build;
use crate::error::CrashError;
use crate::toolchain::is_sanitizing;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCES: [(&str, &str); 4] = [
    ("trap.c", include_str!("../runtime/trap.c")),
    ("report.h", include_str!("../runtime/report.h")),
    ("walk.h", include_str!("../runtime/walk.h")),
    ("exceptions.h", include_str!("../runtime/exceptions.h")),
];

/// The object for programs of this build. Where nothing can be kept it is made anew, in `scratch`.
pub fn object(compiler: &Path, build: &Build, scratch: &Path) -> Result<PathBuf, CrashError> {
    match cache().map(|cache| object_in(&cache, compiler, build)) {
        Some(Err(CrashError::Write(..))) | None => object_in(scratch, compiler, build),
        Some(made) => made,
    }
}

fn object_in(directory: &Path, compiler: &Path, build: &Build) -> Result<PathBuf, CrashError> {
    let flags = flags(build);
    let place = directory.join(format!("trap-{}.o", key(compiler, &flags)));
    if place.exists() {
        return Ok(place);
    }
    let failed = |error| CrashError::Write(place.clone(), error);
    fs::create_dir_all(directory).map_err(failed)?;
    let workshop = tempfile::Builder::new().prefix("making-").tempdir_in(directory).map_err(failed)?;
    let made = make(compiler, &flags, workshop.path())?;
    // Somebody else may have been faster, which does no harm.
    fs::rename(made, &place).map_err(failed)?;
    Ok(place)
}

/// `$XDG_CACHE_HOME/lapidary/crash` or `~/.cache/lapidary/crash`: a place that belongs to the user alone.
fn cache() -> Option<PathBuf> {
    let absolute = |name| std::env::var_os(name).map(PathBuf::from).filter(|path: &PathBuf| path.is_absolute());
    let base = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
    base.map(|base| base.join("lapidary/crash"))
}

/// What the object must have in common with the program it becomes part of.
fn flags(build: &Build) -> Vec<String> {
    let plain = build.all_flags().any(|flag| is_sanitizing(flag) || flag.starts_with("-static"));
    let machine = |flag: &&str| matches!(*flag, "-m32" | "-mx32" | "-m64") || flag.starts_with("--target=");
    let mut flags: Vec<String> = build.all_flags().filter(machine).map(String::from).collect();
    flags.extend(plain.then(|| "-DLAPIDARY_PLAIN".into()));
    flags
}

fn key(compiler: &Path, flags: &[String]) -> String {
    let stamp = compiler.metadata().map_or(0, |metadata| metadata.mtime());
    let text = format!("{}\0{stamp}\0{}\0{SOURCES:?}", compiler.display(), flags.join("\0"));
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

fn make(compiler: &Path, flags: &[String], workshop: &Path) -> Result<PathBuf, CrashError> {
    let failed = |error: io::Error| CrashError::Write(workshop.to_path_buf(), error);
    let object = workshop.join("trap.o");
    for (name, text) in SOURCES {
        fs::write(workshop.join(name), text).map_err(failed)?;
    }
    let output = Command::new(compiler)
        .args(["-x", "c", "-std=gnu11", "-O2", "-fPIC", "-fexceptions", "-g0", "-w"])
        .args(flags)
        .args(["-c", "trap.c", "-o", "trap.o"])
        .current_dir(workshop)
        .output()
        .map_err(failed)?;
    if output.status.success() {
        return Ok(object);
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
        let unwritable = object_in(Path::new("/proc/nope"), &compiler, &Build::default());
        assert!(matches!(unwritable, Err(CrashError::Write(..))));
        let scratch = tempfile::tempdir().unwrap();
        let made = object_in(scratch.path(), &compiler, &Build::default()).unwrap();
        assert!(made.starts_with(scratch.path()) && made.exists());
    }
}
