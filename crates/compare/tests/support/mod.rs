//! Compiles small patches and compares their versions.
//!
//! In the sources `«old|new»` stands for what the old version has and what the new one has in its place. Each patch is a package of its own,
//! and `T.f` is compared.

use lapidary_compare::{
    Budget, Changes, Comparison, Confirmed, Rules, Spec, Techniques, Tolerance, Version, Versions, compare,
};
use lapidary_jvm::{ClassPath, Hierarchy, Platform};
use lapidary_symbolic::{Asked, Limits, Machine, MathFunctions, search};
use lapidary_terms::Config;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// A patch, and how to look at it.
#[derive(Clone, Copy)]
pub struct Patch<'a> {
    pub name: &'a str,
    pub source: &'a str,
    /// Empty: the one that the difference suggests.
    pub spec: &'a str,
    pub merges: bool,
    pub time: Duration,
}

/// All patches of one version, compiled.
pub fn compiled(patches: &[Patch<'_>], version: usize) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for patch in patches {
        let file = directory.path().join(format!("{}.java", patch.name));
        std::fs::write(&file, format!("package {};\n{}", patch.name, of_version(patch.source, version))).unwrap();
        files.push(file);
    }
    let javac = Command::new("javac").args(["-g", "-nowarn", "-d"]).arg(directory.path()).args(files).output();
    let javac = javac.expect("javac is installed");
    assert!(javac.status.success(), "{}", String::from_utf8_lossy(&javac.stderr));
    directory
}

fn of_version(source: &str, version: usize) -> String {
    let mut parts = source.split(['«', '»']);
    let mut text = String::new();
    while let Some(common) = parts.next() {
        text.push_str(common);
        let chosen = parts.next().and_then(|both| both.splitn(2, '|').nth(version));
        text.push_str(chosen.unwrap_or_default());
    }
    text
}

/// Compares the versions of a patch. Whatever differs counts.
pub fn compared(directories: &[TempDir; 2], patch: &Patch<'_>, limits: &Limits, techniques: Techniques) -> Comparison {
    let class_paths = [0, 1].map(|version| class_path(directories[version].path()));
    let changes = Changes::between(&class_paths[0], &class_paths[1]);
    let spec = if patch.spec.is_empty() { Spec::of_changes(&changes) } else { Spec::read(patch.spec).unwrap() };
    let asked =
        class_paths.each_ref().map(|path| Asked::from(path, &format!("{}/T", patch.name).as_str().into(), &"f".into()));
    let [old, new] = class_paths;
    let asked = asked.into_iter().reduce(Asked::or).unwrap();
    let old = Machine::new(Arc::new(Hierarchy::new([], old)), solver(), limits.clone());
    let hierarchy = Arc::new(old.world.hierarchy.beside(new));
    let new = old.beside(hierarchy, solver(), limits.clone());
    let version = |mut machine: Machine| {
        machine.ask(&asked);
        version(machine, patch, &spec, &changes)
    };
    let mut versions = Versions::new(version(old), version(new));
    let mut search = search::named("fair", 1).unwrap();
    let budget = Budget { time: patch.time, techniques, ..Budget::default() };
    compare(&mut versions, &spec, &mut *search, &budget, &mut |_| Confirmed::Yes)
}

fn class_path(classes: &Path) -> Arc<ClassPath> {
    let platform = Platform::installed().expect("a JDK is installed");
    Arc::new(ClassPath::open(&[classes.to_owned()], Some(platform)).unwrap())
}

fn solver() -> Box<lapidary_terms::Chain> {
    let config = Config { functions: Arc::new(MathFunctions), ..Config::default() };
    Box::new(config.build().expect("libz3 is installed"))
}

fn version(mut machine: Machine, patch: &Patch<'_>, spec: &Spec, changes: &Changes) -> Version {
    machine.merging.is_on = patch.merges;
    machine.notes_overflow = spec.numbers == Tolerance::NoOverflow;
    machine.partition = Some(Rc::new(Rules::new(spec.clone(), changes.clone(), Default::default())));
    let class = machine.world.class_named(&format!("{}/T", patch.name)).unwrap();
    let hierarchy = machine.world.hierarchy.clone();
    let found = hierarchy.declared_methods(class.id).find(|id| hierarchy.method(*id).name == "f");
    let method = machine.world.method(found.expect("T.f"));
    let entry = machine.entry(&method).unwrap();
    Version { machine, entry }
}
