//! Test classes in which each method whose name begins with `test` is a case. All of them are
//! compiled once and run once on a real JVM; our machine runs them one by one.

use lapidary_symbolic::{ExplorationBudget, Machine, Message, Outcome, PathEnd, State, escaped, explore, search};
use lapidary_testkit::javac;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Compiled classes with cases, and their results on a real JVM.
pub struct Cases {
    pub directory: PathBuf,
    pub truth: Truth,
}

/// The output and the ending of each case, by class and method.
pub type Truth = BTreeMap<String, BTreeMap<String, (String, String)>>;

/// A file of `tests/programs`.
pub fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name)
}

impl Cases {
    /// Compiles sources into a directory of this name, which later runs reuse, and runs their
    /// cases.
    pub fn run(name: &str, sources: &[PathBuf]) -> Cases {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        javac(&["-Xlint:none"], &directory, sources.iter().chain([&program("runner/RunCases.java")]));
        let classes = sources.iter().map(|source| source.file_stem().unwrap());
        let report = successful(java(&directory).arg("RunCases").args(classes)).stdout;
        Cases { directory, truth: read_report(&String::from_utf8(report).unwrap()) }
    }

    /// Describes the cases of a class that behave differently on our machine.
    pub fn differences(&self, class: &str) -> String {
        let cases = self.truth.get(class).expect("cases of this class");
        let mut machine = super::machine(&self.directory);
        let mut different = String::new();
        for (method, (printed, ending)) in cases {
            let path = run(&mut machine, class, method);
            if let Some(difference) = difference(&path, printed, ending) {
                different += &format!("\n{class}.{method}{difference}");
            }
        }
        different
    }
}

fn read_report(report: &str) -> Truth {
    let mut truth = Truth::new();
    for line in report.lines() {
        let [class, method, printed, ending] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let of_class = truth.entry(class.to_owned()).or_default();
        of_class.insert(method.to_owned(), (printed.to_owned(), ending.to_owned()));
    }
    truth
}

/// A command that runs classes of this directory on a real JVM.
pub fn java(directory: &Path) -> Command {
    let mut java = Command::new("java");
    java.args(["-ea", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Duser.language=en", "-Duser.country=US"]);
    java.args(["-Duser.timezone=UTC", "-Dfile.encoding=UTF-8", "-cp"]).arg(directory);
    java
}

pub fn successful(command: &mut Command) -> Output {
    let output = command.output().expect("a JDK is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// The only path of a method without parameters.
pub fn run(machine: &mut Machine, class: &str, method: &str) -> PathEnd {
    let loaded = machine.world.class_named(class).unwrap();
    let method = machine.world.declared(loaded.id, method, "()V").expect("the real machine has found it");
    let mut state = State::new();
    machine.start(&mut state, &method, &[]);
    let mut paths = Vec::new();
    let mut search = search::named("depth", 1).unwrap();
    explore(machine, state, &mut *search, &ExplorationBudget::default(), &mut |path| paths.push(path.clone()));
    assert_eq!(paths.len(), 1, "{class}.{method}");
    paths.remove(0)
}

/// How a case differs from the result of the real JVM.
fn difference(path: &PathEnd, printed: &str, ending: &str) -> Option<String> {
    let ours = escape(&path.stdout);
    let (ended, same) = match &path.outcome {
        Outcome::Returned(_) => ("returned".to_owned(), ending == "returned"),
        Outcome::Threw { class, message: Message::Text(message), .. } => {
            let threw = format!("threw {class}: {}", escape(message));
            let same = threw == ending;
            (threw, same)
        }
        Outcome::Threw { class, message, .. } => {
            let threw = format!("threw {class}");
            let same = ending == threw || *message == Message::Unknown && ending.starts_with(&format!("{threw}:"));
            (threw, same)
        }
        outcome => (format!("{outcome:?}"), false),
    };
    (!same || ours != printed).then(|| format!("\n  here {ended}: {ours}\n  real {ending}: {printed}"))
}

fn escape(text: &str) -> String {
    escaped(&text.encode_utf16().collect::<Vec<_>>(), '"')
}
