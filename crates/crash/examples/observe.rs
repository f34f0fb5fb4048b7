//! Compiles and runs a C or C++ file, or a directory with compile_commands.json, and prints the
//! observed outcome and its cost: `observe [FLAGS...] PATH [-- ARGUMENTS...]`. Standard input is
//! recorded unless it is a terminal.

use lapidary_crash::{Build, Closeness, CrashPredicate, Execution, Outcome, read_compile_commands};
use lapidary_reduce::{Cancel, Entry, FileTree};
use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::OsString;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    lapidary_predicate::warden::run_if_asked();
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let arguments = words.iter().position(|word| word == "--").map(|at| words.split_off(at)).unwrap_or_default();
    let (flags, paths): (Vec<_>, Vec<_>) = words.into_iter().partition(|word| word.starts_with('-'));
    let [path] = paths.as_slice() else {
        eprintln!("usage: observe [FLAGS] PATH [-- ARGUMENTS]");
        return ExitCode::from(2);
    };
    match observe(Path::new(path), flags, arguments.into_iter().skip(1).map(OsString::from).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn observe(path: &Path, flags: Vec<String>, arguments: Vec<OsString>) -> Result<(), Box<dyn Error>> {
    let path = path.canonicalize()?;
    let (tree, build) = if path.is_dir() { project(&path)? } else { single(&path)? };
    let mut stdin = Vec::new();
    if !std::io::stdin().is_terminal() {
        std::io::stdin().read_to_end(&mut stdin)?;
    }
    let execution = Execution { arguments, stdin, ..Execution::default() };
    let build = Build { flags, ..build };
    let found = CrashPredicate::discover(build, execution, &tree, 3, Closeness::Error, &Cancel::new())?;
    println!("{}", found.failure().explain(&tree));
    println!("seen in {:.0} % of {} runs", 100.0 * found.reproduction.rate(), found.reproduction.runs);
    let predicate = found.same_error();
    for _ in 0..5 {
        let observed = predicate.observer().observe(&tree, &Cancel::new())?;
        let [compile, run, symbolise] =
            [observed.timings.compile, observed.timings.run, observed.timings.symbolise].map(milliseconds);
        let failed = matches!(observed.outcome, Outcome::Failed(_));
        println!("failed: {failed}; compile {compile:.1} ms, run {run:.1} ms, symbolise {symbolise:.1} ms");
    }
    Ok(())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn single(path: &Path) -> Result<(FileTree, Build), Box<dyn Error>> {
    let tree = FileTree::file(path.file_name().unwrap_or_default().to_string_lossy(), std::fs::read(path)?);
    Ok((tree, Build { origin: path.parent().map(Path::to_path_buf), ..Build::default() }))
}

fn project(path: &Path) -> Result<(FileTree, Build), Box<dyn Error>> {
    let mut entries = BTreeMap::new();
    collect(path, Path::new(""), &mut entries)?;
    let tree = FileTree::directory("project", entries);
    let build = Build::of_project(&read_compile_commands(path)?, &tree, path);
    Ok((tree, build))
}

fn collect(root: &Path, below: &Path, entries: &mut BTreeMap<PathBuf, Entry>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(root.join(below))? {
        let entry = entry?;
        let path = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            collect(root, &path, entries)?;
        } else {
            entries.insert(path, Entry::file(std::fs::read(entry.path())?));
        }
    }
    Ok(())
}
