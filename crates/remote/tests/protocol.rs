//! Everything that a farm may do by the rules of the Remote Execution API, and that a wrong one
//! does, shown by one that does as it is told.

mod fake;
mod support;

use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use fake::{Answer, Fake, Manner};
use lapidary_predicate::{Disturbance, Ending, Observation, Runner};
use lapidary_reduce::{Cancel, FileTree, PredicateError};
use lapidary_remote::{RemoteCommand, RemoteConfig, Tls};
use std::path::{Path, PathBuf};
use support::{MINUTE, script, text, wait_until};
use tonic::transport::{Certificate, Identity, ServerTlsConfig};
use tonic::{Code, Status};

fn config(farm: &Fake) -> RemoteConfig {
    RemoteConfig::new(farm.address().parse().unwrap())
}

fn command(farm: &Fake) -> RemoteCommand {
    RemoteCommand::new(&config(farm), script("true")).unwrap()
}

fn try_run(command: &RemoteCommand) -> Result<Observation, PredicateError> {
    command.run(&FileTree::file("x", "candidate"), MINUTE, &Cancel::new())
}

fn run(answers: Vec<Answer>) -> (Observation, Fake) {
    let farm = Fake::start(Manner::default(), answers);
    let observation = try_run(&command(&farm)).unwrap_or_else(|error| panic!("{error}"));
    (observation, farm)
}

fn problem(manner: Manner, answers: Vec<Answer>) -> String {
    let farm = Fake::start(manner, answers);
    try_run(&command(&farm)).unwrap_err().to_string()
}

fn result(exit_code: i32) -> api::ActionResult {
    api::ActionResult { exit_code, stdout_raw: b"out".to_vec(), ..Default::default() }
}

#[test]
fn repeated_and_reordered_messages_change_nothing() {
    let (observation, farm) = run(vec![Answer::Noise(result(3))]);
    assert_eq!((observation.ending, text(&observation.stdout.head)), (Ending::Exited(3), "out".to_owned()));
    assert_eq!((farm.count("execute"), farm.count("cancel")), (1, 0));
}

#[test]
fn a_broken_stream_is_taken_up_again() {
    let (observation, farm) = run(vec![Answer::Breaks, Answer::Breaks, Answer::Result(result(3))]);
    assert_eq!(observation.ending, Ending::Exited(3));
    assert_eq!((farm.count("execute"), farm.count("wait"), farm.count("cancel")), (1, 2, 0));
}

#[test]
fn an_operation_that_the_farm_forgot_is_started_again() {
    let forgotten = Answer::Fails(Status::not_found("no such operation"));
    let (observation, farm) = run(vec![Answer::Breaks, forgotten, Answer::Result(result(3))]);
    assert_eq!(observation.ending, Ending::Exited(3));
    assert_eq!((farm.count("execute"), farm.count("wait")), (2, 1));
}

#[test]
fn evicted_blobs_are_uploaded_again() {
    let (observation, farm) = run(vec![Answer::Evicts, Answer::Evicts, Answer::Result(result(3))]);
    assert_eq!(observation.ending, Ending::Exited(3));
    assert_eq!((farm.count("execute"), farm.count("update")), (3, 3));
}

#[test]
fn a_busy_farm_is_asked_again() {
    let busy = || Answer::Fails(Status::resource_exhausted("too many"));
    let away = || Answer::Fails(Status::unavailable("restarts"));
    let (observation, farm) = run(vec![busy(), away(), busy(), Answer::Result(result(3))]);
    assert_eq!(observation.ending, Ending::Exited(3));
    assert_eq!(farm.count("execute"), 4);
}

#[test]
fn what_the_farm_refuses_is_not_asked_again() {
    let refused = Answer::Fails(Status::invalid_argument("no such platform"));
    let problem = problem(Manner::default(), vec![refused]);
    assert!(problem.contains("refuses the test: no such platform"), "{problem}");
}

#[test]
fn missing_blobs_that_never_come_end_the_run() {
    let problem = problem(Manner::default(), (0..5).map(|_| Answer::Evicts).collect());
    assert!(problem.contains("a blob is missing"), "{problem}");
}

#[test]
fn a_deadline_is_a_time_out() {
    let (observation, _) = run(vec![Answer::Ends(Code::DeadlineExceeded, Some(result(137)))]);
    assert_eq!((observation.ending, text(&observation.stdout.head)), (Ending::TimedOut(MINUTE), "out".to_owned()));
}

#[test]
fn an_action_on_which_workers_vanish_says_nothing_about_the_candidate() {
    let lost = || Answer::Ends(Code::Aborted, None);
    let (observation, _) = run(vec![lost(), Answer::Result(result(3))]);
    assert_eq!((observation.ending, observation.disturbance), (Ending::Exited(3), None));
    let (observation, farm) = run(vec![lost(), lost(), lost()]);
    assert_eq!(observation.disturbance, Some(Disturbance::MemoryRanOut));
    assert_eq!(farm.count("execute"), 3);
}

#[test]
fn a_lying_farm_is_found_out() {
    // The large file is sent as a blob; the result claims that it is the output.
    let content = "x".repeat(500_000);
    let farm = Fake::start(Manner { lies: true, ..Manner::default() }, [Answer::Result(of_output(&content))]);
    let candidate = FileTree::file("x", content.as_str());
    let problem = command(&farm).run(&candidate, MINUTE, &Cancel::new()).unwrap_err().to_string();
    assert!(problem.contains("sent wrong data") && problem.contains("cannot be trusted"), "{problem}");
    let farm = Fake::start(Manner::default(), [Answer::Result(of_output(&content))]);
    let observation = command(&farm).run(&candidate, MINUTE, &Cancel::new()).unwrap();
    assert_eq!(observation.stdout.head, content.as_bytes());
    let mixed = api::ActionResult { stdout_raw: b"something else".to_vec(), ..of_output(&content) };
    let problem = self::problem(Manner::default(), vec![Answer::Result(mixed)]);
    assert!(problem.contains("sent wrong data"), "{problem}");
}

fn of_output(content: &str) -> api::ActionResult {
    let hash = ring::digest::digest(&ring::digest::SHA256, content.as_bytes());
    let hash = hash.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    let stdout_digest = Some(api::Digest { hash, size_bytes: content.len() as i64 });
    api::ActionResult { stdout_digest, ..Default::default() }
}

#[test]
fn an_output_that_is_gone_costs_a_second_run() {
    let (observation, farm) = run(vec![Answer::Result(of_output("was evicted")), Answer::Result(result(3))]);
    assert_eq!(observation.ending, Ending::Exited(3));
    assert_eq!((farm.count("execute"), farm.count("read"), farm.count("not from the cache")), (2, 1, 1));
}

#[test]
fn a_farm_is_asked_once_what_it_has_and_sent_nothing_twice() {
    let farm = Fake::start(Manner::default(), [Answer::Result(result(0)), Answer::Result(result(0))]);
    let command = command(&farm);
    let content = "x".repeat(100_000);
    let files = ["a", "b", "c"].map(|name| (name.into(), lapidary_reduce::Entry::file(content.as_str())));
    for name in ["one", "other"] {
        let candidate = FileTree::directory(name, files.clone().into());
        command.run(&candidate, MINUTE, &Cancel::new()).unwrap();
    }
    assert_eq!((farm.count("find"), farm.count("update")), (1, 2), "{:?}", farm.heard());
    assert!(command.bytes_sent() < 105_000, "{} bytes", command.bytes_sent());
}

#[test]
fn the_farm_is_told_when_nobody_waits_any_more() {
    let farm = Fake::start(Manner::default(), [Answer::Hangs]);
    let (command, cancel) = (command(&farm), Cancel::new());
    let request = cancel.clone();
    std::thread::scope(|scope| {
        let running = scope.spawn(|| command.run(&FileTree::file("x", "y"), MINUTE, &cancel));
        wait_until(|| farm.count("execute") == 1);
        request.cancel();
        assert!(matches!(running.join().unwrap(), Err(PredicateError::Cancelled)));
    });
    wait_until(|| farm.count("cancel") == 1);
}

#[test]
fn a_farm_may_know_blake3_only_and_take_small_requests() {
    let functions = vec![api::digest_function::Value::Blake3 as i32];
    let manner = Manner { functions, batch: 2_000, ..Manner::default() };
    let farm = Fake::start(manner, [Answer::Result(result(0))]);
    let files = (0..40)
        .map(|number| (format!("{number}").into(), lapidary_reduce::Entry::file(format!("{number:0500}").as_str())));
    let large = ("large".into(), lapidary_reduce::Entry::file("x".repeat(3_000_000).as_str()));
    let candidate = FileTree::directory("d", files.chain([large]).collect());
    let observation = command(&farm).run(&candidate, MINUTE, &Cancel::new()).unwrap();
    assert_eq!(observation.ending, Ending::Exited(0));
    assert!(farm.count("update") > 5 && farm.count("write") >= 1, "{:?}", farm.heard());
}

#[test]
fn every_request_has_the_headers_and_an_expired_token_is_named() {
    let manner = Manner { token: Some("Bearer abc".to_owned()), ..Manner::default() };
    let farm = Fake::start(manner, [Answer::Result(result(0))]);
    let problem = RemoteCommand::new(&config(&farm), script("true")).err().unwrap().to_string();
    assert!(problem.contains("does not let us in") && problem.contains("--remote-header"), "{problem}");
    let headers = vec!["authorization: Bearer abc".parse().unwrap()];
    let command = RemoteCommand::new(&RemoteConfig { headers, ..config(&farm) }, script("true")).unwrap();
    assert_eq!(try_run(&command).unwrap().ending, Ending::Exited(0));
    farm.expire();
    let problem = try_run(&command).unwrap_err().to_string();
    assert!(problem.contains("the token is not valid") && !problem.contains("abc"), "{problem}");
}

/// Certificates that `make` in their directory has made; they are valid for a hundred years.
fn certificate(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/certificates").join(name)
}

#[test]
fn connections_are_encrypted_and_certificates_checked() {
    let read = |name: &str| std::fs::read(certificate(name)).unwrap();
    let tls = ServerTlsConfig::new().identity(Identity::from_pem(read("server.pem"), read("server.key")));
    let tls = tls.client_ca_root(Certificate::from_pem(read("ca.pem")));
    let farm = Fake::start(Manner { tls: Some(tls), ..Manner::default() }, [Answer::Result(result(0))]);
    let connect = |ca: Option<&str>, client: Option<(&str, &str)>| {
        let client = client.map(|(one, key)| (certificate(one), certificate(key)));
        let tls = Tls { ca: ca.map(certificate), client };
        RemoteCommand::new(&RemoteConfig { tls, ..config(&farm) }, script("true"))
    };
    let command = connect(Some("ca.pem"), Some(("client.pem", "client.key"))).unwrap();
    assert_eq!(try_run(&command).unwrap().ending, Ending::Exited(0));
    let unknown = connect(None, Some(("client.pem", "client.key"))).err().unwrap().to_string();
    assert!(unknown.contains("certificate"), "{unknown}");
    let nobody = connect(Some("ca.pem"), None).err().unwrap().to_string();
    assert!(nobody.contains("--remote-cert"), "{nobody}");
    let missing = connect(Some("no-such.pem"), None).err().unwrap().to_string();
    assert!(missing.contains("no-such.pem"), "{missing}");
    let no_pem = connect(Some("make"), None).err().unwrap().to_string();
    assert!(no_pem.contains("not a PEM file"), "{no_pem}");
}
