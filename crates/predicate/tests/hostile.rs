//! Tests that misbehave still give a verdict and leave no process running.

use crate::support::{Script, judge, judge_with, running, tiny, unique_sleep, wait_until};
use lapidary_predicate::{CommandConfig, CommandPredicate, Ending, TestPredicate, Timeout};
use lapidary_reduce::{Cancel, Predicate, PredicateError, Verdict};
use std::time::Duration;

fn seconds(timeout: f64) -> impl Fn(&mut CommandConfig) {
    move |config| config.timeout = Timeout::Fixed(Duration::from_secs_f64(timeout))
}

#[test]
fn a_hanging_test_is_timed_out_and_gone() {
    let sleep = unique_sleep();
    let judgment = judge_with(&format!("trap '' TERM INT HUP; sleep {sleep}"), seconds(0.3));
    assert_eq!((judgment.verdict, judgment.timed_out), (Verdict::Unresolved, true));
    assert_eq!(judgment.reason, "timed out after 0.3 s");
    assert_eq!(running(&sleep), Vec::<String>::new());
}

#[test]
fn daemons_do_not_survive_a_test_that_exits() {
    for daemonise in [
        "nohup sleep NAP >/dev/null 2>&1 &",
        "setsid sleep NAP &",
        "setsid sh -c 'setsid sh -c \"sleep NAP & sleep NAP\" & sleep 0.05' & sleep 0.1",
        "(setsid sh -c 'sleep NAP & exit' &) ; sleep 0.02",
    ] {
        let sleep = unique_sleep();
        let judgment = judge(&format!("{}\nexit 0", daemonise.replace("NAP", &sleep)));
        assert!(judgment.is_interesting(), "{daemonise}: {judgment:?}");
        assert_eq!(running(&sleep), Vec::<String>::new(), "{daemonise}");
    }
}

/// Such a daemon cannot be attributed to a test, so it is ended with the last test it may belong
/// to.
#[test]
fn daemons_that_erase_their_environment_end_with_the_tests_beside_them() {
    for daemonise in [
        "env -i setsid sleep NAP & sleep 0.02",
        "setsid env -i sh -c 'while :; do setsid sleep NAP; done' & sleep 0.05",
    ] {
        let sleep = unique_sleep();
        assert!(judge(&daemonise.replace("NAP", &sleep)).is_interesting());
        wait_until("the tests beside it have ended", || running(&sleep).is_empty());
    }
}

#[test]
fn daemons_do_not_survive_a_timeout() {
    let sleep = unique_sleep();
    let body = format!("setsid sh -c 'sleep {sleep} & wait' & env -i setsid sleep {sleep} & wait");
    assert!(judge_with(&body, seconds(0.2)).timed_out);
    assert_eq!(running(&sleep), Vec::<String>::new());
}

#[test]
fn the_end_of_a_test_spares_the_daemons_of_others() {
    let sleep = unique_sleep();
    let long = Script::new(&format!("setsid sleep {sleep} & nap=$!; sleep 0.4; kill -0 $nap"));
    let short = Script::new("setsid sleep 0.01 & exit 0");
    let (long, short) = (long.predicate(), short.predicate());
    std::thread::scope(|scope| {
        let judgment = scope.spawn(|| long.judge(&tiny(), &Cancel::new()).unwrap());
        while !judgment.is_finished() {
            assert!(short.judge(&tiny(), &Cancel::new()).unwrap().is_interesting());
        }
        assert!(judgment.join().unwrap().is_interesting(), "its own daemon was still alive at its end");
    });
    assert_eq!(running(&sleep), Vec::<String>::new());
}

#[test]
fn children_of_the_host_are_left_alone() {
    let mut host_child = std::process::Command::new("sh").args(["-c", "sleep 0.3; exit 42"]).spawn().unwrap();
    for _ in 0..20 {
        assert!(judge("setsid sleep 1000 & sleep 0.02").is_interesting());
    }
    assert_eq!(host_child.wait().unwrap().code(), Some(42));
}

#[test]
fn output_without_end_is_bounded_and_timed_out() {
    let script = Script::new("yes | tee /dev/stderr");
    let config = CommandConfig { timeout: Timeout::Fixed(Duration::from_millis(500)), ..script.config() };
    let seen = CommandPredicate::new(config).unwrap().observe(&tiny(), &Cancel::new()).unwrap();
    assert!(matches!(seen.ending, Ending::TimedOut(_)), "{:?}", seen.ending);
    assert!(seen.stdout.head.len() <= 1 << 20 && seen.stderr.head.len() <= 1 << 20);
}

#[test]
fn output_beyond_the_bound_is_read_and_dropped() {
    let seen =
        Script::new("yes | head -c 3000000 | tee /dev/stderr").predicate().observe(&tiny(), &Cancel::new()).unwrap();
    for stream in [seen.stdout, seen.stderr] {
        assert_eq!((stream.head.len(), stream.dropped), (1 << 20, 3_000_000 - (1 << 20)));
    }
}

#[test]
fn output_that_fits_is_complete_even_if_the_test_ends_at_once() {
    let script = Script::new("head -c 50000 /dev/zero; head -c 40000 /dev/zero >&2");
    let predicate = script.predicate();
    for _ in 0..20 {
        let seen = predicate.observe(&tiny(), &Cancel::new()).unwrap();
        assert_eq!((seen.stdout.head.len(), seen.stderr.head.len()), (50000, 40000));
    }
}

#[test]
fn closing_its_output_does_not_end_a_test() {
    let judgment = judge("exec >&- 2>&-; sleep 0.1; exit 3");
    assert_eq!(judgment.reason, "exit code 3");
}

#[test]
fn a_test_may_delete_its_own_directory() {
    assert!(judge("rm -rf \"$PWD\" \"$TMPDIR\"; exit 0").is_interesting());
}

#[test]
fn a_test_may_kill_its_own_process_group() {
    let judgment = judge("kill -9 0; sleep 10");
    assert_eq!(
        (judgment.verdict, judgment.reason.as_str()),
        (Verdict::Unresolved, "killed from outside 3 times: killed by SIGKILL")
    );
}

#[test]
fn cancellation_waits_for_no_timeout_and_leaves_nothing() {
    let sleep = unique_sleep();
    let script = Script::new(&format!("setsid sleep {sleep} & sleep {sleep}"));
    let config = CommandConfig { timeout: Timeout::Fixed(Duration::from_secs(900)), ..script.config() };
    let predicate = CommandPredicate::new(config).unwrap();
    let cancel = Cancel::new();
    std::thread::scope(|scope| {
        let result = scope.spawn(|| predicate.judge(&tiny(), &cancel));
        wait_until("both sleep", || running(&format!("sleep {sleep}")).len() >= 2);
        cancel.cancel();
        assert!(matches!(result.join().unwrap(), Err(PredicateError::Cancelled)));
    });
    assert_eq!(running(&sleep), Vec::<String>::new());
    assert!(matches!(predicate.judge(&tiny(), &cancel), Err(PredicateError::Cancelled)), "and nothing is started");
}

#[test]
fn many_runs_under_one_cancellation_leak_no_descriptors() {
    let predicate = CommandPredicate::new(CommandConfig::new("true")).unwrap();
    let cancel = Cancel::new();
    let open = || std::fs::read_dir("/proc/self/fd").unwrap().filter_map(Result::ok).filter(is_event).count();
    fn is_event(entry: &std::fs::DirEntry) -> bool {
        entry.path().read_link().is_ok_and(|target| target.to_string_lossy().contains("eventfd"))
    }
    (0..100).for_each(|_| assert!(predicate.judge(&tiny(), &cancel).unwrap().is_interesting()));
    assert!(open() < 50, "{}", open());
}
