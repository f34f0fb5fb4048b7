//! Pairs of methods with known answers.

use lapidary_compare::{
    Candidate, Changes, ComparisonBudget, ComparisonResult, Confirmed, Rules, RunnableVersion, Spec, Verdict,
    VersionPair, compare,
};
use lapidary_jvm::{ClassPath, Hierarchy, Platform};
use lapidary_symbolic::{Engine, Machine, MathFunctions, PathLimits, search};
use lapidary_terms::Config;
use lapidary_testkit::javac;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

struct Pairs {
    old: TempDir,
    new: TempDir,
}

impl Pairs {
    fn compiled() -> Pairs {
        let compiled = |version: &str| {
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(version).join("Pairs.java");
            let directory = tempfile::tempdir().unwrap();
            javac(&["-g"], directory.path(), [source]);
            directory
        };
        Pairs { old: compiled("old"), new: compiled("new") }
    }

    fn compare(&self, method: &str) -> (ComparisonResult, Vec<Candidate>) {
        self.compare_within(method, Duration::from_secs(60))
    }

    fn compare_within(&self, method: &str, time: Duration) -> (ComparisonResult, Vec<Candidate>) {
        let mut versions = VersionPair::new(
            version(Machine::new(hierarchy(self.old.path()), solver(), limits()), method),
            version(Engine::new(hierarchy(self.new.path()), limits()), method),
        );
        let mut search = search::named("fair", 1).unwrap();
        let budget = ComparisonBudget { time, ..ComparisonBudget::default() };
        let spec = Spec::of_changed_classes(["Pairs".to_owned()]);
        let mut candidates = Vec::new();
        let comparison = compare(&mut versions, &spec, &mut *search, &budget, &mut |candidate| {
            candidates.push(candidate.clone());
            Confirmed::Yes
        });
        (comparison, candidates)
    }
}

fn hierarchy(classes: &Path) -> Arc<Hierarchy> {
    let platform = Platform::installed().expect("a JDK is installed");
    let class_path = Arc::new(ClassPath::open(&[classes.to_owned()], Some(platform)).unwrap());
    Arc::new(Hierarchy::new([], class_path))
}

fn solver() -> Box<lapidary_terms::Chain> {
    let config = Config { functions: Arc::new(MathFunctions), ..Config::default() };
    Box::new(config.build().expect("libz3 is installed"))
}

fn limits() -> PathLimits {
    PathLimits { array_length: 3, ..PathLimits::default() }
}

fn version<M: AsMut<Engine>>(mut machine: M, method: &str) -> RunnableVersion<M> {
    let engine = machine.as_mut();
    let hierarchy = engine.world.hierarchy.clone();
    let class = engine.world.class_named("Pairs").unwrap();
    let found = hierarchy.declared_methods(class.id).find(|id| hierarchy.method(*id).name == *method);
    let method = engine.world.method(found.expect("a method of that name"));
    let entry = engine.entry(&method).unwrap();
    let rules =
        Rc::new(Rules::new(Spec::of_changed_classes(["Pairs".to_owned()]), Changes::default(), Default::default()));
    RunnableVersion { machine, entry, called: method, rules }
}

#[test]
fn versions_that_do_the_same_are_equivalent() {
    let pairs = Pairs::compiled();
    for method in ["twice", "absolute", "positive", "isVowel", "sign", "median"] {
        let (comparison, candidates) = pairs.compare(method);
        assert_eq!(comparison.verdict, Verdict::Equivalent, "{method}: {}", told(&comparison, &candidates));
    }
    let (comparison, _) = pairs.compare("sum");
    assert_eq!(comparison.verdict, Verdict::NoDifferenceFound, "{}", told(&comparison, &[]));
}

#[test]
fn loops_without_end_are_matched_turn_by_turn() {
    let pairs = Pairs::compiled();
    let (comparison, candidates) = pairs.compare("steps");
    assert_eq!(comparison.verdict, Verdict::Equivalent, "{}", told(&comparison, &candidates));
    assert!(comparison.is_inductive);
    // A difference behind a loop is found by running the loop.
    let (comparison, candidates) = pairs.compare("turns");
    assert_eq!(comparison.verdict, Verdict::Different, "{}", told(&comparison, &candidates));
    assert_eq!(candidates[0].new.inputs[0].to_string(), "77");
}

#[test]
fn loops_that_cannot_be_matched_prove_nothing() {
    let pairs = Pairs::compiled();
    for method in ["drift", "drop"] {
        let (comparison, candidates) = pairs.compare_within(method, Duration::from_secs(10));
        assert_eq!(comparison.verdict, Verdict::Different, "{method}: {}", told(&comparison, &candidates));
    }
}

#[test]
fn a_query_that_timed_out_proves_nothing() {
    let pairs = Pairs::compiled();
    for milliseconds in [1, 20, 100, 400] {
        let (comparison, candidates) = pairs.compare_within("mean", Duration::from_millis(milliseconds));
        assert_ne!(comparison.verdict, Verdict::Equivalent, "{}", told(&comparison, &candidates));
    }
}

#[test]
fn versions_that_differ_have_an_input_that_shows_it() {
    let pairs = Pairs::compiled();
    for method in ["average", "clamp", "quotient", "greet", "largest", "report", "sumOf", "check", "element"] {
        let (comparison, candidates) = pairs.compare(method);
        assert_eq!(comparison.verdict, Verdict::Different, "{method}: {}", told(&comparison, &candidates));
        let [candidate] = &candidates[..] else { panic!("one candidate") };
        assert_eq!(candidate.old.inputs, candidate.new.inputs, "{method}");
        let shown = |path: &lapidary_symbolic::PathEnd| (format!("{:?}", path.outcome), path.stdout.clone());
        assert_ne!(shown(&candidate.old), shown(&candidate.new), "{method}");
    }
}

fn told(comparison: &ComparisonResult, candidates: &[Candidate]) -> String {
    let found: Vec<_> = candidates.iter().map(|candidate| (&candidate.at, &candidate.old, &candidate.new)).collect();
    format!("{} pairs, {} undecided, {:?}, {found:?}", comparison.pairs, comparison.undecided, comparison.unsupported)
}
