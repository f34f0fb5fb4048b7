//! Compiles small patches and compares their versions.
//!
//! In the sources, `«old|new»` marks a place where the versions differ. Each patch is a package of
//! its own, and the method `T.f` is compared.

use lapidary_compare::{
    Changes, ComparisonBudget, ComparisonResult, Confirmed, Rules, RunnableVersion, Spec, Techniques, Tolerance,
    VersionPair, compare,
};
use lapidary_jvm::{ClassPath, Hierarchy, Platform};
use lapidary_symbolic::{Engine, InputHints, Machine, MathFunctions, PathLimits, search};
use lapidary_terms::Config;
use lapidary_testkit::javac;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// A patch and the settings for comparing it.
#[derive(Clone, Copy)]
pub struct Patch<'a> {
    pub name: &'a str,
    pub source: &'a str,
    /// The specification; if empty, it is inferred from the changes.
    pub spec: &'a str,
    pub merges: bool,
    pub time: Duration,
}

/// Compiles one version of all patches.
pub fn compiled(patches: &[Patch<'_>], version: usize) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for patch in patches {
        let file = directory.path().join(format!("{}.java", patch.name));
        std::fs::write(&file, format!("package {};\n{}", patch.name, of_version(patch.source, version))).unwrap();
        files.push(file);
    }
    javac(&["-g"], directory.path(), files);
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

/// Compares the versions of a patch and confirms every candidate.
pub fn compared(
    directories: &[TempDir; 2],
    patch: &Patch<'_>,
    limits: &PathLimits,
    techniques: Techniques,
) -> ComparisonResult {
    let class_paths = [0, 1].map(|version| class_path(directories[version].path()));
    let changes = Changes::between(&class_paths[0], &class_paths[1]);
    let spec = if patch.spec.is_empty() { Spec::of_changes(&changes) } else { Spec::read(patch.spec).unwrap() };
    let asked = class_paths
        .each_ref()
        .map(|path| InputHints::from(path, &format!("{}/T", patch.name).as_str().into(), &"f".into()));
    let [old, new] = class_paths;
    let asked = asked.into_iter().reduce(InputHints::or).unwrap();
    let old = Machine::new(Arc::new(Hierarchy::new([], old)), solver(), limits.clone());
    let hierarchy = Arc::new(old.world.hierarchy.beside(new));
    let new = old.beside(hierarchy, limits.clone());
    let scope = Scope { patch, spec: &spec, changes: &changes, asked: &asked };
    let mut versions = VersionPair::new(version(old, &scope), version(new, &scope));
    let mut search = search::named("fair", 1).unwrap();
    let budget = ComparisonBudget { time: patch.time, techniques, ..ComparisonBudget::default() };
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

/// The subject and the rules of a comparison.
struct Scope<'a> {
    patch: &'a Patch<'a>,
    spec: &'a Spec,
    changes: &'a Changes,
    asked: &'a InputHints,
}

fn version<M: AsMut<Engine>>(mut machine: M, scope: &Scope<'_>) -> RunnableVersion<M> {
    let engine = machine.as_mut();
    engine.take_hints(scope.asked);
    engine.config.merges = scope.patch.merges;
    engine.config.notes_overflow = scope.spec.numbers == Tolerance::NoOverflow;
    let rules = Rc::new(Rules::new(scope.spec.clone(), scope.changes.clone(), Default::default()));
    let class = engine.world.class_named(&format!("{}/T", scope.patch.name)).unwrap();
    let hierarchy = engine.world.hierarchy.clone();
    let found = hierarchy.declared_methods(class.id).find(|id| hierarchy.method(*id).name == "f");
    let method = engine.world.method(found.expect("T.f"));
    let entry = engine.entry(&method).unwrap();
    RunnableVersion { machine, entry, called: method, rules }
}
