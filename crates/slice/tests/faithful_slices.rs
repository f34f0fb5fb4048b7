//! A slice behaves like its program: compiled and run on the same input, it gives the criterion's
//! variable the same values in the same order.
//!
//! `LAPIDARY_SLICE_PROGRAMS` sets how many random programs are tried, and `LAPIDARY_SLICE_SEED` the
//! first seed.

use crate::common;
use crate::generated;

use common::units;
use generated::Generated;
use lapidary_slice::{Criterion, Slice, Style, apply, dynamic_slice, instrument, static_slice};
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of programs that a plain run of the tests tries.
const PROGRAMS: u64 = 24;
/// The number of lines of each program that are used as criteria.
const QUESTIONS: usize = 3;

#[test]
fn slices_give_the_variable_the_values_it_had() {
    let number = |name: &str, default| std::env::var(name).map_or(default, |text| text.parse().expect("a number"));
    let first = number("LAPIDARY_SLICE_SEED", 0);
    let last = first + number("LAPIDARY_SLICE_PROGRAMS", PROGRAMS);
    let (next, found) = (AtomicU64::new(first), Mutex::new(Tally::default()));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= last {
                return;
            }
            let tally = asked_about(seed);
            found.lock().expect("no panic so far").add(tally);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let found = found.into_inner().expect("no panic");
    println!("{} programs, {} slices, {} wrong", last - first, found.slices, found.wrong.len());
    assert!(found.slices > 0, "no slice was tried");
    assert!(found.wrong.is_empty(), "{}", found.wrong.join("\n"));
}

#[derive(Default)]
struct Tally {
    slices: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.slices += other.slices;
        self.wrong.extend(other.wrong);
    }
}

/// Checks slices for some lines of one program, static and dynamic, with and without a variable.
fn asked_about(seed: u64) -> Tally {
    let (program, place) = (Generated::new(seed), tempfile::tempdir().expect("a temporary directory"));
    let path = place.path().join("program.c");
    std::fs::write(&path, program.text()).expect("a file");
    let watched = program.watched(&program.text(), &|_| true).expect("its own text");
    let expected = values(&run(place.path(), "original", &watched, &program).unwrap_or_else(|problem| {
        panic!("seed {seed}: the program itself: {problem}\n{}", program.text());
    }));
    let units = units(&path);
    let instrumented = instrument(&units, &[]);
    let trace =
        trace(&path, &instrumented.runtime(), &apply(&instrumented.edits, &path, program.text().as_bytes()), &program);
    let mut tally = Tally::default();
    for (line, variable) in chosen(&program, &expected) {
        let values_then = expected.get(&line).map_or(&[][..], Vec::as_slice);
        for variable in [Some(variable.clone()), None] {
            let criterion = Criterion { file: path.clone(), line, variable };
            let dynamic = dynamic_slice(&instrumented, &trace, Some(&criterion)).expect("a dynamic slice");
            let fixed = static_slice(&units, &criterion).expect("a static slice");
            for (kind, slice) in [("dynamic", dynamic), ("static", fixed)] {
                tally.slices += 1;
                let problem = difference(place.path(), &program, &slice, &path, line, values_then);
                tally.wrong.extend(problem.map(|problem| {
                    let asked = criterion.variable.as_deref().unwrap_or("all");
                    format!("seed {seed}, {kind} slice for line {line}, {asked}: {problem}")
                }));
            }
        }
    }
    tally
}

/// Chooses lines that ran, spread over the program.
fn chosen(program: &Generated, expected: &BTreeMap<u32, Vec<String>>) -> Vec<(u32, String)> {
    let ran: Vec<_> = program.questions().into_iter().filter(|(line, _)| expected.contains_key(line)).collect();
    let step = ran.len().div_ceil(QUESTIONS).max(1);
    ran.into_iter().rev().step_by(step).collect()
}

/// Returns why a slice is wrong.
fn difference(
    place: &Path,
    program: &Generated,
    slice: &Slice,
    path: &Path,
    line: u32,
    expected: &[String],
) -> Option<String> {
    let text = slice.file(path).expect("the only file").render(Style::Blank);
    let text = String::from_utf8(text).expect("plain text");
    let shown =
        || format!("arguments {:?}\n{}\n--- slice\n{}", program.arguments, numbered(&program.text()), numbered(&text));
    let Some(watched) = program.watched(&text, &|number| number == line) else {
        return Some(format!("the line itself was changed\n{}", shown()));
    };
    match run(place, "slice", &watched, program) {
        Err(problem) => Some(format!("{problem}\n{}", shown())),
        Ok(written) => {
            let found = values(&written).remove(&line).unwrap_or_default();
            (found != expected).then(|| format!("it has {found:?} and not {expected:?}\n{}", shown()))
        }
    }
}

fn numbered(text: &str) -> String {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(number, line)| format!("{number:4} {line}\n")).collect()
}

/// Parses the recorded values, by line.
fn values(written: &str) -> BTreeMap<u32, Vec<String>> {
    let mut values: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for (line, value) in written.lines().filter_map(|line| line.split_once(' ')) {
        values.entry(line.parse().expect("a line number")).or_default().push(value.to_owned());
    }
    values
}

/// Compiles and runs a text. Returns the values it recorded.
fn run(place: &Path, name: &str, text: &str, program: &Generated) -> Result<String, String> {
    let directory = place.join(name);
    std::fs::create_dir_all(&directory).expect("a directory");
    let (source, binary, watched) = (directory.join("text.c"), directory.join("text"), directory.join("watched"));
    std::fs::write(&source, text).expect("a file");
    std::fs::write(&watched, "").expect("a file");
    compiled(Command::new("gcc").args(FLAGS).arg(&source).arg("-o").arg(&binary))?;
    ended(&binary, &directory, program, None)?;
    Ok(std::fs::read_to_string(watched).expect("what was written down"))
}

const FLAGS: [&str; 3] = ["-w", "-fwrapv", "-std=gnu17"];

fn compiled(command: &mut Command) -> Result<(), String> {
    let done = command.output().expect("a compiler");
    let said = String::from_utf8_lossy(&done.stderr);
    done.status.success().then_some(()).ok_or_else(|| format!("it does not compile: {said}"))
}

/// Runs a program, and kills it if it does not end. How it ends does not matter otherwise.
fn ended(binary: &Path, directory: &Path, program: &Generated, trace: Option<&Path>) -> Result<(), String> {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -t 1; exec \"$@\"", "sh"]).arg(binary).args(&program.arguments).current_dir(directory);
    command.envs(trace.map(|trace| ("LAPIDARY_TRACE", trace)));
    let status = command.output().expect("a run").status;
    if matches!(status.signal(), Some(SIGXCPU | SIGKILL)) { Err("it does not end".to_owned()) } else { Ok(()) }
}

const SIGKILL: i32 = 9;
const SIGXCPU: i32 = 24;

fn trace(path: &Path, runtime: &str, traced: &[u8], program: &Generated) -> Vec<u8> {
    let directory: PathBuf = path.with_extension("traced");
    std::fs::create_dir_all(&directory).expect("a directory");
    let [source, runtime_source, binary, trace] =
        ["text.c", "runtime.c", "text", "trace"].map(|name| directory.join(name));
    std::fs::write(&source, traced).expect("a file");
    std::fs::write(&runtime_source, runtime).expect("a file");
    compiled(Command::new("gcc").args(FLAGS).arg(&source).arg(&runtime_source).arg("-o").arg(&binary))
        .expect("a program");
    ended(&binary, &directory, program, Some(&trace)).expect("a run that ends");
    std::fs::read(trace).expect("a trace")
}
