//! `lapidary reduce` on Java programs: jars and directories of classes.

use crate::java_support;
use crate::support;

use java_support::{MANIFEST, app, app_jar, jar, unpack};
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use support::{Place, Run, wait_until};

/// A place with `app.jar`, and with `check`, a test that looks for a word in the classes of a jar.
fn place() -> Place {
    let place = Place::new();
    place.write("app.jar", app_jar());
    place.script("check", "unzip -p $1 '*.class' | grep -q needle");
    place
}

fn reduce(place: &Place, options: &[&str]) -> Run {
    place.lapidary(&[&["reduce", "app.jar"], options, &["--", "./check", "{}"]].concat())
}

/// The entries of the result.
#[track_caller]
fn result(place: &Place) -> BTreeMap<String, Vec<u8>> {
    unpack(&fs::read(place.path("app.reduced.jar")).unwrap())
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// The output of the program on a class path.
fn java(place: &Place, class_path: &str) -> String {
    let output = Command::new("java")
        .args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", class_path, "app.Main"])
        .current_dir(place.path(""))
        .output()
        .unwrap();
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

#[test]
fn a_jar_that_java_fails_on() {
    let place = place();
    let options = ["--expect", "stderr~IllegalStateException: the needle", "--json", "summary.json"];
    let test = ["--", "java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", "{}", "app.Main"];
    let run = place.lapidary(&[&["reduce", "app.jar"], &options[..], &test[..]].concat()).ends_with(0);
    run.prints(&["app.reduced.jar"]);
    assert!(java(&place, "app.reduced.jar").contains("IllegalStateException: the needle"));
    let left = result(&place);
    assert!(!left.contains_key("app/Unused.class") && !left.contains_key("app/Printer.class"), "{:?}", left.keys());
    assert!(!contains(&left["app/Main.class"], "screws"), "statements that do not matter are gone");
    let summary = place.json("summary.json");
    assert!(
        summary["bytes"]["after"].as_u64().unwrap() * 3 < summary["bytes"]["before"].as_u64().unwrap(),
        "{summary}"
    );
}

#[test]
fn the_summary_has_all_fields() {
    let place = place();
    reduce(&place, &["--json", "summary.json"]).ends_with(0);
    let summary = place.json("summary.json");
    assert_eq!((summary["command"].as_str(), summary["model"].as_str()), (Some("reduce"), Some("java")));
    assert_eq!(summary["complete"], true);
    for (field, parts) in [
        ("items", &["before", "after"][..]),
        ("bytes", &["before", "after"]),
        ("tests", &["search", "run", "cached", "interesting", "unresolved", "timed_out"]),
        ("seconds", &["total", "in_tests"]),
    ] {
        parts.iter().for_each(|part| assert!(summary[field][part].is_number(), "{field}.{part} in {summary}"));
    }
    assert!(summary["clauses"].as_u64().unwrap() > 100, "{summary}");
    assert!(summary["items"]["after"].as_u64().unwrap() <= 6, "a class, a method, its code: {summary}");
    let classes: u64 = app().iter().map(|(_, bytes)| bytes.len() as u64).sum();
    let others = (MANIFEST.len() + "hello\n".len()) as u64;
    assert_eq!(summary["bytes"]["before"], classes + others, "the files in the jar count");
}

#[test]
fn the_manifest_stays_and_resources_go() {
    let place = place();
    reduce(&place, &[]).ends_with(0);
    let left = result(&place);
    assert_eq!(left["META-INF/MANIFEST.MF"], MANIFEST.as_bytes());
    // The stock, a parameter of the method with the needle, is gone, and so is its class.
    assert_eq!(left.keys().collect::<Vec<_>>(), ["META-INF/MANIFEST.MF", "app/Checker.class"]);
}

#[test]
fn a_jar_of_which_nothing_can_go_comes_back_as_it_was() {
    let place = place();
    let original = place.path("app.jar");
    let run = place.lapidary(&["reduce", "app.jar", "--", "cmp", "-s", "{}", original.to_str().unwrap()]);
    run.ends_with(0);
    assert_eq!(fs::read(place.path("app.reduced.jar")).unwrap(), app_jar());
}

#[test]
fn a_directory_of_classes() {
    let place = Place::new();
    app().iter().for_each(|(name, bytes)| _ = place.write(&format!("classes/{name}"), bytes));
    place.lapidary(&["reduce", "classes", "--out", "small", "--", "grep", "-rq", "needle", "{}"]).ends_with(0);
    let files = fs::read_dir(place.path("small/app")).unwrap();
    let mut left: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["Checker.class"]);
    let (before, after) = (&app()[0].1, fs::read(place.path("small/app/Checker.class")).unwrap());
    assert!(after.len() * 3 < before.len() * 2, "the class itself is reduced: {} of {}", after.len(), before.len());
}

#[test]
fn whole_classes_only() {
    let place = place();
    reduce(&place, &["--as", "java-classes", "--json", "summary.json"]).ends_with(0);
    assert_eq!(place.json("summary.json")["model"], "java-classes");
    let (left, original) = (result(&place), unpack(&app_jar()));
    let names: Vec<&str> = left.keys().map(String::as_str).collect();
    // The checker names the stock, which names the interface.
    assert_eq!(names, ["META-INF/MANIFEST.MF", "app/Checker.class", "app/Named.class", "app/Stock.class"]);
    left.iter().for_each(|(name, bytes)| assert_eq!(bytes, &original[name], "{name} is as it was"));
}

#[test]
fn what_is_kept_stays() {
    let place = place();
    reduce(&place, &["--keep", r"^app/Printer\.twice:.*!code$"]).ends_with(0);
    let left = result(&place);
    assert!(contains(&left["app/Printer.class"], "twice"), "{:?}", left.keys());
    assert!(!left.contains_key("app/Unused.class"));
}

#[test]
fn a_label_to_keep_that_no_item_has() {
    reduce(&place(), &["--keep", "app/Nobody"]).ends_with(2).complains(&["--keep", "app/Nobody"]);
}

/// The program split in two: the class `Printer` is in a library.
fn with_library() -> Place {
    let place = place();
    let (library, program): (Vec<_>, Vec<_>) = app().into_iter().partition(|(name, _)| name.contains("Printer"));
    place.write("program.jar", jar(&program));
    place.write("lib/printer.jar", jar(&library));
    place
}

#[test]
fn classes_of_libraries_are_found() {
    let place = with_library();
    let reduce = |options: &[&str]| {
        place
            .lapidary(&[&["reduce", "program.jar", "--force"], options, &["--", "./check", "{}"]].concat())
            .ends_with(0)
    };
    reduce(&[]).complains(&["1 classes are missing", "app/Printer", "--classpath"]);
    for library in ["lib/printer.jar", "lib/*", "nested.jar:lib/printer.jar"] {
        place.write("nested.jar", jar(&Vec::new()));
        let run = reduce(&["--classpath", library]);
        assert!(!run.stderr.contains("missing"), "{run}");
    }
}

#[test]
fn a_signed_jar_loses_its_signature_with_a_note() {
    let place = place();
    let mut entries: Vec<_> = unpack(&app_jar()).into_iter().collect();
    for name in ["META-INF/KEY.SF", "META-INF/KEY.RSA"] {
        entries.push((name.to_owned(), b"signature".to_vec()));
    }
    place.write("app.jar", jar(&entries));
    reduce(&place, &[]).ends_with(0).complains(&["the jar is signed", "dropped"]);
    assert!(!result(&place).keys().any(|name| name.contains("KEY")));
}

#[test]
fn the_number_of_jobs_makes_no_difference() {
    let results = ["1", "2"].map(|jobs| {
        let place = place();
        reduce(&place, &["--jobs", jobs, "--json", "summary.json"]).ends_with(0);
        let search = place.json("summary.json")["tests"]["search"].clone();
        (fs::read(place.path("app.reduced.jar")).unwrap(), search)
    });
    assert_eq!(results[0], results[1]);
}

#[test]
fn a_killed_run_resumes_to_the_same_result() {
    let place = place();
    let log = place.path("log");
    // The test hangs once, at the eighth candidate.
    let hang = place.path("hang");
    fs::write(&hang, "").unwrap();
    let body = format!(
        "echo >> {log}; if test -e {hang} && test $(wc -l < {log}) -ge 8; then rm {hang}; sleep 100; fi
         unzip -p $1 '*.class' | grep -q needle",
        log = log.display(),
        hang = hang.display()
    );
    place.script("check", &body);
    let arguments = ["reduce", "app.jar", "--jobs", "1", "--timeout", "100", "--", "./check", "{}"];
    let run = place.start(&arguments);
    wait_until("the test hangs", || !place.exists("hang"));
    run.kill();
    place.wait_until_clean();
    let judged = place.lines("log");
    let resumed = place.lapidary(&[&arguments[..6], &["--resume", "--json", "summary.json"], &arguments[6..]].concat());
    resumed.ends_with(0);
    let other = self::place();
    reduce(&other, &["--jobs", "1", "--json", "summary.json"]).ends_with(0);
    assert_eq!(result(&place), result(&other));
    let run = |place: &Place| place.json("summary.json")["tests"]["run"].as_u64().unwrap();
    assert!(run(&place) < run(&other), "what the killed run has learned is not tested again ({judged} tests)");
}

#[test]
fn what_the_model_sees() {
    let place = place();
    let run = place.lapidary(&["model", "app.jar"]).ends_with(0);
    run.prints(&[
        "app.jar: java",
        " class (",
        " method (",
        " implements (",
        "clauses",
        "% edges",
        " resource (6 bytes)",
    ]);
    let run = place.lapidary(&["model", "app.jar", "--items", "--as", "java-classes"]).ends_with(0);
    run.prints(&["7 items", "  app/Main  (class", "  file notes/readme.txt  (resource"]);
}

#[test]
fn a_rejected_sub_input_is_shown_and_can_be_had() {
    let place = place();
    let check =
        ["--check", "3", "--seed", "5", "--as", "java-statements", "--", "sh", "-c", "echo bad $0; exit 1", "{}"];
    let run = place.lapidary(&[&["model", "app.jar"], &check[..]].concat()).ends_with(1);
    let run = run.prints(&["0 of 3 random valid", "the first rejected one has seed 5:\n  bad /"]);
    let line = run.stdout.lines().find_map(|line| line.strip_prefix("to get it as a file: lapidary "));
    let line = line.unwrap_or_else(|| panic!("{run}"));
    assert!(line.contains(" --as java-statements ") && line.contains(" --seed 5 "), "{line}");
    let line = format!("{} {line}", env!("CARGO_BIN_EXE_lapidary"));
    let status = Command::new("sh").args(["-c", &line]).current_dir(place.path("")).output().unwrap().status;
    assert!(status.success(), "{line}");
    assert!(!unpack(&fs::read(place.path("5-app.jar")).unwrap()).is_empty());
}

#[test]
fn classes_that_are_none_are_told_of_in_every_view() {
    let place = place();
    let mut entries = app();
    entries.push(("bad/Garbage.class".to_owned(), b"no class at all".to_vec()));
    place.write("app.jar", jar(&entries));
    for view in ["java", "java-classes", "java-statements"] {
        let run = place.lapidary(&["model", "app.jar", "--as", view]).ends_with(0);
        assert_eq!(run.stderr.matches("bad/Garbage.class is not looked into").count(), 1, "{view}: {run}");
        let options = ["--as", view, "--force", "--budget", "1", "--json", "summary.json"];
        let run = reduce(&place, &options);
        assert_eq!(run.stderr.matches("bad/Garbage.class is not looked into").count(), 1, "{view}: {run}");
        assert!(place.json("summary.json")["items"]["before"].as_u64().unwrap() > 5, "{view}");
    }
}
