//! The programs of `tests/programs`, compiled once. The first lines of each describe it.

use lapidary_callgraph::{CallGraphAnalysis, Entry, Limits, Reached, Weakness, Weaknesses, reachable};
use lapidary_jvm::{ClassPath, MethodName, Platform};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

/// A program for one feature, and a weakness that loses some of its methods.
pub struct Program {
    pub name: String,
    pub weakness: Weakness,
    pub loses: BTreeSet<MethodName>,
    /// Whether it reaches so much of the library that every analysis is slow.
    pub is_large: bool,
}

/// The class whose `main` runs all programs.
pub const EVERYTHING: &str = "Everything";

pub fn programs() -> Vec<Program> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut sources: Vec<PathBuf> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    sources.sort();
    sources.iter().map(|source| read_program(source)).collect()
}

fn read_program(source: &Path) -> Program {
    let text = std::fs::read_to_string(source).unwrap();
    let line = |key: &str| text.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(key));
    Program {
        name: source.file_stem().unwrap().to_string_lossy().into_owned(),
        weakness: line("weakness: ").unwrap().parse().unwrap(),
        loses: line("loses: ").unwrap().split(' ').map(|name| name.parse().unwrap()).collect(),
        is_large: line("needs: ").is_some(),
    }
}

/// The directory with all programs and the class that runs them all.
pub fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("programs-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let calls: String = programs()
            .iter()
            .map(|program| format!("try {{ {}.main(arguments); }} catch (Exception ignored) {{}}\n", program.name))
            .collect();
        let everything = directory.join("Everything.java");
        let text = format!("class {EVERYTHING} {{ public static void main(String[] arguments) {{ {calls} }} }}");
        std::fs::write(&everything, text).unwrap();
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
        let options = ["-Xlint:none", "-sourcepath", sources.to_str().unwrap()];
        lapidary_testkit::javac(&options, &directory, [everything]);
        directory
    })
}

pub fn analyse(main: &str, analysis: CallGraphAnalysis, weaknesses: impl IntoIterator<Item = Weakness>) -> Reached {
    let class_path = ClassPath::open(&[classes().to_path_buf()], Some(Platform::installed().unwrap())).unwrap();
    let weaknesses = weaknesses.into_iter().collect::<Weaknesses>();
    reachable(&Arc::new(class_path), &Entry::main(main), analysis, &weaknesses, &Limits::default()).unwrap()
}

/// The methods of the program that a JVM really ran, as reported by the JVM itself. Generated
/// classes do not count.
pub fn really_ran(main: &str) -> BTreeSet<MethodName> {
    let mut java = Command::new("java");
    java.args(["-XX:+UnlockDiagnosticVMOptions", "-XX:+LogTouchedMethods", "-XX:+PrintTouchedMethodsAtExit"]);
    let output = java.args(["-Xint", "-Djava.awt.headless=true", "-cp"]).arg(classes()).arg(main).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("print_touched_methods"), "this needs a JDK that tells what it ran, 11 to 21:\n{text}");
    let names = text.lines().filter_map(|line| line.parse::<MethodName>().ok());
    names.filter(|name| classes().join(format!("{}.class", name.class())).is_file()).collect()
}

pub fn shown<'a>(names: impl IntoIterator<Item = &'a MethodName>) -> Vec<String> {
    names.into_iter().map(MethodName::to_string).collect()
}
