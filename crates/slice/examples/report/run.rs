//! Compiles a program and runs it in gdb.

use crate::case::{Case, is_source};
use lapidary_common::shell::quoted;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The result of comparing a program with the original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Same,
    DoesNotCompile(String),
    Differs(String),
}

/// Compiles the files, runs the program, and compares its failure with the original's.
pub fn try_out(case: &Case, files: &[(PathBuf, Vec<u8>)]) -> Verdict {
    let folder = tempfile::tempdir().expect("a temporary directory");
    if let Err(message) = compile(case, folder.path(), files, &[]) {
        return Verdict::DoesNotCompile(message);
    }
    let output = run_in_gdb(case, folder.path());
    let line = format!("{}:{}", case.file, case.line);
    let frame = frames(&output, files).next();
    let at_place = frame.as_ref().is_some_and(|(function, place)| {
        place.ends_with(&line) && (*function == case.function || function.ends_with(&case.function))
    });
    if output.contains(&case.message) && at_place {
        return Verdict::Same;
    }
    let last: Vec<_> = output.lines().rev().filter(|line| !line.trim().is_empty()).take(3).collect();
    Verdict::Differs(format!("{frame:?} {}", last.join(" | ")))
}

/// Writes the files and compiles them to `program`, together with some extra files.
pub fn compile(case: &Case, folder: &Path, files: &[(PathBuf, Vec<u8>)], more: &[PathBuf]) -> Result<(), String> {
    for (path, text) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    let sources: Vec<_> = files.iter().map(|(path, _)| path).filter(|path| is_source(path)).collect();
    let is_c = sources.iter().all(|path| path.extension().is_some_and(|extension| extension == "c"));
    let mut command = Command::new(if is_c { "gcc" } else { "g++" });
    command
        .current_dir(folder)
        .args(["-g", "-O0", "-w"])
        .args(&case.flags)
        .args(&sources)
        .args(more)
        .args(["-o", "program"]);
    let done = command.output().expect("a compiler");
    let message =
        String::from_utf8_lossy(&done.stderr).lines().find(|line| line.contains("rror")).unwrap_or("?").to_owned();
    if done.status.success() { Ok(()) } else { Err(message) }
}

/// Links these files to the tracing runtime, runs the program, and returns its trace.
pub fn trace(case: &Case, files: &[(PathBuf, Vec<u8>)], runtime: &str) -> Result<Vec<u8>, String> {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let (source, object) = (folder.path().join("lapidary_runtime.c"), folder.path().join("lapidary_runtime.o"));
    std::fs::write(&source, runtime).expect("a file");
    let made = Command::new("gcc")
        .args(["-O2", "-fno-omit-frame-pointer", "-c"])
        .arg(&source)
        .arg("-o")
        .arg(&object)
        .status()
        .expect("gcc");
    assert!(made.success(), "the runtime compiles");
    compile(case, folder.path(), files, &[object])?;
    let input = case.stdin.as_deref().unwrap_or(Path::new("/dev/null"));
    let mut command = Command::new("timeout");
    command.args(["20", "./program"]).args(&case.arguments).current_dir(folder.path());
    environment(&mut command);
    command.env("LAPIDARY_TRACE", folder.path().join("trace"));
    let input = std::fs::File::open(input).expect("the input");
    command.stdin(input).stdout(Stdio::null()).stderr(Stdio::null()).status().expect("a run");
    std::fs::read(folder.path().join("trace")).map_err(|error| error.to_string())
}

fn run_in_gdb(case: &Case, folder: &Path) -> String {
    let quoted: Vec<_> = case.arguments.iter().map(|argument| quoted(argument)).collect();
    let input = case.stdin.as_deref().unwrap_or(Path::new("/dev/null"));
    let run = format!("run {} < '{}'", quoted.join(" "), input.display());
    let steps = ["set width 0", "set print frame-arguments none", "set debuginfod enabled off", &run, "bt 60", "kill"];
    let mut command = Command::new("timeout");
    command.args(["20", "gdb", "--batch", "-nx"]).args(steps.iter().flat_map(|step| ["-ex", step])).arg("./program");
    environment(&mut command);
    let done = command.current_dir(folder).stdin(Stdio::null()).output().expect("gdb");
    let both = [done.stdout, done.stderr].concat();
    String::from_utf8_lossy(&both).into_owned()
}

pub fn environment(command: &mut Command) {
    command.env("ASAN_OPTIONS", "abort_on_error=1:detect_leaks=0").env("UBSAN_OPTIONS", "abort_on_error=1");
    command.env("LC_ALL", "C").env("MALLOC_PERTURB_", "165");
}

/// Returns the function and location of each frame in the program's own files, innermost first.
fn frames(output: &str, files: &[(PathBuf, Vec<u8>)]) -> impl Iterator<Item = (String, String)> {
    let names: Vec<_> = files.iter().map(|(path, _)| path.to_string_lossy().into_owned()).collect();
    let lines: Vec<_> = output.lines().filter(|line| line.starts_with('#')).map(str::to_owned).collect();
    lines.into_iter().filter_map(move |line| {
        let (before, place) = line.rsplit_once(" at ")?;
        let (file, _) = place.rsplit_once(':')?;
        let function = before.split_once(" (")?.0.rsplit(' ').next()?;
        let function = function.split(['[', '(']).next()?.to_owned();
        names.iter().any(|name| file.ends_with(name.as_str())).then(|| (function, place.to_owned()))
    })
}
