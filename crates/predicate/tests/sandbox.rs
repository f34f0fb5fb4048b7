//! Tests in a sandbox: the same verdicts as without, and nothing reaches outside.

use crate::support::{Script, judge_with, running, tiny, unique_sleep, wait_until};
use lapidary_predicate::{CommandConfig, CommandPredicate, Sandbox, Timeout, WorkerConfig, WorkerPredicate};
use lapidary_reduce::{Cancel, FileTree, Judgment, Predicate};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

fn sandbox() -> Option<Sandbox> {
    Some(Sandbox::new().unwrap_or_else(|reason| panic!("this test needs a sandbox: {reason}")))
}

fn enclosed(config: &mut CommandConfig) {
    config.sandbox = sandbox();
}

/// The example program, which can serve inside a sandbox.
fn probe(arguments: &[&str]) -> Command {
    let test = std::env::current_exe().unwrap();
    let probe = test.parent().unwrap().parent().unwrap().join("examples/warden_probe");
    assert!(probe.is_file(), "{} is missing: run all tests of the package", probe.display());
    let mut command = Command::new(probe);
    command.args(arguments);
    command
}

#[test]
fn verdicts_are_those_without_a_sandbox() {
    for body in [
        "exit 0",
        "exit 3",
        "exit 255",
        "kill -SEGV $$",
        "kill -ABRT $$",
        "grep -q hello \"$PWD/input.txt\"",
        "echo x > mine && cat mine && echo y > \"$TMPDIR/y\" && cat \"$TMPDIR/y\" >&2",
        "echo x > /tmp/x && cat /tmp/x",
        "test -r \"$0\"",
        "cat /etc/passwd > /dev/null",
        "echo to stdout; echo to stderr >&2; exit 1",
    ] {
        let [free, inside] = [judge_with(body, |_| {}), judge_with(body, enclosed)];
        assert_eq!((free.verdict, free.reason), (inside.verdict, inside.reason), "{body}");
    }
}

#[test]
fn limits_hold_inside() {
    let limited = |body: &str| {
        judge_with(body, |config| {
            enclosed(config);
            config.limits.file_size = Some(1 << 20);
            config.limits.memory = Some(64 << 20);
            config.timeout = Timeout::Fixed(Duration::from_secs(20));
        })
    };
    assert!(limited("exit 0").is_interesting());
    assert!(!limited("head -c 2000000 /dev/zero > big").is_interesting());
    assert!(!limited("x=$(head -c 200000000 /dev/zero | tr '\\0' x) && exit 0").is_interesting());
}

#[test]
fn nothing_reaches_outside() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let sleep = unique_sleep();
    let outside = tempfile::tempdir_in(std::env::home_dir().unwrap()).unwrap();
    let [home, script] = [outside.path().join("written").display().to_string(), "$(dirname \"$0\")/written".to_owned()];
    let body = format!(
        "(echo x > {home}) 2>/dev/null && exit 4
         (echo x > \"{script}\") 2>/dev/null && exit 5
         bash -c 'echo x > /dev/tcp/127.0.0.1/{port}' 2>/dev/null && exit 6
         echo x > \"$HOME/of-the-sandbox\" || exit 7
         setsid sleep {sleep} & exit 0"
    );
    let judgment = judge_with(&body, enclosed);
    assert!(judgment.is_interesting(), "{judgment:?}");
    assert!(!outside.path().join("written").exists());
    assert!(!std::env::home_dir().unwrap().join("of-the-sandbox").exists());
    assert!(listener.accept().is_err(), "nobody has connected");
    assert_eq!(running(&sleep), Vec::<String>::new());
}

#[test]
fn a_timeout_ends_everything_inside() {
    let sleep = unique_sleep();
    let body = format!("trap '' TERM; setsid sh -c 'env -i sleep {sleep} & wait' & sleep {sleep}");
    let judgment = judge_with(&body, |config| {
        enclosed(config);
        config.timeout = Timeout::Fixed(Duration::from_millis(400));
    });
    assert!(judgment.timed_out);
    assert_eq!(running(&sleep), Vec::<String>::new());
}

#[test]
fn a_worker_in_a_sandbox_outlives_the_thread_that_started_it() {
    let script = Script::new(
        r#"echo '{"lapidary": 1, "name": "test"}'
           id=0
           while read -r line; do
               echo "{\"id\": $id, \"verdict\": \"interesting\", \"reason\": \"yes\"}"
               id=$((id + 1))
           done"#,
    );
    let mut config = script.config();
    enclosed(&mut config);
    let worker = WorkerPredicate::new(WorkerConfig { check_every: 0, ..WorkerConfig::new(config) }).unwrap();
    let judge = |text: &str| worker.judge(&FileTree::file("a", text), &Cancel::new()).unwrap();
    let in_a_thread = |text: &str| std::thread::scope(|scope| scope.spawn(|| judge(text)).join().unwrap());
    let judgments: Vec<Judgment> = ["a", "b", "c"].into_iter().map(in_a_thread).collect();
    assert!(judgments.iter().all(Judgment::is_interesting), "{judgments:?}");
    assert_eq!((worker.statistics().started, worker.statistics().crashed), (1, 0));
}

#[test]
fn exit_codes_are_told_from_signals() {
    let reason = |body: &str| {
        let output = probe(&["--sandbox", "sh", "-c", body]).output().unwrap();
        String::from_utf8(output.stdout).unwrap().lines().last().unwrap().to_owned()
    };
    assert_eq!(reason("test $(ls -A $TMPDIR | wc -l) = 0"), "exit code 0", "its directory is empty");
    assert_eq!(reason("exit 139"), "exit code 139");
    assert_eq!(reason("kill -SEGV $$"), "killed by SIGSEGV");
    assert_eq!(reason("sh -c 'kill -KILL $$'; exit $?"), "exit code 137");
    assert_eq!(reason("trap '' TERM; kill -TERM 0; exit 7"), "exit code 7", "it ends its process group");
    assert_eq!(reason("exit 0"), "exit code 0");
}

#[test]
fn a_program_that_is_not_visible_inside_is_an_error() {
    let script = Script::new("exit 0");
    let hidden = tempfile::tempdir().unwrap();
    let interpreter = hidden.path().join("sh");
    assert!(Command::new("cp").arg("/bin/sh").arg(&interpreter).status().unwrap().success());
    let text = format!("#!{}\nexit 0\n", interpreter.display());
    std::fs::write(&script.path, text).unwrap();
    let output = probe(&["--sandbox", &script.path.display().to_string()]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("in the sandbox: No such file") && said.contains("--sandbox=off"), "{said}");
}

#[test]
fn after_a_kill_nothing_runs_and_nothing_is_left_on_disk() {
    let sleep = unique_sleep();
    let body = format!("setsid sleep {sleep} & env -i setsid sleep {sleep} & sleep {sleep}");
    let mut child = probe(&["--sandbox", "sh", "-c", &body]).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut scratch = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.take().unwrap()), &mut scratch).unwrap();
    wait_until("all sleep", || running(&sleep).iter().filter(|line| line.contains("sleep 1000")).count() >= 3);
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until("all are gone", || running(&sleep).is_empty());
    wait_until("the directory is gone", || !PathBuf::from(scratch.trim()).exists());
}

#[test]
fn tests_in_sandboxes_run_side_by_side() {
    let script = Script::new("cp input.txt copy && cmp input.txt copy && sleep 0.05 && echo x > \"$TMPDIR/x\"");
    let mut config = script.config();
    enclosed(&mut config);
    let predicate = CommandPredicate::new(config).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..3 {
                    let judgment = predicate.judge(&tiny(), &Cancel::new()).unwrap();
                    assert!(judgment.is_interesting(), "{judgment:?}");
                }
            });
        }
    });
}
