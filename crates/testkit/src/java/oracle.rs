//! The real JVM as a judge of generated programs: `java/Oracle.java`, one process for all of them.

use super::{Program, printed};
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running oracle. It ends when this is dropped.
pub struct Oracle {
    child: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// The comparison of two versions on random inputs.
#[derive(Clone, Debug, PartialEq)]
pub enum Differ {
    Same,
    /// An input, and the behaviour of both versions on it.
    Different {
        inputs: String,
        old: String,
        new: String,
    },
}

/// A run of one version: the marks of the blocks it entered, its outcome, and an input.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    pub marks: String,
    pub ending: String,
    pub inputs: String,
}

/// The inputs to draw for a program.
#[derive(Clone, Copy, Debug)]
pub struct Draws {
    pub seed: u64,
    pub count: usize,
    /// The largest length of texts, arrays and collections.
    pub bound: usize,
}

/// The sources of the Java programs beside this crate.
const SOURCES: [(&str, &str); 2] = [
    ("Oracle.java", include_str!("../../java/Oracle.java")),
    ("WarmJava.java", include_str!("../../java/WarmJava.java")),
];

/// Compiles the Java programs of this crate into a directory.
pub fn install(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    let mut javac = Command::new("javac");
    javac.args(["-nowarn", "-proc:none", "-d"]).arg(directory);
    for (name, text) in SOURCES {
        let path = directory.join(name);
        fs::write(&path, text)?;
        javac.arg(path);
    }
    let output = javac.output()?;
    let failed = || io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned());
    output.status.success().then_some(()).ok_or_else(failed)
}

impl Oracle {
    /// Starts the oracle that is installed in a directory.
    pub fn start(installed: &Path) -> io::Result<Oracle> {
        let mut java = Command::new("java");
        java.args(["-XX:-OmitStackTraceInFastThrow", "-XX:+UseSerialGC", "-Xss4m", "-Xmx1g", "-cp"])
            .arg(installed)
            .arg("Oracle");
        let mut child = java.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(commands), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the oracle has no pipes"));
        };
        Ok(Oracle { child, commands, answers: BufReader::new(answers) })
    }

    /// Compiles programs, each into a separate directory below this one.
    pub fn compile(&mut self, programs: &[&Program], directory: &Path) -> io::Result<()> {
        let (sources, classes) = (directory.join("sources"), directory.join("all"));
        fs::create_dir_all(&sources)?;
        fs::create_dir_all(&classes)?;
        let mut words = vec!["compile".to_owned(), classes.display().to_string()];
        for program in programs {
            let source = sources.join(format!("{}.java", program.name));
            fs::write(&source, printed(program))?;
            words.push(source.display().to_string());
        }
        self.ask(&words)?;
        for entry in fs::read_dir(&classes)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let place = place_of(directory, program_of(name));
            fs::create_dir_all(&place)?;
            fs::rename(&path, place.join(name))?;
        }
        fs::remove_dir(&classes)
    }

    /// Runs two versions of a program on the same inputs until their behaviour differs.
    pub fn differ(&mut self, name: &str, draws: Draws, old: &Path, new: &Path) -> io::Result<Differ> {
        let [seed, count, bound] = [draws.seed.to_string(), draws.count.to_string(), draws.bound.to_string()];
        let words = ["differ", name, &seed, &count, &bound, &old.display().to_string(), &new.display().to_string()];
        let answer = self.ask(&words.map(str::to_owned))?;
        match &answer[..] {
            [same] if same == "same" => Ok(Differ::Same),
            [_, inputs, old, new] => {
                Ok(Differ::Different { inputs: inputs.clone(), old: old.clone(), new: new.clone() })
            }
            other => Err(io::Error::other(other.join(" "))),
        }
    }

    /// Runs one version on random inputs. Runs that enter the same blocks and end alike count once.
    pub fn run(&mut self, name: &str, draws: Draws, classes: &Path) -> io::Result<Vec<Ran>> {
        let [seed, count, bound] = [draws.seed.to_string(), draws.count.to_string(), draws.bound.to_string()];
        let words = ["run", name, &seed, &count, &bound, &classes.display().to_string()];
        let answer = self.ask(&words.map(str::to_owned))?;
        let ran = |fields: &[String]| {
            let [marks, ending, inputs] = fields else { return None };
            Some(Ran { marks: marks.clone(), ending: ending.clone(), inputs: inputs.clone() })
        };
        Ok(answer[1..].chunks(3).filter_map(ran).collect())
    }

    fn ask(&mut self, words: &[String]) -> io::Result<Vec<String>> {
        writeln!(self.commands, "{}", words.join("\t"))?;
        self.commands.flush()?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        let fields: Vec<String> = answer.trim_end_matches('\n').split('\t').map(str::to_owned).collect();
        match &fields[..] {
            [first, ..] if matches!(first.as_str(), "ok" | "same" | "different" | "ran") => Ok(fields),
            _ => Err(io::Error::other(answer.replace("\\n", "\n"))),
        }
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        // The process may already have ended by itself, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The classes of a program, below the directory that was passed to [`Oracle::compile`].
pub fn place_of(directory: &Path, program: &str) -> PathBuf {
    directory.join(program)
}

/// The program that a class file belongs to; the name of a program is a letter and a number.
fn program_of(file: &str) -> &str {
    let end = file[1..].find(|letter: char| !letter.is_ascii_digit()).map_or(file.len(), |end| end + 1);
    &file[..end]
}
