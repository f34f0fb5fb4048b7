//! Faults of a real farm during a test: killed workers, servers that restart, lost blobs. They
//! change nothing in what a run shows.

mod support;

use lapidary_farm::Farm;
use lapidary_predicate::{Ending, Observation, Runner};
use lapidary_reduce::{Cancel, FileTree};
use lapidary_remote::{RemoteCommand, RemoteConfig};
use lapidary_testkit::farm::own;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use support::{MINUTE, config, fresh, on, run, script, text, wait_until};

/// Farms are started one after another: each takes all there is of two cores.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Runs a test that waits for a file, breaks the farm while it waits, and lets it go on.
fn run_while(remote: &RemoteCommand, gate: &Path, fault: impl FnOnce()) -> Observation {
    std::thread::scope(|scope| {
        let candidate = FileTree::file("x", fresh().as_str());
        let running = scope.spawn(move || run(remote, &candidate));
        wait_until(|| gate.with_extension("waits").exists());
        fault();
        std::fs::write(gate, "").unwrap();
        running.join().unwrap()
    })
}

/// A test that says that it waits, and waits for a file.
fn gated(gate: &Path) -> lapidary_remote::RemoteTest {
    let gate = gate.display();
    script(&format!("touch {gate}.waits; while [ ! -e {gate} ]; do sleep 0.05; done; echo went on; exit 7"))
}

fn fault(break_it: impl FnOnce(&mut Farm)) {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut farm = own(1);
    let place = tempfile::tempdir().unwrap();
    let gate = place.path().join("gate");
    let remote = on(&farm, gated(&gate));
    let observation = run_while(&remote, &gate, || break_it(&mut farm));
    assert_eq!(observation.ending, Ending::Exited(7), "{observation:?}");
    assert_eq!(text(&observation.stdout.head), "went on\n");
    let next = remote.run(&FileTree::file("x", fresh().as_str()), MINUTE, &Cancel::new()).unwrap();
    assert_eq!(next.ending, Ending::Exited(7), "the farm is as good as before");
    farm.down().unwrap();
}

#[test]
fn a_killed_worker_costs_a_second_run() {
    fault(|farm| {
        farm.kill("worker-1").unwrap();
        farm.restart("worker-1").unwrap();
    });
}

#[test]
fn a_restarted_server_is_waited_for_and_gets_what_it_forgot() {
    fault(|farm| {
        farm.kill("server").unwrap();
        std::thread::sleep(Duration::from_millis(300));
        farm.restart("server").unwrap();
    });
}

#[test]
fn a_restarted_database_is_waited_for() {
    fault(|farm| {
        farm.kill("database").unwrap();
        std::thread::sleep(Duration::from_millis(300));
        farm.restart("database").unwrap();
    });
}

#[test]
fn a_farm_that_is_gone_ends_the_run_and_says_how_to_go_on() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let farm = own(1);
    // A busy machine may take seconds to begin the first test.
    let patience = Duration::from_secs(20);
    let remote = RemoteCommand::new(&RemoteConfig { patience, ..config(&farm) }, script("exit 7")).unwrap();
    assert_eq!(run(&remote, &FileTree::file("x", fresh().as_str())).ending, Ending::Exited(7));
    farm.down().unwrap();
    let problem = remote.run(&FileTree::file("x", fresh().as_str()), MINUTE, &Cancel::new()).unwrap_err().to_string();
    assert!(problem.contains("has not answered") && problem.contains("--resume"), "{problem}");
}

/// Kills a worker again and again, and now and then the server or the database, while tests run.
#[test]
#[ignore = "takes minutes; LAPIDARY_FAULTS says how many faults"]
fn many_faults_change_nothing() {
    let faults: usize = std::env::var("LAPIDARY_FAULTS").map_or(100, |count| count.parse().unwrap());
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut farm = own(4);
    let remote = on(&farm, script("sleep 0.3; read number rest <$1; echo saw $number; exit $((number % 7))"));
    let is_over = AtomicBool::new(false);
    let next = AtomicUsize::new(0);
    let done = std::thread::scope(|scope| {
        let worker = || {
            let mut done = 0;
            while !is_over.load(Ordering::Relaxed) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let candidate = FileTree::file("x", format!("{number} {}", fresh()).as_str());
                let observation = run(&remote, &candidate);
                // A test whose workers were killed again and again says so; it never says something else.
                if observation.disturbance.is_none() {
                    assert_eq!(observation.ending, Ending::Exited(number as i32 % 7), "{observation:?}");
                    assert_eq!(text(&observation.stdout.head), format!("saw {number}\n"));
                    done += 1;
                }
            }
            done
        };
        let running: Vec<_> = (0..6).map(|_| scope.spawn(worker)).collect();
        for fault in 0..faults {
            std::thread::sleep(Duration::from_millis(2000));
            let part = match fault % 20 {
                9 => "server".to_owned(),
                19 => "database".to_owned(),
                _ => format!("worker-{}", fault % 4 + 1),
            };
            farm.kill(&part).unwrap();
            farm.restart(&part).unwrap_or_else(|error| panic!("{error}"));
        }
        is_over.store(true, Ordering::Relaxed);
        running.into_iter().map(|running| running.join().unwrap()).sum::<usize>()
    });
    eprintln!("{done} tests, {faults} faults");
    assert!(done > faults / 10);
    farm.down().unwrap();
}
