//! The programs of the tests: compiled once, abstracted, and run in the symbolic machine.

use lapidary_abstraction::{Abstraction, Policy, compile, write};
use lapidary_jvm::{ClassPath, Hierarchy, Platform};
use lapidary_symbolic::{ExplorationBudget, Machine, MathFunctions, PathEnd, PathLimits, State, explore, search};
use lapidary_terms::Config;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tempfile::TempDir;

pub fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

/// The compiled classes of `tests/programs`.
pub fn program() -> PathBuf {
    static COMPILED: OnceLock<TempDir> = OnceLock::new();
    let compiled = COMPILED.get_or_init(|| {
        let classes = tempfile::tempdir().unwrap();
        let sources = std::fs::read_dir(directory().join("shop")).unwrap().map(|entry| entry.unwrap().path());
        lapidary_testkit::javac(&["-g"], classes.path(), sources);
        classes
    });
    compiled.path().to_owned()
}

pub fn hierarchy(paths: &[PathBuf]) -> Hierarchy {
    let platform = Platform::installed().expect("a JDK is installed");
    Hierarchy::new([], Arc::new(ClassPath::open(paths, Some(platform)).unwrap()))
}

/// A hierarchy that knows which classes belong to the program.
fn program_hierarchy() -> Hierarchy {
    let class_path = hierarchy(&[program()]).class_path().clone();
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(program().join("shop")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let names = files.iter().map(|file| format!("shop/{}", file.file_stem().unwrap().to_str().unwrap()));
    let classes: Vec<_> = names.map(|name| class_path.class(&name.into()).unwrap()).collect();
    Hierarchy::new(classes, class_path)
}

pub fn abstraction(class: &str, policy: Policy) -> Abstraction {
    let hierarchy = program_hierarchy();
    let id = hierarchy.id(&format!("shop/{class}").into());
    write(&hierarchy, id, policy).unwrap_or_else(|error| panic!("{error}"))
}

/// The classes of the program under these abstractions.
pub fn compiled(classes: &[&str], policy: Policy) -> TempDir {
    let into = tempfile::tempdir().unwrap();
    let written: Vec<Abstraction> = classes.iter().map(|class| abstraction(class, policy)).collect();
    compile(&written, &[program()], into.path()).unwrap_or_else(|error| panic!("{error}"));
    into
}

/// The paths of a method of `shop.Main` with these classes abstracted.
pub fn explored(method: &str, classes: &[&str], policy: Policy) -> Vec<PathEnd> {
    let abstract_classes = compiled(classes, policy);
    let hierarchy = Arc::new(hierarchy(&[abstract_classes.path().to_owned(), program()]));
    let chain = Config { functions: Arc::new(MathFunctions), ..Config::default() }.build().expect("libz3 is installed");
    let mut machine =
        Machine::new(hierarchy.clone(), Box::new(chain), PathLimits { array_length: 1, ..PathLimits::default() });
    let main = machine.world.class_named("shop/Main").unwrap();
    let found = hierarchy.declared_methods(main.id).find(|id| hierarchy.method(*id).name == *method);
    let method = machine.world.method(found.expect("a method of that name"));
    let mut state = State::new();
    let entry = machine.entry(&method).unwrap();
    machine.start(&mut state, &entry, &[]);
    let mut paths = Vec::new();
    let mut search = search::named("breadth", 1).unwrap();
    let budget = ExplorationBudget { paths: 200, time: Duration::from_secs(60), ..ExplorationBudget::default() };
    explore(&mut machine, state, &mut *search, &budget, &mut |path| paths.push(path.clone()));
    paths
}
