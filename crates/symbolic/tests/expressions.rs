//! Random methods compute the same on a real JVM and on ours: on concrete inputs, and on each path
//! with the input that takes it.

use crate::support;

use lapidary_symbolic::{ExplorationBudget, Message, Number, Outcome, PathEnd, ReturnValue, State, explore, search};
use lapidary_testkit::javac;
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::cases::{Cases, java, successful};
use support::expressions::{Difficulty, Type, Writer};

/// How many methods are compared on concrete inputs, and how often each is called.
const METHODS: usize = 100;
const CALLS: usize = 3;

/// How many methods are explored, and how many paths of each.
const EXPLORED: usize = 30;
const PATHS: u64 = 12;

fn written(name: &str, source: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("expression-sources");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{name}.java"));
    std::fs::write(&file, source).unwrap();
    file
}

/// An expression whose value is exact to the last bit.
fn shown(type_: Type, call: &str) -> String {
    match type_ {
        Type::Float => format!("Float.floatToIntBits({call})"),
        Type::Double => format!("Double.doubleToLongBits({call})"),
        _ => call.to_owned(),
    }
}

fn called(call: &str) -> String {
    format!("try {{ System.out.println({call}); }} catch (RuntimeException e) {{ System.out.println(e); }}")
}

#[test]
fn random_methods_compute_the_same() {
    let mut writer = Writer::new(20_240_501, Difficulty::Anything);
    let mut source = "public class Computed {\n".to_owned();
    for number in 0..METHODS {
        let (result, method) = writer.method(&format!("m{number}"));
        source += &method;
        source += &format!("    static void test{number}() {{\n");
        for _ in 0..CALLS {
            let arguments: Vec<String> = writer.parameters().iter().map(|type_| writer.constant(*type_)).collect();
            let call = format!("m{number}({})", arguments.join(", "));
            source += &format!("        {}\n", called(&shown(result, &call)));
        }
        source += "    }\n";
    }
    let file = written("Computed", &(source + "}\n"));
    let cases = Cases::run("expressions", &[file]);
    assert_eq!(cases.truth["Computed"].len(), METHODS);
    let different = cases.differences("Computed");
    assert!(different.is_empty(), "{different}");
}

#[test]
fn every_path_of_random_methods_ends_as_predicted() {
    let mut writer = Writer::new(7, Difficulty::Solvable);
    let mut source = "public class Explored {\n".to_owned();
    for number in 0..EXPLORED {
        source += &writer.method(&format!("m{number}")).1;
    }
    source += "}\n";
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("explored");
    javac(&[], &directory, [written("Explored", &source)]);
    let mut predicted = Vec::new();
    let mut checks = "public class Predicted {\n    public static void main(String[] none) {\n".to_owned();
    for number in 0..EXPLORED {
        for path in paths(&directory, &format!("m{number}")) {
            let inputs: Vec<String> = path.inputs.iter().map(|input| input.to_string()).collect();
            let call = format!("Explored.m{number}({})", inputs.join(", "));
            checks += &format!("        {}\n", called(&call));
            predicted.push((call, prediction(&path)));
        }
    }
    assert!(predicted.len() > 2 * EXPLORED, "{} paths", predicted.len());
    let file = written("Predicted", &(checks + "    }\n}\n"));
    javac(&["-cp", directory.to_str().unwrap()], &directory, [file]);
    let printed = String::from_utf8(successful(java(&directory).arg("Predicted")).stdout).unwrap();
    let really: Vec<&str> = printed.lines().collect();
    assert_eq!(really.len(), predicted.len());
    for ((call, prediction), real) in predicted.iter().zip(really) {
        let fits = match prediction {
            Prediction::Exactly(text) => text == real,
            Prediction::Class(class) => real.starts_with(class.as_str()),
        };
        assert!(fits, "{call} gives {real}, not {prediction:?}");
    }
}

fn paths(directory: &Path, method: &str) -> Vec<PathEnd> {
    let mut machine = support::machine(directory);
    let class = machine.world.class_named("Explored").unwrap();
    let hierarchy = machine.world.hierarchy.clone();
    let found = hierarchy.declared_methods(class.id).find(|id| hierarchy.method(*id).name == *method);
    let method = machine.world.method(found.expect("a method of that name"));
    let entry = machine.entry(&method).unwrap();
    let mut state = State::new();
    machine.start(&mut state, &entry, &[]);
    let mut paths = Vec::new();
    let budget = ExplorationBudget { paths: PATHS, time: Duration::from_secs(600), ..ExplorationBudget::default() };
    let mut search = search::named("breadth", 1).unwrap();
    explore(&mut machine, state, &mut *search, &budget, &mut |path| paths.push(path.clone()));
    paths
}

#[derive(Debug)]
enum Prediction {
    Exactly(String),
    /// The message contains a number that depends on the inputs.
    Class(String),
}

fn prediction(path: &PathEnd) -> Prediction {
    match &path.outcome {
        Outcome::Returned(Some(ReturnValue::Number(Number::Integer(number)))) => {
            Prediction::Exactly(number.to_string())
        }
        Outcome::Threw { class, message: Message::Text(message), .. } => {
            Prediction::Exactly(format!("{class}: {message}"))
        }
        Outcome::Threw { class, .. } => Prediction::Class(class.clone()),
        outcome => panic!("{outcome:?} for {:?}", path.inputs),
    }
}
