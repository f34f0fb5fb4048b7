//! The programs of bench/triage, compiled once.

use lapidary_reduce::Cancel;
use lapidary_tracer::{JavaCommand, Jdk, Recording, Run};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tempfile::TempDir;

/// A directory with the classes of one program, which is a package of that name with a `Main`.
pub fn classes(program: &str) -> PathBuf {
    static CLASSES: OnceLock<TempDir> = OnceLock::new();
    CLASSES.get_or_init(compiled).path().join(program)
}

fn compiled() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/triage/programs");
    let folders: Vec<PathBuf> = std::fs::read_dir(programs).unwrap().flatten().map(|entry| entry.path()).collect();
    let together = place.path().join("together");
    let sources = folders.iter().map(|folder| folder.join("Main.java"));
    lapidary_testkit::javac(&[], &together, sources);
    for folder in folders {
        let name = folder.file_name().unwrap();
        let own = place.path().join(name);
        std::fs::create_dir(&own).unwrap();
        std::fs::rename(together.join(name), own.join(name)).unwrap();
        copy(&folder.join("META-INF/services"), &own.join("META-INF/services"));
    }
    place
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).into_iter().flatten().flatten() {
        std::fs::create_dir_all(to).unwrap();
        std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

/// Runs one of the programs under the tracer.
pub fn traced(program: &str, objects: bool) -> Run {
    let run = JavaCommand {
        class_path: vec![classes(program)],
        main: format!("{program}.Main"),
        arguments: Vec::new(),
        stdin: None,
        options: Vec::new(),
    };
    let recording = Recording { objects, ..Recording::default() };
    run.trace(&Jdk::installed().unwrap(), &recording, &Cancel::new()).unwrap()
}
