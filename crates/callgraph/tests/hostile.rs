//! Tests with damaged class files, missing classes and impossible entry points: errors or smaller
//! answers, never a panic.

use lapidary_callgraph::{CallGraphAnalysis, Entry, Error, Limits, Weaknesses, reachable};
use lapidary_classfile::Text;
use lapidary_jvm::{ClassPath, Platform};
use proptest::prelude::*;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tempfile::TempDir;

const SOURCE: &str = "
    import java.util.function.*;
    public class Hostile implements Runnable {
        Object field; static Object[][] arrays = new Object[2][2];
        public static void main(String[] arguments) {
            try { new Hostile().run(); } catch (RuntimeException failure) { failure.toString(); }
            Supplier<Object> maker = Hostile::new;
            Runnable task = () -> arrays[0][1] = maker.get();
            for (int i = 0; i < 3; i++) { task.run(); arrays[1][i % 2] = i > 1 ? maker : task; }
            switch (arguments.length) { case 1: task = null; break; case 7: long wide = 7L; double real = wide; }
        }
        public void run() { synchronized (this) { field = arrays.clone(); } }
    }";

fn class_file() -> &'static [u8] {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        lapidary_testkit::javac_texts(&[], directory.path(), &[("Hostile.java", SOURCE)]);
        std::fs::read(directory.path().join("Hostile.class")).unwrap()
    })
}

fn directory_with(bytes: &[u8]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("Hostile.class"), bytes).unwrap();
    directory
}

fn analyse(directory: &Path, platform: Option<Platform>, entry: &Entry, limits: &Limits) -> Result<usize, Error> {
    let class_path = Arc::new(ClassPath::open(&[directory.to_path_buf()], platform).unwrap());
    let weaknesses = ["no-startup".parse().unwrap()].into_iter().collect::<Weaknesses>();
    let mut found = 0;
    for analysis in CallGraphAnalysis::ALL {
        found = reachable(&class_path, entry, analysis, &weaknesses, limits)?.application.len();
    }
    Ok(found)
}

#[test]
fn the_undamaged_class_is_found_with_and_without_a_platform() {
    let directory = directory_with(class_file());
    let found = |platform| analyse(directory.path(), platform, &Entry::main("Hostile"), &Limits::default()).unwrap();
    assert_eq!(found(None), 4, "without an interface the lambda has no method to run");
    assert_eq!(found(Some(Platform::installed().unwrap())), 5);
}

#[test]
fn a_question_without_an_answer_is_an_error_that_says_why() {
    let directory = directory_with(class_file());
    let ask = |entry: &Entry, limits: &Limits| analyse(directory.path(), None, entry, limits).unwrap_err().to_string();
    assert_eq!(ask(&Entry::main("p.None"), &Limits::default()), "class p/None is not on the class path");
    let entry = Entry { method: Text::from("start"), ..Entry::main("Hostile") };
    assert_eq!(ask(&entry, &Limits::default()), "Hostile has no method start([Ljava/lang/String;)V; has it a main?");
    let cut = directory_with(&class_file()[..100]);
    let error = analyse(cut.path(), None, &Entry::main("Hostile"), &Limits::default()).unwrap_err().to_string();
    assert!(error.starts_with("class Hostile is not on the class path ("), "{error}");
}

#[test]
fn limits_stop_an_analysis() {
    let directory = directory_with(b"");
    let entry = Entry::main("java.lang.Thread");
    let entry = Entry { method: Text::from("dumpStack"), descriptor: Text::from("()V"), ..entry };
    let ask = |limits: &Limits| analyse(directory.path(), Some(Platform::installed().unwrap()), &entry, limits);
    let few = Limits { methods: 100, ..Limits::default() };
    assert!(matches!(ask(&few), Err(Error::TooManyMethods { limit: 100 })));
    let short = Limits { time: Duration::from_millis(1), ..Limits::default() };
    assert!(matches!(ask(&short), Err(Error::OutOfTime { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_damage_makes_it_panic(places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bytes = class_file().to_vec();
        for (place, byte) in places {
            let index = place.index(bytes.len());
            bytes[index] = byte;
        }
        let directory = directory_with(&bytes);
        let limits = Limits { time: Duration::from_secs(20), ..Limits::default() };
        // Any result is fine; a class that still has its main is found.
        if let Ok(found) = analyse(directory.path(), None, &Entry::main("Hostile"), &limits) {
            prop_assert!(found > 0);
        }
    }
}
