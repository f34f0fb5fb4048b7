//! Tests of commands on a real farm: what a run shows is what a run on this machine would show.

mod support;

use lapidary_predicate::{CommandConfig, Ending, Limits, LocalCommand, Runner, Timeout};
use lapidary_reduce::{Cancel, Entry, FileTree, PredicateError};
use lapidary_remote::{RemoteCommand, RemoteConfig, RemoteTest};
use lapidary_testkit::farm::shared;
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};
use support::{MINUTE, config, connection_error, fresh, on, program, refused, run, script, text, wait_until};

#[test]
fn a_run_shows_what_a_run_on_this_machine_shows() {
    let body = r#"cat "$1"; echo "$0" >&2; pwd; echo "in $1" >&2; [ -w "$TMPDIR" ] && [ -d "$HOME" ] && exit 3"#;
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("test.sh");
    std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut local = CommandConfig::new(path.clone());
    local.arguments = vec!["{}".into()];
    let local = LocalCommand::new(local).unwrap();
    let remote = on(shared(), script(body));
    let directory = [("a/b.txt", "one"), ("c.txt", "two")].map(|(path, content)| (path.into(), Entry::file(content)));
    for candidate in [FileTree::file("it's.txt", fresh().as_str()), FileTree::directory("d", directory.into())] {
        let here = local.run(&candidate, MINUTE, &Cancel::new()).unwrap();
        let there = run(&remote, &candidate);
        assert_eq!(there.ending, here.ending);
        let normalised = |run: &lapidary_predicate::Observation, output: &[u8], test: &str| {
            text(output).replace(&*run.directory.to_string_lossy(), "JOB").replace(test, "TEST")
        };
        assert!(there.directory.is_absolute(), "{there:?}");
        let test = there.directory.with_file_name("lapidary-test").join("test.sh");
        let pairs = [(&there.stdout, &here.stdout), (&there.stderr, &here.stderr)];
        for (there_said, here_said) in pairs {
            let expected = normalised(&here, &here_said.head, &path.to_string_lossy());
            assert_eq!(normalised(&there, &there_said.head, &test.to_string_lossy()), expected);
        }
    }
    assert_eq!((remote.runs(), remote.cached()), (2, 0));
}

#[test]
fn only_what_changed_is_sent() {
    let remote = on(shared(), script("test -s $1/large"));
    let large = "x".repeat(500_000) + &fresh();
    let tree = |small: &str| {
        let entries =
            [("large", large.as_str()), ("small", small)].map(|(name, content)| (name.into(), Entry::file(content)));
        FileTree::directory("d", entries.into())
    };
    run(&remote, &tree("one"));
    let first = remote.bytes_sent();
    assert!(first > 500_000);
    run(&remote, &tree("two"));
    assert!(remote.bytes_sent() - first < 2_000, "{} bytes", remote.bytes_sent() - first);
    let other = on(shared(), script("test -s $1/large && true"));
    run(&other, &tree("three"));
    assert!(other.bytes_sent() < 2_000, "the farm had the large file: {} bytes", other.bytes_sent());
}

#[test]
fn large_files_and_outputs_travel_in_pieces() {
    let remote = on(shared(), script("cat $1; sha256sum <$1 >&2"));
    let content: String = (0..1_000_000).map(|number| format!("{number:08}\n")).collect();
    let observation = run(&remote, &FileTree::file("large", content.as_str()));
    assert_eq!(observation.ending, Ending::Exited(0));
    assert_eq!(observation.stdout.head, content.as_bytes()[..1 << 20]);
    assert_eq!(observation.stdout.dropped as usize, content.len() - (1 << 20));
    assert_eq!(text(&observation.stderr.head).len(), 68);
}

#[test]
fn results_are_cached_for_everybody_but_repetitions_are_runs() {
    let test = || script("date +%N");
    let candidate = FileTree::file("x", fresh().as_str());
    let one = on(shared(), test());
    let outputs: Vec<_> = (0..3).map(|_| run(&one, &candidate).stdout.head).collect();
    assert_eq!((one.runs(), one.cached()), (3, 0));
    assert!(outputs[0] != outputs[1] && outputs[1] != outputs[2]);
    let other = on(shared(), test());
    let again: Vec<_> = (0..3).map(|_| run(&other, &candidate).stdout.head).collect();
    assert_eq!((other.runs(), other.cached()), (0, 3));
    assert_eq!(again, outputs);
    let fresh = RemoteCommand::new(&RemoteConfig { use_cache: false, ..config(shared()) }, test()).unwrap();
    assert_ne!(run(&fresh, &candidate).stdout.head, outputs[0]);
    assert_eq!((fresh.runs(), fresh.cached()), (1, 0));
}

#[test]
fn a_run_that_takes_too_long_times_out_and_leaves_nothing() {
    let marker = format!("{}", std::process::id() as u64 * 1000 + 7);
    let body = format!("cat $1; (setsid sleep {marker} &) ; sleep {marker}");
    let test = RemoteTest { timeout: Timeout::Fixed(Duration::from_secs(1)), ..script(&body) };
    let remote = on(shared(), test);
    let limit = Duration::from_millis(1200);
    let observation = remote.run(&FileTree::file("x", fresh().as_str()), limit, &Cancel::new()).unwrap();
    assert_eq!(observation.ending, Ending::TimedOut(limit));
    assert!(text(&observation.stdout.head).contains("of"), "what it printed until then is shown");
    assert!(!is_running(&marker), "the worker killed the tree");
}

#[test]
fn a_cancelled_run_ends_on_the_worker_too() {
    let marker = format!("{}", std::process::id() as u64 * 1000 + 13);
    let remote = on(shared(), script(&format!("sleep {marker}")));
    let cancel = Cancel::new();
    let request = cancel.clone();
    let needle = marker.clone();
    let canceller = std::thread::spawn(move || {
        wait_until(|| is_running(&needle));
        request.cancel();
    });
    let ended = remote.run(&FileTree::file("x", fresh().as_str()), 10 * MINUTE, &cancel);
    canceller.join().unwrap();
    assert!(matches!(ended, Err(PredicateError::Cancelled)));
    wait_until(|| !is_running(&marker));
}

#[test]
fn a_cancelled_run_is_no_repetition() {
    let candidate = FileTree::file("x", fresh().as_str());
    let place = tempfile::tempdir().unwrap();
    let gate = place.path().join("gate");
    // Waits for the gate, which is open in the second run.
    let test = || script(&format!("while [ ! -e {} ]; do sleep 0.05; done", gate.display()));
    let remote = on(shared(), test());
    let cancel = Cancel::new();
    cancel.cancel_at(Instant::now() + Duration::from_millis(500));
    assert!(matches!(remote.run(&candidate, MINUTE, &cancel), Err(PredicateError::Cancelled)));
    std::fs::write(&gate, "").unwrap();
    run(&remote, &candidate);
    let other = on(shared(), test());
    run(&other, &candidate);
    assert_eq!((other.runs(), other.cached()), (0, 1), "the first run that ended is the first repetition");
}

#[test]
fn signals_are_exit_codes_as_in_a_shell() {
    let remote = on(shared(), program(&["sh", "-c", "kill -SEGV $$"]));
    assert_eq!(run(&remote, &FileTree::file("x", fresh().as_str())).ending, Ending::Exited(139));
}

#[test]
fn limits_hold_on_the_worker() {
    let limits = Limits { file_size: Some(1 << 20), ..Limits::default() };
    let remote = on(shared(), RemoteTest { limits, ..script("head -c 2000000 /dev/zero >big; wc -c <big") });
    let observation = run(&remote, &FileTree::file("x", fresh().as_str()));
    assert_eq!(text(&observation.stdout.head).trim(), "1048576");
}

#[test]
fn a_program_that_the_workers_lack_is_named() {
    let problem = refused(shared(), program(&["no-such-compiler", "{}"]));
    assert!(problem.contains("`no-such-compiler`") && problem.contains("--remote-property"), "{problem}");
}

#[test]
fn a_property_that_the_farm_does_not_know_is_named() {
    let config = RemoteConfig { properties: vec!["colour=blue".parse().unwrap()], ..config(shared()) };
    let remote = RemoteCommand::new(&config, program(&["true"])).unwrap();
    let problem = remote.run(&FileTree::file("x", "y"), MINUTE, &Cancel::new()).unwrap_err().to_string();
    assert!(problem.contains("colour") && problem.contains("asked for colour=blue"), "{problem}");
    let known = RemoteConfig { properties: vec!["OSFamily=linux".parse().unwrap()], ..support::config(shared()) };
    let remote = RemoteCommand::new(&known, program(&["true"])).unwrap();
    assert_eq!(run(&remote, &FileTree::file("x", fresh().as_str())).ending, Ending::Exited(0));
}

#[test]
fn a_property_that_no_worker_has_is_named() {
    let patience = Duration::from_secs(1);
    let properties = vec!["OSFamily=plan9".parse().unwrap()];
    let config = RemoteConfig { properties, patience, ..config(shared()) };
    let remote = RemoteCommand::new(&config, program(&["true"])).unwrap();
    let problem = remote.run(&FileTree::file("x", "y"), MINUTE, &Cancel::new()).unwrap_err().to_string();
    assert!(problem.contains("no worker") && problem.contains("OSFamily=plan9"), "{problem}");
}

#[test]
fn what_is_not_a_farm_is_said_to_be_none() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let problem = connection_error(&format!("grpc://{nobody}")).to_string();
    assert!(problem.contains("no farm can be reached") && problem.contains("refused"), "{problem}");
    let problem = connection_error("grpc://no-such-host.invalid:8980").to_string();
    assert!(problem.contains("no farm can be reached at grpc://no-such-host.invalid:8980"), "{problem}");
    let problem = connection_error(&format!("{}/no/such", shared().address())).to_string();
    assert!(problem.contains("instance `no/such`"), "{problem}");
    let secure = shared().address().replace("grpc:", "grpcs:");
    let problem = connection_error(&secure).to_string();
    assert!(problem.contains("reached"), "{problem}");
    let web = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = web.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in web.incoming() {
            let _ = stream.unwrap().write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    let problem = connection_error(&format!("grpc://{address}")).to_string();
    assert!(problem.contains("is not a farm"), "{problem}");
}

fn is_running(marker: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let words = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    words.into_iter().any(|words| words.split(|byte| *byte == 0).any(|word| word == marker.as_bytes()))
}
