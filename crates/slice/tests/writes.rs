//! Each way to write a variable is seen by the slicer: the slice for a value, compiled and run,
//! prints what the program prints.
//!
//! Each file in `writes/` has many small programs. A program begins at a line `//// NAME`; the
//! lines before the first one come before each program. It defines a function `int value()`, whose
//! result is printed; `noise`, which no slice may contain, is added to it. Dynamic slices follow the
//! same dependences, so they are tried for C only, whose programs compile faster.

use crate::common::{programs, units};
use lapidary_slice::{Criterion, Slice, Style, apply, dynamic_slice, instrument, static_slice};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

#[test]
fn slices_of_c_keep_every_way_to_write() {
    check("ways.c");
}

#[test]
fn slices_of_cpp_keep_every_way_to_write() {
    check("ways.cpp");
}

fn check(file: &str) {
    let headers = tempfile::tempdir().expect("a temporary directory");
    let path = programs("writes").into_iter().find(|path| path.ends_with(file)).expect("programs");
    let ways = ways(&path, headers.path());
    let (next, wrong) = (Mutex::new(ways.iter()), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let Some(way) = next.lock().expect("no panic so far").next() else { return };
            let problems = way.problems();
            wrong.lock().expect("no panic so far").extend(problems);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(ways.len() > 50);
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// A program that writes a variable in some way and prints it.
struct Way {
    name: String,
    extension: String,
    text: String,
    /// The output of the program, if it is known.
    expected: Option<String>,
    /// The headers of all programs, which are compiled only once.
    headers: PathBuf,
}

fn ways(path: &Path, place: &Path) -> Vec<Way> {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let extension = path.extension().expect("a language").to_string_lossy().into_owned();
    let mut parts = text.split("//// ");
    let before = parts.next().expect("the first lines").to_owned();
    let headers = compiled_headers(place, &extension, &before);
    let way = |part: &str| {
        let (name, body) = part.split_once('\n').expect("a name and a program");
        let (name, extension, text) = (name.to_owned(), extension.clone(), format!("{before}{body}{MAIN}"));
        Way { name, extension, text, expected: None, headers: headers.clone() }
    };
    let bodies: Vec<_> = parts.collect();
    let mut ways: Vec<_> = bodies.iter().copied().map(way).collect();
    if extension == "cpp" {
        let all = all_together(&before, &bodies, &headers);
        let printed = all.run(place, "all", &all.text, None).expect("programs that compile");
        let lines = printed.lines().map(|line| format!("{line}\n"));
        assert_eq!(lines.clone().count(), ways.len());
        ways.iter_mut().zip(lines).for_each(|(way, line)| way.expected = Some(line));
    }
    ways
}

/// Returns one program that does what all of them do, because each one takes long to compile.
fn all_together(before: &str, bodies: &[&str], headers: &Path) -> Way {
    let (mut text, mut main) = (before.to_owned(), String::new());
    for (number, body) in bodies.iter().enumerate() {
        text.push_str(&format!("namespace way{number} {{\n//{body}\n}}\n"));
        main.push_str(&format!("  printf(\"%d\\n\", way{number}::value());\n"));
    }
    text.push_str(&format!("int main() {{\n{main}}}\n"));
    Way { name: "all".into(), extension: "cpp".into(), text, expected: None, headers: headers.into() }
}

fn compiled_headers(place: &Path, extension: &str, text: &str) -> PathBuf {
    let path = place.join(format!("{extension}-headers.h"));
    let includes: String = text.lines().filter(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    std::fs::write(&path, includes).expect("a file");
    let flags: &[&str] =
        if extension == "cpp" { &["-std=c++17", "-x", "c++-header"] } else { &["-std=gnu17", "-x", "c-header"] };
    let done =
        Command::new("gcc").args(flags).arg("-w").arg(&path).arg("-o").arg(path.with_extension("h.gch")).output();
    assert!(done.expect("a compiler").status.success());
    path
}

const MAIN: &str = "
static int noise;
int main(void) {
  noise = 4;
  int result = value();
  noise += result;
  printf(\"%d\\n\", result);
  return 0;
}
";

/// The arguments and the input of each run.
const INPUT: &str = "31 32 33\n";

impl Way {
    /// Returns what is wrong with the slices of the program.
    fn problems(&self) -> Vec<String> {
        let place = tempfile::tempdir().expect("a temporary directory");
        let path = place.path().join("program").with_extension(&self.extension);
        std::fs::write(&path, &self.text).expect("a file");
        let original = || self.run(place.path(), "original", &self.text, None).expect("a program that compiles");
        let expected = self.expected.clone().unwrap_or_else(original);
        let line = self.text.lines().position(|line| line.contains("printf(\"%d\\n\", result)"));
        let line = line.expect("a line that prints") as u32 + 1;
        let criterion = Criterion { file: path.clone(), line, variable: None };
        let units = units(&path);
        let mut slices = vec![("static", static_slice(&units, &criterion))];
        if !self.is_cpp() {
            let instrumented = instrument(&units, &[]);
            let traced = apply(&instrumented.edits, &path, self.text.as_bytes());
            let traced = String::from_utf8(traced).expect("plain text");
            let done = self.run(place.path(), "traced", &traced, Some(&instrumented.runtime()));
            assert!(done.is_ok(), "{}: {done:?}", self.name);
            let trace = std::fs::read(place.path().join("traced/trace")).expect("a trace");
            slices.push(("dynamic", dynamic_slice(&instrumented, &trace, Some(&criterion))));
        }
        let problem = |(kind, slice): (&str, Result<Slice, _>)| {
            let text = slice.expect("a slice").file(&path).expect("the only file").render(Style::Blank);
            let text = String::from_utf8(text).expect("plain text");
            let found = self.run(place.path(), kind, &text, None);
            let has_noise = text.contains("noise");
            let is_right = found.as_ref() == Ok(&expected) && !has_noise;
            let lines = text.lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n");
            let name = &self.name;
            (!is_right).then(|| format!("{name}, {kind}: {found:?} and not {expected:?}, noise {has_noise}\n{lines}\n"))
        };
        slices.into_iter().filter_map(problem).collect()
    }

    fn is_cpp(&self) -> bool {
        self.extension == "cpp"
    }

    /// Compiles and runs a text. Returns what it prints, or what the compiler says.
    fn run(&self, place: &Path, name: &str, text: &str, runtime: Option<&str>) -> Result<String, String> {
        let directory = place.join(name);
        std::fs::create_dir_all(&directory).expect("a directory");
        let source = directory.join("text").with_extension(&self.extension);
        std::fs::write(&source, text).expect("a file");
        let mut compiler = Command::new(if self.is_cpp() { "g++" } else { "gcc" });
        compiler.args(["-w", if self.is_cpp() { "-std=c++17" } else { "-std=gnu17" }]);
        compiler.arg("-include").arg(&self.headers).arg(&source);
        compiler.args(runtime.map(|runtime| compiled_runtime(&directory, runtime)));
        let binary = directory.join("binary");
        let done = compiler.arg("-o").arg(&binary).output().expect("a compiler");
        if !done.status.success() {
            return Err(format!("it does not compile: {}", String::from_utf8_lossy(&done.stderr)));
        }
        let input = directory.join("input");
        std::fs::write(&input, INPUT).expect("a file");
        let mut command = Command::new("timeout");
        command.args(["-s", "KILL", "20"]).arg(&binary).env("LAPIDARY_TRACE", directory.join("trace"));
        command.stdin(std::fs::File::open(&input).expect("a file")).current_dir(&directory);
        Ok(String::from_utf8_lossy(&command.output().expect("a run").stdout).into_owned())
    }
}

fn compiled_runtime(directory: &Path, text: &str) -> PathBuf {
    let (source, object) = (directory.join("runtime.c"), directory.join("runtime.o"));
    std::fs::write(&source, text).expect("a file");
    let done = Command::new("gcc").arg("-c").arg(&source).arg("-o").arg(&object).output();
    assert!(done.expect("a compiler").status.success());
    object
}
