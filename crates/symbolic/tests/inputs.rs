//! Parameters that are objects: which ones are tried, and whether a real JVM can build them.

use crate::support;

use lapidary_symbolic::{
    Aliases, ExplorationBudget, Explored, Machine, ObjectsBy, Outcome, PathEnd, Replayer, State, explore, search,
};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::OnceLock;
use std::time::Duration;
use support::Program;

/// How many paths of a method are replayed.
const AT_MOST: usize = 6;

fn program() -> &'static Program {
    static PROGRAM: OnceLock<Program> = OnceLock::new();
    PROGRAM.get_or_init(|| Program::compiled("Objects"))
}

struct Run {
    paths: Vec<PathEnd>,
    explored: Explored,
}

/// Explores `CLASS.METHOD`, replays some of the paths, and returns all.
fn run_with(class: &str, method: &str, change: impl FnOnce(&mut Machine)) -> Run {
    let program = program();
    let mut machine = program.machine();
    machine.config.limits.array_length = 2;
    change(&mut machine);
    let loaded = machine.world.class_named(class).unwrap();
    let hierarchy = machine.world.hierarchy.clone();
    let found = hierarchy.declared_methods(loaded.id).find(|id| hierarchy.method(*id).name == *method);
    let called = machine.world.method(found.expect("a method of that name"));
    let entry = machine.entry(&called).unwrap();
    let mut state = State::new();
    machine.start(&mut state, &entry, &[]);
    let mut paths = Vec::new();
    let mut search = search::named("depth", 1).unwrap();
    let explored =
        explore(&mut machine, state, &mut *search, &ExplorationBudget::default(), &mut |path| paths.push(path.clone()));
    replay_some(program, &called, &paths);
    Run { paths, explored }
}

fn replay_some(program: &Program, called: &Rc<lapidary_symbolic::Method>, paths: &[PathEnd]) {
    let replayer = Replayer {
        java: "java".into(),
        class_path: vec![program.path()],
        timeout: Duration::from_secs(20),
        sandbox: None,
    };
    let finished = paths.iter().filter(|path| !matches!(path.outcome, Outcome::Unsupported { .. } | Outcome::TooLong));
    let finished: Vec<&PathEnd> = finished.collect();
    for path in finished.iter().step_by(finished.len().div_ceil(AT_MOST).max(1)) {
        let replayed = replayer.replay(called, path).unwrap();
        assert_eq!(replayed.difference(path), None, "{called} {path:?}\n{}", replayed.stderr);
    }
}

fn run(method: &str) -> Run {
    let run = run_with("Objects", method, |_| {});
    assert!(run.explored.exhausted, "{:?}", run.explored);
    run
}

fn shown(path: &PathEnd) -> String {
    path.inputs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The inputs of the paths that end in this exception.
fn throwing(run: &Run, exception: &str) -> Vec<String> {
    let is_meant =
        |path: &&PathEnd| matches!(&path.outcome, Outcome::Threw { class, .. } if class.ends_with(exception));
    run.paths.iter().filter(is_meant).map(shown).collect()
}

fn returning(run: &Run, number: i64) -> Vec<String> {
    use lapidary_symbolic::{Number, ReturnValue};
    let wanted = Outcome::Returned(Some(ReturnValue::Number(Number::Integer(number))));
    run.paths.iter().filter(|path| path.outcome == wanted).map(shown).collect()
}

#[test]
fn objects_respect_the_depth_and_fields_are_made_when_read() {
    let run = run("length");
    assert_eq!(run.paths.len(), 4);
    let longest = "Objects.Node{next=Objects.Node{next=Objects.Node{next=null}}}";
    assert_eq!(returning(&run, 3), [longest]);
    assert_eq!(returning(&run, 0), ["null"]);
}

#[test]
fn a_field_of_a_field_is_null() {
    let run = run("third");
    let found = throwing(&run, "NullPointerException");
    assert_eq!(found, ["Objects.Node{value=5, next=Objects.Node{value=6, next=null}}"]);
}

#[test]
fn two_parameters_can_be_one_object() {
    let run = run("same");
    assert_eq!(returning(&run, 1), ["Objects.Node{}, Objects.Node{}"]);
    assert_eq!(returning(&run, 2), ["Objects.Node#1{}, #1"]);
    let apart = run_with("Objects", "same", |machine| machine.config.limits.aliases = Aliases::None);
    assert_eq!(returning(&apart, 2), [""; 0]);
}

#[test]
fn fields_can_refer_back_if_that_is_asked_for() {
    let run = run_with("Objects", "third", |machine| machine.config.limits.aliases = Aliases::All);
    assert!(run.paths.iter().any(|path| shown(path).contains("next=#1")), "{:?}", run.paths);
}

#[test]
fn records_keep_their_invariants_and_subclasses_are_tried() {
    let run = run("shape");
    assert_eq!(throwing(&run, "IllegalStateException"), ["new Objects.Square(7)"]);
    assert_eq!(throwing(&run, "IllegalArgumentException"), [""; 0]);
    assert!(returning(&run, -1).contains(&"Objects.Line{length=7}".to_owned()));
    assert_eq!(throwing(&run, "NullPointerException"), ["null"]);
}

#[test]
fn enums_are_one_of_their_constants() {
    let run = run("colour");
    assert_eq!(run.paths.len(), 4);
    assert_eq!(throwing(&run, "IllegalStateException"), ["Objects.Colour.BLUE"]);
}

#[test]
fn boxes_can_be_null() {
    let run = run("boxes");
    assert_eq!(throwing(&run, "ArithmeticException"), ["new Integer(1000), new Long(7L), true"]);
    let null = throwing(&run, "NullPointerException");
    assert!(null.iter().any(|inputs| inputs.starts_with("null, ")), "{null:?}");
    assert!(null.contains(&"new Integer(1000), null, null".to_owned()), "{null:?}");
}

#[test]
fn arrays_of_texts_and_of_arrays() {
    let run = run("words");
    assert!(returning(&run, 2).contains(&r#"new java.lang.String[] {"a", "a"}"#.to_owned()));
    let grid = self::run("grid");
    assert!(!returning(&grid, 1).is_empty());
}

#[test]
fn collections_of_the_library_hold_inputs() {
    let list = run("list");
    let outside = throwing(&list, "IndexOutOfBoundsException");
    assert!(
        !outside.is_empty() && outside.iter().all(|inputs| inputs.starts_with("ArrayList[new Integer(")),
        "{outside:?}"
    );
    let map = run_with("Objects", "map", |machine| machine.config.limits.array_length = 1);
    assert_eq!(returning(&map, 1), [r#"HashMap{"x"=new Objects.Square(4)}"#]);
}

#[test]
fn library_objects_are_made_by_library_methods() {
    let run = run_with("Objects", "optional", |machine| machine.config.limits.array_length = 1);
    assert!(
        returning(&run, 3).iter().any(|inputs| inputs.starts_with("java.util.Optional.ofNullable(\"")),
        "{:?}",
        run.paths
    );
    assert!(!throwing(&run, "NoSuchElementException").is_empty());
}

#[test]
fn an_object_is_a_number_a_string_or_a_plain_object() {
    let run = run("any");
    assert_eq!(returning(&run, 1), ["new Integer(42)"]);
    assert_eq!(returning(&run, 2), ["\"hi\""]);
    assert!(returning(&run, 0).contains(&"new java.lang.Object()".to_owned()));
}

#[test]
fn classes_that_extend_the_library_are_made_by_their_constructors() {
    let run = run("failure");
    assert_eq!(throwing(&run, "ArithmeticException"), ["new Objects.Failure(0)"]);
}

#[test]
fn the_object_of_a_method_is_an_input() {
    let run = run_with("Objects$Account", "withdraw", |_| {});
    let failing = throwing(&run, "AssertionError");
    assert_eq!(failing.len(), 1, "{failing:?}");
    assert!(failing[0].starts_with("Objects.Account{balance="), "{failing:?}");
    assert_eq!(throwing(&run, "NullPointerException"), [""; 0], "the object of a call is there");
}

#[test]
fn the_enclosing_object_of_an_inner_one_is_not_null() {
    let run = run_with("Objects$Inner", "twice", |_| {});
    assert_eq!(returning(&run, 42), ["Objects.Inner{this$0=Objects{size=21}}"]);
    assert_eq!(run.paths.len(), 2, "{:?}", run.paths);
}

#[test]
fn fields_are_inputs_for_variable_handles_too() {
    let run = run("counted");
    assert_eq!(returning(&run, 1), ["Objects.Node{value=41}"]);
}

#[test]
fn copies_of_inputs_agree_with_them() {
    let run = run_with("Objects$Account", "copied", |machine| machine.config.limits.array_length = 1);
    assert!(run.explored.exhausted);
    assert_eq!(returning(&run, 2), [""; 0]);
}

#[test]
fn constructors_can_be_asked_for() {
    let by_fields = run_with("Objects$Account", "remembered", |_| {});
    assert!(!throwing(&by_fields, "NullPointerException").is_empty());
    let by_constructors = run_with("Objects$Account", "remembered", |machine| {
        machine.kinds.objects_by = ObjectsBy::Constructors;
    });
    let outcomes: BTreeSet<String> = by_constructors.paths.iter().map(|path| format!("{:?}", path.outcome)).collect();
    assert_eq!(outcomes.len(), 1, "{outcomes:?}");
    assert_eq!(returning(&by_constructors, 1), ["new Objects.Account()"]);
}

#[test]
fn parameters_that_cannot_be_made_are_refused() {
    let program = program();
    let mut machine = program.machine();
    let method = program.method(&mut machine, "thread");
    let refused = machine.entry(&method).err();
    assert_eq!(refused, Some(lapidary_symbolic::NoEntry::Parameter("java.lang.Thread".into())));
}

/// A caller that compiles can put only strings into a `Holder<String>`.
#[test]
fn type_arguments_determine_fields_and_components() {
    for method in ["held", "coupled"] {
        let run = run(method);
        assert!(throwing(&run, "ClassCastException").is_empty(), "{method}");
        assert!(!returning(&run, 2).is_empty(), "{method}");
    }
}
