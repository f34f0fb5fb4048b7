//! Java programs for tests, compiled once and run on a real JVM and on ours.

#![allow(dead_code, reason = "each test binary uses a part of this")]

pub mod cases;
pub mod expressions;

use lapidary_jvm::{ClassPath, Hierarchy, Platform};
use lapidary_symbolic::{
    ExplorationBudget, Explored, Machine, MathFunctions, Method, PathEnd, PathLimits, State, explore, search,
};
use lapidary_terms::Config;
use lapidary_testkit::javac;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use tempfile::TempDir;

pub struct Program {
    pub directory: TempDir,
    pub class: String,
}

impl Program {
    /// Compiles `tests/programs/NAME.java`.
    pub fn compiled(name: &str) -> Program {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/programs/{name}.java"));
        let directory = tempfile::tempdir().unwrap();
        let replay = Path::new(env!("CARGO_MANIFEST_DIR")).join("../java-workers/workers/replay");
        let sources = [source, replay.join("lapidary/replay/Replay.java")];
        javac(&["-sourcepath", replay.to_str().unwrap()], directory.path(), sources);
        Program { directory, class: name.to_owned() }
    }

    pub fn path(&self) -> PathBuf {
        self.directory.path().to_owned()
    }

    pub fn machine(&self) -> Machine {
        machine(self.directory.path())
    }

    pub fn method(&self, machine: &mut Machine, name: &str) -> Rc<Method> {
        let class = machine.world.class_named(&self.class).unwrap();
        let hierarchy = machine.world.hierarchy.clone();
        let found = hierarchy.declared_methods(class.id).find(|id| hierarchy.method(*id).name == *name);
        machine.world.method(found.expect("a method of that name"))
    }

    /// All paths of a static method, or of `main` without arguments.
    pub fn explored(&self, method: &str) -> (Vec<PathEnd>, Explored) {
        self.explored_with(method, false)
    }

    pub fn explored_with(&self, method: &str, merging: bool) -> (Vec<PathEnd>, Explored) {
        let mut machine = self.machine();
        machine.config.merges = merging;
        let method = self.method(&mut machine, method);
        let mut state = State::new();
        if method.name == "main" {
            machine.start(&mut state, &method, &[lapidary_symbolic::Value::NULL]);
        } else {
            let entry = machine.entry(&method).unwrap();
            machine.start(&mut state, &entry, &[]);
        }
        let mut paths = Vec::new();
        let mut search = search::named("depth", 1).unwrap();
        let explored = explore(&mut machine, state, &mut *search, &ExplorationBudget::default(), &mut |path| {
            paths.push(path.clone())
        });
        (paths, explored)
    }
}

/// A machine that finds classes in a directory and in the installed JDK.
pub fn machine(directory: &Path) -> Machine {
    let platform = Platform::installed().expect("a JDK is installed");
    let class_path = Arc::new(ClassPath::open(&[directory.to_owned()], Some(platform)).unwrap());
    let hierarchy = Arc::new(Hierarchy::new([], class_path));
    let chain = Config { functions: Arc::new(MathFunctions), ..Config::default() }.build().expect("libz3 is installed");
    let mut machine = Machine::new(hierarchy, Box::new(chain), PathLimits { array_length: 3, ..PathLimits::default() });
    machine.config.reads_texts_late = true;
    machine
}
