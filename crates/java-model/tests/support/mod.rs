//! Shared test support: the programs of `fixtures/java` compiled by javac, and the real JVM's
//! verdict on the results.
#![allow(dead_code)]

pub mod program;

use lapidary_java_model::{ClassModel, Detail, ItemModel};
use lapidary_jvm::{ClassPath, Compression, Platform, write_jar};
use lapidary_logic::{Reasoner, VarSet, random_solution};
use lapidary_reduce::{Entry, FileTree, Model};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};

/// The packages of `fixtures/java`, each a small program.
pub const FIXTURES: &[&str] = &[
    "annotations",
    "arrays",
    "bridges",
    "constants",
    "defaults",
    "enums",
    "fields",
    "generics",
    "handlers",
    "lambdas",
    "nested",
    "records",
    "sealing",
    "shapes",
    "switches",
    "varargs",
];

/// The classes of a fixture.
pub fn fixture(name: &str) -> FileTree {
    assert!(FIXTURES.contains(&name), "{name} is a fixture");
    let directory = all_fixtures();
    let files = fs::read_dir(directory.path().join(name)).unwrap().map(|file| file.unwrap().path());
    let entry = |path: PathBuf| {
        let inside = path.strip_prefix(directory.path()).unwrap().to_owned();
        (inside, Entry::file(fs::read(path).unwrap()))
    };
    FileTree::directory(name, files.map(entry).collect())
}

/// Compiles all fixtures together, because starting javac takes longer than its work.
fn all_fixtures() -> &'static tempfile::TempDir {
    static COMPILED: OnceLock<tempfile::TempDir> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/java");
        let packages = FIXTURES.iter().flat_map(|name| fs::read_dir(sources.join(name)).unwrap());
        let sources: Vec<PathBuf> = packages.map(|source| source.unwrap().path()).collect();
        javac(&["-g", "-parameters"], &sources)
    })
}

/// Compiles a source text, which may hold several classes. Debug information is left out, because
/// it would interfere with tests about single items.
pub fn compile(source: &str) -> FileTree {
    compile_with(&["-g:none"], source)
}

/// Compiles a source text with other options of javac.
pub fn compile_with(options: &[&str], source: &str) -> FileTree {
    let text = tempfile::tempdir().unwrap();
    let file = text.path().join("Program.java");
    fs::write(&file, source).unwrap();
    let compiled = javac(options, &[file]);
    let mut entries = BTreeMap::new();
    collect(compiled.path(), compiled.path(), &mut entries);
    FileTree::directory("program", entries)
}

fn collect(root: &Path, directory: &Path, entries: &mut BTreeMap<PathBuf, Entry>) {
    for path in fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
        match path.is_dir() {
            true => collect(root, &path, entries),
            false => {
                _ = entries.insert(path.strip_prefix(root).unwrap().to_owned(), Entry::file(fs::read(&path).unwrap()))
            }
        }
    }
}

fn javac(options: &[&str], sources: &[PathBuf]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    lapidary_testkit::javac(&[&["-Xlint:none"], options].concat(), directory.path(), sources);
    directory
}

/// A class path with the classes of Java itself.
pub fn class_path() -> Arc<ClassPath> {
    static CLASS_PATH: OnceLock<Arc<ClassPath>> = OnceLock::new();
    let open = || Arc::new(ClassPath::open(&[], Some(Platform::installed().unwrap())).unwrap());
    CLASS_PATH.get_or_init(open).clone()
}

pub fn item_model(tree: &FileTree, detail: Detail) -> ItemModel {
    ItemModel::new(tree, class_path(), detail)
}

/// The three models of a program, with their names.
pub fn models(tree: &FileTree) -> Vec<(&'static str, Box<dyn Model>)> {
    vec![
        ("classes", Box::new(ClassModel::new(tree))),
        ("items", Box::new(item_model(tree, Detail::Items))),
        ("statements", Box::new(item_model(tree, Detail::Statements))),
    ]
}

/// The full assignment of a model.
pub fn full(model: &dyn Model) -> VarSet {
    VarSet::full(model.constraint().variables())
}

/// Random solutions of a model, rendered; identical in every run.
pub fn samples(model: &dyn Model, count: u64) -> Vec<FileTree> {
    let reasoner = Reasoner::new(model.constraint());
    (0..count).map(|seed| model.render(&random_solution(&reasoner, seed)).expect("solutions render")).collect()
}

/// The JVM's objections to a candidate; the first line of each answer holds the figures.
pub struct Answer {
    pub text: String,
}

impl Answer {
    /// Whether the JVM's verifier accepts every class and every reference resolves.
    pub fn is_valid(&self) -> bool {
        self.text.contains(" 0 not linked, 0 problems,")
    }

    /// Whether the candidate is valid and a compiler would have no objections either.
    pub fn is_clean(&self) -> bool {
        self.is_valid() && self.text.contains(" 0 source problems")
    }
}

/// Has one JVM check all candidates.
pub fn ask_jvm(candidates: &[FileTree]) -> Vec<Answer> {
    let directory = tempfile::tempdir().unwrap();
    let paths = candidates.iter().enumerate().map(|(number, candidate)| {
        let path = directory.path().join(format!("{number}.jar"));
        fs::write(&path, jar_of(candidate)).unwrap();
        format!("{}\n", path.display())
    });
    let answers = answers_of(paths.collect());
    assert_eq!(answers.len(), candidates.len(), "one answer for each candidate");
    answers
}

fn jar_of(tree: &FileTree) -> Vec<u8> {
    let entries = tree.entries().map(|(path, entry)| match entry {
        Entry::File { content, .. } => (path.to_str().unwrap(), &**content),
        _ => panic!("classes are files"),
    });
    write_jar(entries, Compression::Stored).unwrap()
}

fn answers_of(questions: String) -> Vec<Answer> {
    let mut verify = Command::new(verifier()).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = verify.stdin.take().unwrap();
    let asking = std::thread::spawn(move || stdin.write_all(questions.as_bytes()));
    let output = verify.wait_with_output().unwrap();
    asking.join().unwrap().unwrap();
    let mut answers: Vec<Answer> = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        match answers.last_mut().filter(|_| line.starts_with(' ')) {
            Some(answer) => answer.text.push_str(&format!("\n{line}")),
            None => answers.push(Answer { text: line.to_owned() }),
        }
    }
    answers
}

/// The verifier, compiled once, so that tests that run in parallel share it.
fn verifier() -> PathBuf {
    static BUILT: OnceLock<()> = OnceLock::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../java-workers/workers/verifier");
    BUILT.get_or_init(|| assert!(Command::new(folder.join("build")).status().unwrap().success()));
    folder.join("verify")
}

#[track_caller]
pub fn assert_valid(candidates: &[FileTree]) {
    let answers = ask_jvm(candidates);
    let invalid: Vec<_> = answers.iter().enumerate().filter(|(_, answer)| !answer.is_valid()).collect();
    if let Some((number, first)) = invalid.first() {
        panic!("{} of {} are not valid, number {number} first:\n{}", invalid.len(), candidates.len(), first.text);
    }
}
