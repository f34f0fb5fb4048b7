//! A test that cannot run gives a clear error before anything starts.

use crate::support::{judge_with, running};
use lapidary_predicate::{CommandConfig, CommandPredicate};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// The error for a file with this content and mode.
fn error(content: &str, mode: u32) -> String {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("test.sh");
    fs::write(&path, content).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    let error = CommandPredicate::new(CommandConfig::new(&path)).err().expect("an error").to_string();
    error.replace(directory.path().to_str().unwrap(), ".")
}

#[test]
fn each_reason_is_told() {
    assert_eq!(error("#!/bin/sh\n", 0o644), "./test.sh is not executable: run chmod +x ./test.sh");
    assert_eq!(error("", 0o755), "./test.sh is empty");
    assert!(error("exit 0\n", 0o755).contains("its first line must be #!/bin/sh"));
    assert!(error("#!/no/such/shell\n", 0o755).contains("names /no/such/shell, which does not exist"));
    assert!(error("#!/bin/sh\r\nexit 0\r\n", 0o755).contains("carriage return"));
    assert!(error("#!/usr/bin/env no-such-language\n", 0o755).contains("names no-such-language, which is not on PATH"));
}

#[test]
fn missing_commands_and_directories_are_told() {
    let error = |program: &str| CommandPredicate::new(CommandConfig::new(program)).err().expect("an error").to_string();
    assert_eq!(error("no-such-command-anywhere"), "no such command: no-such-command-anywhere");
    assert_eq!(error("./no-such-test"), "no such command: ./no-such-test");
    assert_eq!(error("/tmp"), "/tmp is a directory, not a test");
    assert!(error("").contains("no test was given"));
}

#[test]
fn a_word_is_looked_up_on_path() {
    let judgment = judge_with("", |config| {
        config.program = "sh".into();
        config.arguments = vec!["-c".into(), "exit 4".into()];
    });
    assert_eq!(judgment.reason, "exit code 4");
}

/// The probe runs in the directory of the script, as a user would.
#[test]
fn programs_are_found_from_the_users_directory() {
    let script = crate::support::Script::new("echo ran; [ -f input.txt ]");
    let test = std::env::current_exe().unwrap();
    let probe = test.parent().unwrap().parent().unwrap().join("examples/warden_probe");
    assert!(probe.is_file(), "{} is missing: run all tests of the package", probe.display());
    for program in ["./test.sh", "test.sh"] {
        let mut command = Command::new(&probe);
        let output = command.arg(program).current_dir(script.path.parent().unwrap()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.ends_with("exit code 0\n"), "{program}: {text}{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(running(script.path.to_str().unwrap()), Vec::<String>::new());
}
