//! Workers that follow the protocol, and workers that violate it.

use crate::support::{Script, running, unique_sleep, wait_until};
use lapidary_predicate::{CommandConfig, Ending, TestPredicate, Timeout, WorkerConfig, WorkerPredicate};
use lapidary_reduce::{Cancel, Entry, FileTree, Judgment, Predicate, PredicateError, Verdict};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A worker in Python. `judge(text, request, count)` returns the answer without its id; `count` is
/// the number of candidates this process has judged before.
fn worker(judge: &str) -> Script {
    let program = format!(
        r#"exec python3 -c '
import json, os, sys, time
{judge}
print(json.dumps({{"lapidary": 1, "name": "test"}}), flush=True)
for count, line in enumerate(sys.stdin):
    request = json.loads(line)
    path = request["candidate"]
    text = open(path).read() if os.path.isfile(path) else ""
    answer = judge(text, request, count)
    answer["id"] = request["id"]
    print(json.dumps(answer), flush=True)
'"#
    );
    Script::new(&program)
}

fn config(script: &Script) -> WorkerConfig {
    let timeout = Timeout::Fixed(Duration::from_secs(20));
    WorkerConfig {
        check_every: 0,
        check_share: 1e9,
        weigh_every: Duration::ZERO,
        ..WorkerConfig::new(CommandConfig { timeout, ..CommandConfig::new(&script.path) })
    }
}

fn text(text: &str) -> FileTree {
    FileTree::file("input.txt", text)
}

fn judge(predicate: &WorkerPredicate, input: &str) -> Judgment {
    predicate.judge(&text(input), &Cancel::new()).unwrap()
}

#[test]
fn one_process_judges_many_candidates() {
    let script = worker(
        r#"
def judge(text, request, count):
    return {"verdict": "interesting" if "bug" in text else "uninteresting", "reason": "number %d" % count}"#,
    );
    let predicate = WorkerPredicate::new(config(&script)).unwrap();
    let verdicts: Vec<_> = ["a bug", "nothing", "bug"].map(|input| judge(&predicate, input)).into();
    let reasons: Vec<_> = verdicts.iter().map(|judgment| judgment.reason.as_str()).collect();
    assert_eq!(reasons, ["number 0", "number 1", "number 2"]);
    let interesting: Vec<_> = verdicts.iter().map(Judgment::is_interesting).collect();
    assert_eq!(interesting, [true, false, true]);
    assert_eq!((predicate.runs(), predicate.statistics().started), (3, 1));
}

#[test]
fn an_answer_with_an_exit_code_is_assessed_as_a_run_would_be() {
    let script = worker(
        r#"
def judge(text, request, count):
    return {"exit": 3, "stdout": "".join(sorted(text)), "stderr": request["candidate"]}"#,
    );
    let mut config = config(&script);
    config.command.preserve = "exit,stdout,stderr".parse().unwrap();
    let predicate = WorkerPredicate::new(config).unwrap();
    let runs: Vec<_> = (0..2).map(|_| predicate.observe(&text("a\nb\n"), &Cancel::new()).unwrap()).collect();
    assert_eq!((runs[0].ending, &runs[0].stdout.head[..]), (Ending::Exited(3), &b"\n\nab"[..]));
    predicate.calibrate(&runs).unwrap();
    assert!(judge(&predicate, "b\na\n").is_interesting());
    assert_eq!(judge(&predicate, "c\na\n").reason, "stdout differs from the original's in line 3");
    assert_eq!(predicate.supersets(), 0);
}

#[test]
fn candidates_that_print_more_than_the_original_are_counted() {
    let script = worker("def judge(text, request, count): return {\"exit\": 0, \"stdout\": text}");
    let mut config = config(&script);
    config.command.preserve = "stdout".parse().unwrap();
    let predicate = WorkerPredicate::new(config).unwrap();
    let run = predicate.observe(&text("error 1\nerror 2\n"), &Cancel::new()).unwrap();
    predicate.calibrate(&[run]).unwrap();
    let more = judge(&predicate, "error 0\nerror 1\nerror 2\n");
    assert_eq!(more.verdict, Verdict::Uninteresting);
    assert_eq!(more.reason, "superset: stdout has every line of the original's and 1 more");
    judge(&predicate, "error 1\n");
    assert_eq!(predicate.supersets(), 1);
}

#[test]
fn a_request_says_what_changed_since_the_last_one() {
    let script = worker(
        r#"
def judge(text, request, count):
    there = sorted(os.listdir(request["candidate"]))
    inside = request["candidate"].startswith(request["directory"] + "/")
    return {"verdict": "interesting", "reason": "%s %s %s %s" % (request["changed"], request["removed"], there, inside)}"#,
    );
    let predicate = WorkerPredicate::new(config(&script)).unwrap();
    let tree = |files: &[(&str, &str)]| {
        let entries = files.iter().map(|(path, text)| (PathBuf::from(path), Entry::file(*text)));
        FileTree::directory("app", entries.collect::<BTreeMap<_, _>>())
    };
    let reason = |files: &[(&str, &str)]| predicate.judge(&tree(files), &Cancel::new()).unwrap().reason;
    assert_eq!(reason(&[("a", "1"), ("b", "1")]), "['a', 'b'] [] ['a', 'b'] True");
    assert_eq!(reason(&[("b", "2"), ("c", "1")]), "['b', 'c'] ['a'] ['b', 'c'] True");
}

#[test]
fn requests_longer_than_a_pipe_get_through() {
    let script = worker(
        "def judge(text, request, count): return {\"verdict\": \"interesting\", \"reason\": str(len(request[\"changed\"]))}",
    );
    let predicate = WorkerPredicate::new(config(&script)).unwrap();
    let entries = (0..3000).map(|n| (PathBuf::from(format!("{n:0>100}")), Entry::file("")));
    let judgment = predicate.judge(&FileTree::directory("app", entries.collect()), &Cancel::new()).unwrap();
    assert_eq!(judgment.reason, "3000");
}

#[test]
fn a_worker_that_crashes_is_replaced_and_the_candidate_judged_again() {
    let script = worker(
        r#"
def judge(text, request, count):
    if count == 1 or text == "deadly":
        print("no more", file=sys.stderr)
        os._exit(7)
    return {"verdict": "interesting"}"#,
    );
    let predicate = WorkerPredicate::new(config(&script)).unwrap();
    assert!(judge(&predicate, "a").is_interesting());
    assert!(judge(&predicate, "b").is_interesting(), "the second worker judges it as its first");
    assert_eq!((predicate.statistics().crashed, predicate.statistics().started), (1, 2));
    let deadly = judge(&predicate, "deadly");
    assert_eq!(deadly.verdict, Verdict::Unresolved);
    assert_eq!(deadly.reason, "the worker ended without an answer: exit code 7");
    assert!(judge(&predicate, "c").is_interesting());
}

#[test]
fn a_worker_that_talks_nonsense_is_replaced() {
    let script = worker(
        r#"
def judge(text, request, count):
    if count == 1:
        print("debug: what is this?", flush=True)
    if count == 2:
        request["id"] = 77
    return {"verdict": "interesting", "reason": str(count)}"#,
    );
    let predicate = WorkerPredicate::new(config(&script)).unwrap();
    let reasons: Vec<_> = ["a", "b", "c"].map(|input| judge(&predicate, input).reason).into();
    assert_eq!(reasons, ["0", "0", "0"], "each is judged by a worker that has not been noisy yet");
    assert_eq!(predicate.statistics().crashed, 2);
}

#[test]
fn a_candidate_that_takes_too_long_is_unresolved_and_its_worker_gone() {
    let sleep = unique_sleep();
    let script = worker(&format!(
        r#"
def judge(text, request, count):
    if text == "slow":
        os.system("setsid sleep {sleep} & sleep {sleep}")
    return {{"verdict": "interesting"}}"#
    ));
    let mut config = config(&script);
    config.command.timeout = Timeout::Fixed(Duration::from_secs(2));
    let predicate = WorkerPredicate::new(config).unwrap();
    let slow = judge(&predicate, "slow");
    assert_eq!((slow.verdict, slow.timed_out), (Verdict::Unresolved, true));
    assert_eq!(running(&sleep), Vec::<String>::new());
    assert!(judge(&predicate, "quick").is_interesting());
    assert_eq!(predicate.statistics().timed_out, 1);
}

#[test]
fn old_and_fat_workers_are_replaced() {
    let script = worker(
        r#"
hoard = []
def judge(text, request, count):
    hoard.append(bytearray(os.urandom(1024)) * (1024 * int(text)))
    return {"verdict": "interesting", "reason": str(count)}"#,
    );
    let young = WorkerConfig { restart_after: 2, ..config(&script) };
    let predicate = WorkerPredicate::new(young).unwrap();
    assert_eq!(["0"; 5].map(|input| judge(&predicate, input).reason), ["0", "1", "0", "1", "0"]);
    let thin = WorkerConfig { memory: 150 << 20, ..config(&script) };
    let predicate = WorkerPredicate::new(thin).unwrap();
    assert_eq!(["1", "200", "1"].map(|input| judge(&predicate, input).reason), ["0", "1", "0"]);
    assert_eq!(predicate.statistics().grown, 1);
}

#[test]
fn a_worker_may_leave_between_two_candidates() {
    let script = worker(
        r#"
def judge(text, request, count):
    answer = {"verdict": "interesting", "reason": str(os.getpid())}
    if count == 1:
        print(json.dumps(answer | {"id": request["id"]}), flush=True)
        os._exit(0)
    return answer"#,
    );
    let predicate = WorkerPredicate::new(config(&script)).unwrap();
    let [first, last] = ["a", "b"].map(|input| judge(&predicate, input).reason);
    assert_eq!(first, last, "one process");
    // Its command line disappears before its pipes close, so only its state shows that it has
    // ended.
    let status = format!("/proc/{last}/status");
    wait_until("the worker has left", || match std::fs::read_to_string(&status) {
        Ok(text) => text.contains("State:\tZ"),
        Err(_) => true,
    });
    assert_ne!(judge(&predicate, "c").reason, last, "another process");
    assert_eq!(predicate.statistics().crashed, 0);
}

/// A worker that judges an empty text immediately, and any other text once the file it names
/// exists.
fn waiting_worker() -> Script {
    worker(
        r#"
def judge(text, request, count):
    if text:
        open(text + ".begun", "w").close()
        while not os.path.exists(text):
            time.sleep(0.01)
    return {"verdict": "interesting", "reason": "%d %s" % (count, os.path.isfile(request["candidate"]))}"#,
    )
}

/// Cancels a judgment after its worker has started to wait for this file.
fn cancel_while_it_waits(predicate: &WorkerPredicate, gate: &Path) {
    let (cancel, begun) = (Cancel::new(), gate.with_extension("begun"));
    std::thread::scope(|scope| {
        let answer = scope.spawn(|| predicate.judge(&text(gate.to_str().unwrap()), &cancel));
        wait_until("the worker has begun", || begun.exists());
        cancel.cancel();
        let answer = answer.join().unwrap();
        assert!(matches!(answer, Err(PredicateError::Cancelled)), "{answer:?}");
    });
}

#[test]
fn cancelling_does_not_wait_for_the_worker_nor_cost_it() {
    let (script, place) = (waiting_worker(), tempfile::tempdir().unwrap());
    let gate = place.path().join("gate");
    let predicate = WorkerPredicate::new(config(&script)).unwrap();
    let mut run = predicate.observe(&text(""), &Cancel::new()).unwrap();
    // Pretends that the worker was slow on the input, so that it may finish the cancelled
    // candidate.
    run.elapsed = Duration::from_secs(900);
    predicate.calibrate(&[run]).unwrap();
    cancel_while_it_waits(&predicate, &gate);
    // Only now can the worker finish, so cancelling did not wait for it.
    std::fs::write(&gate, "").unwrap();
    assert_eq!(judge(&predicate, "").reason, "2 True", "the same worker, after it had finished");
    assert_eq!(predicate.statistics().started, 1);
}

#[test]
fn a_cancelled_candidate_that_goes_on_for_long_is_given_up() {
    let (script, place) = (waiting_worker(), tempfile::tempdir().unwrap());
    let predicate = WorkerPredicate::new(config(&script)).unwrap();
    judge(&predicate, "");
    cancel_while_it_waits(&predicate, &place.path().join("never"));
    assert!(judge(&predicate, "").is_interesting());
    assert_eq!(predicate.statistics().started, 2);
}

#[test]
fn as_many_workers_as_judgments_at_once() {
    let script = worker(
        r#"
def judge(text, request, count):
    place, name = os.path.split(text)
    open(text, "w").close()
    while len(os.listdir(place)) < 3:
        time.sleep(0.01)
    return {"verdict": "interesting", "reason": str(os.getpid())}"#,
    );
    let predicate = WorkerPredicate::new(config(&script)).unwrap();
    // No worker answers before three of them have been asked.
    let at_once = || {
        let place = tempfile::tempdir().unwrap();
        let place = place.path();
        std::thread::scope(|scope| {
            let judgments: Vec<_> = (0..3)
                .map(|n| {
                    scope.spawn({
                        let predicate = &predicate;
                        move || judge(predicate, place.join(n.to_string()).to_str().unwrap())
                    })
                })
                .collect();
            judgments
                .into_iter()
                .map(|judgment| judgment.join().unwrap().reason)
                .collect::<std::collections::BTreeSet<_>>()
        })
    };
    assert_eq!(at_once().len(), 3);
    at_once();
    assert_eq!(predicate.statistics().started, 3);
}

#[test]
fn workers_that_remember_are_found_out() {
    let script = worker(
        r#"
def judge(text, request, count):
    return {"verdict": "interesting" if count < 2 else "uninteresting" if text != "x" else "interesting"}"#,
    );
    let warnings = Arc::new(Mutex::new(Vec::new()));
    let heard = warnings.clone();
    let predicate = WorkerPredicate::new(WorkerConfig { check_every: 3, ..config(&script) })
        .unwrap()
        .on_warning(move |warning| heard.lock().unwrap().push(warning.to_owned()));
    assert!(judge(&predicate, "1").is_interesting());
    assert_eq!(predicate.statistics().checks, 1, "the first interesting verdict is checked");
    judge(&predicate, "2");
    assert!(!judge(&predicate, "3").is_interesting() && !judge(&predicate, "4").is_interesting());
    assert!(
        judge(&predicate, "5").is_interesting(),
        "the third uninteresting verdict is checked, and the fresh one counts"
    );
    let statistics = predicate.statistics();
    assert_eq!((statistics.checks, statistics.disagreements), (2, 1));
    let warnings = warnings.lock().unwrap().join("\n");
    assert!(warnings.contains("in 1 of 2 checks they disagreed"), "{warnings}");
    assert!(
        judge(&predicate, "6").is_interesting()
            && judge(&predicate, "7").is_interesting()
            && judge(&predicate, "8").is_interesting()
    );
    assert_eq!(predicate.statistics().started, statistics.started + 3, "each candidate gets a worker of its own");
}

#[test]
fn checks_wait_until_they_are_a_small_share_of_the_time() {
    let script = worker("def judge(text, request, count): return {\"verdict\": \"interesting\"}");
    let frugal = WorkerConfig { check_every: 1, check_share: 0.0, ..config(&script) };
    let predicate = WorkerPredicate::new(frugal).unwrap();
    (0..20).for_each(|number| drop(judge(&predicate, &number.to_string())));
    assert_eq!(predicate.statistics().checks, 1, "only the first one, which nothing can put off");
}

#[test]
fn what_was_interesting_is_judged_by_a_fresh_worker_when_asked_again() {
    let script =
        worker("def judge(text, request, count): return {\"verdict\": \"interesting\", \"reason\": str(count)}");
    let predicate = WorkerPredicate::new(WorkerConfig { check_every: 100, ..config(&script) }).unwrap();
    assert_eq!(["a", "b", "b", "c"].map(|input| judge(&predicate, input).reason), ["0", "1", "0", "2"]);
}

#[test]
fn what_is_no_worker_is_a_clear_error() {
    let problem = |body: &str| {
        let script = Script::new(body);
        let predicate = WorkerPredicate::new(config(&script)).unwrap();
        predicate.judge(&text("x"), &Cancel::new()).unwrap_err().to_string()
    };
    assert!(problem("echo 1 test passed").contains("its first line is not {\"lapidary\":1} but `1 test passed`"));
    assert!(problem("echo '{\"lapidary\":2}'; cat").contains("it speaks version 2 of the worker protocol"));
    let ended = problem("echo java: not found >&2; exit 127");
    assert!(ended.contains("it ended before it said hello\njava: not found"), "{ended}");
    assert!(problem("exec tr '\\0' x < /dev/zero").contains("prints without end"));
}

#[test]
fn no_worker_outlives_the_predicate() {
    let sleep = unique_sleep();
    let script = worker(&format!(
        r#"
def judge(text, request, count):
    os.system("setsid sleep {sleep} > /dev/null 2>&1 &")
    return {{"verdict": "interesting"}}"#
    ));
    let predicate = WorkerPredicate::new(config(&script)).unwrap();
    judge(&predicate, "x");
    wait_until("it sleeps", || !running(&sleep).is_empty());
    let scratch = predicate.scratch().to_owned();
    drop(predicate);
    assert_eq!(running(&sleep), Vec::<String>::new());
    assert!(!scratch.exists());
}

#[test]
fn a_check_that_would_not_end_in_time_is_put_off() {
    let script = worker("def judge(text, request, count): return {\"verdict\": \"interesting\"}");
    for (left, checks) in [(Duration::from_secs(600), 1), (Duration::ZERO, 0)] {
        let predicate = WorkerPredicate::new(WorkerConfig { check_every: 1, ..config(&script) }).unwrap();
        predicate.end_by(Instant::now() + left);
        assert!(judge(&predicate, "a").is_interesting());
        assert_eq!(predicate.statistics().checks, checks, "{left:?} are left");
    }
}

#[test]
fn a_worker_that_says_nothing_is_called_by_its_name() {
    let script = Script::new("exit 1");
    let command = CommandConfig { called: Some("my-worker --fast".into()), ..CommandConfig::new(&script.path) };
    let predicate = WorkerPredicate::new(WorkerConfig::new(command)).unwrap();
    let error = predicate.judge(&text("a"), &Cancel::new()).unwrap_err();
    assert!(error.to_string().contains("my-worker --fast cannot be used as a worker"), "{error}");
}
