//! Tests of the drivers of third-party analyses, run as processes, with a substitute for `java`
//! where the real tool would take minutes.

use lapidary_callgraph::tools::{Installed, RunError, RunLimits, TOOLS, Tool};
use lapidary_reduce::Cancel;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A tool whose `java` is a script; the arguments of the driver are `$6` to `$8`.
fn scripted(directory: &Path, script: &str) -> Installed {
    let java = directory.join("java");
    std::fs::write(&java, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&java, std::fs::Permissions::from_mode(0o755)).unwrap();
    Installed { name: "soot", directory: directory.to_path_buf(), java }
}

fn run(script: &str, limits: &RunLimits) -> Result<Vec<String>, RunError> {
    let directory = tempfile::tempdir().unwrap();
    let tool = scripted(directory.path(), script);
    let class_path = [PathBuf::from("/x/a.jar"), PathBuf::from("/x/b.jar")];
    let finding = tool.run(&class_path, "p/Main", limits, &Cancel::new())?;
    let garbage = finding.lines.garbage.iter().map(ToString::to_string);
    Ok(finding.lines.methods.iter().map(ToString::to_string).chain(garbage).collect())
}

#[test]
fn a_driver_gets_class_path_and_main_class_and_its_answer_is_read() {
    let script = r#"echo "chatter"; [ "$2" = "-Djava.io.tmpdir=${8%/*}" ] && [ "$6" = /x/a.jar:/x/b.jar ] &&
        echo "$7.main:()V" | sed 's|p\.|p/|' > "$8"; echo junk >> "$8""#;
    let found = run(script, &RunLimits::default()).unwrap();
    assert_eq!(found, ["p/Main.main:()V", "line 2: `junk` is not a method: expected pkg/Cls.name:(I)V"]);
}

#[test]
fn a_driver_that_fails_or_answers_nothing_is_an_error_with_its_last_words() {
    let trace = r"printf 'OutOfMemoryError: heap\n\tat soot.Main.main(Main.java)\n' >&2; exit 3";
    let failed = run(trace, &RunLimits::default()).unwrap_err();
    assert_eq!(failed.to_string(), "soot ended with exit code 3 and no answer: OutOfMemoryError: heap");
    let silent = run("true", &RunLimits::default()).unwrap_err();
    assert!(matches!(silent, RunError::Failed { .. }), "{silent}");
}

#[test]
fn a_driver_that_hangs_is_stopped() {
    let limits = RunLimits { time: Duration::from_millis(300), ..RunLimits::default() };
    assert!(matches!(run("sleep infinity", &limits), Err(RunError::OutOfTime { .. })));
}

#[test]
fn tools_are_found_by_name() {
    for tool in TOOLS {
        assert_eq!(Tool::named(tool.name).map(|found| found.title), Some(tool.title));
    }
    assert!(Tool::named("doop").is_none());
}

/// Builds every driver and runs it on a program; it must find at least `main`. Run it with
/// `cargo test -p lapidary-callgraph --test suite tools:: -- --ignored`.
#[test]
#[ignore = "needs Maven, its repository or a network, and minutes"]
fn every_tool_finds_the_main_method() {
    let directory = tempfile::tempdir().unwrap();
    let text = "public class Small { public static void main(String[] a) { new Small().run(); } void run() {} }";
    lapidary_testkit::javac_texts(&[], directory.path(), &[("Small.java", text)]);
    for tool in TOOLS {
        let installed = tool.install(&mut |line| eprintln!("{line}")).unwrap();
        let class_path = [directory.path().to_path_buf()];
        let finding = installed.run(&class_path, "Small", &RunLimits::default(), &Cancel::new()).unwrap();
        eprintln!("{}: {} methods in {:.1} s", tool.title, finding.lines.methods.len(), finding.elapsed.as_secs_f64());
        for method in ["Small.main:([Ljava/lang/String;)V", "Small.run:()V"] {
            assert!(finding.lines.methods.contains(&method.parse().unwrap()), "{} misses {method}", tool.name);
        }
    }
}
