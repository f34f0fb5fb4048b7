//! A farm on this machine comes up and goes away without a trace.

use lapidary_farm::{Farm, FarmError, FarmOptions};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A farm that ends with this process at the latest.
fn options(directory: &Path) -> FarmOptions {
    FarmOptions { ends_with_us: true, ..FarmOptions::new(directory) }
}

#[test]
fn a_farm_comes_up_and_goes_away_without_a_trace() {
    let place = tempfile::tempdir().unwrap();
    // The database's user has to get in.
    fs::set_permissions(place.path(), Permissions::from_mode(0o711)).unwrap();
    let options = options(&place.path().join("farm"));
    let farm = Farm::up(&options).unwrap_or_else(|error| panic!("{error}"));
    assert!(farm.is_running() && farm.parts().len() == 4, "a database, a server and two workers");
    assert!(matches!(Farm::up(&options), Err(FarmError::Running(_, _))));
    let found = Farm::at(&options.directory).unwrap();
    assert!(found.is_running() && found.address() == farm.address());
    found.kill("worker-1").unwrap();
    assert!(!found.is_running());
    found.down().unwrap();
    assert!(farm.parts().iter().all(|(_, is_running)| !is_running));
    assert!(!options.directory.exists());
    assert!(matches!(Farm::at(&options.directory), Err(FarmError::None(_))));
}

#[test]
fn a_directory_with_other_files_is_left_alone() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("notes"), "mine").unwrap();
    assert!(matches!(Farm::up(&options(place.path())), Err(FarmError::Occupied(_, _))));
    assert_eq!(fs::read_to_string(place.path().join("notes")).unwrap(), "mine");
}

/// Started by the test below in a process of its own, which is killed then.
#[test]
#[ignore = "part of another test"]
fn starts_a_farm_and_waits() {
    let directory = std::env::var("LAPIDARY_TEST_FARM").unwrap();
    let options = options(Path::new(&directory));
    let mut farm = Farm::up(&options).unwrap_or_else(|error| panic!("{error}"));
    farm.kill("worker-2").unwrap();
    farm.restart("worker-2").unwrap();
    fs::write(format!("{directory}.ready"), "").unwrap();
    std::thread::sleep(Duration::from_secs(600));
}

#[test]
fn a_farm_ends_with_a_process_that_is_killed() {
    let place = tempfile::tempdir().unwrap();
    fs::set_permissions(place.path(), Permissions::from_mode(0o711)).unwrap();
    let directory = place.path().join("farm");
    let mut owner = Command::new(std::env::current_exe().unwrap());
    owner.args(["--ignored", "--exact", "starts_a_farm_and_waits"]).env("LAPIDARY_TEST_FARM", &directory);
    let mut owner = owner.stdout(Stdio::null()).spawn().unwrap();
    wait_until(|| directory.with_extension("ready").exists());
    let farm = Farm::at(&directory).unwrap();
    assert!(farm.is_running());
    owner.kill().unwrap();
    owner.wait().unwrap();
    wait_until(|| !directory.exists());
    assert!(farm.parts().iter().all(|(_, is_running)| !is_running));
}

fn wait_until(holds: impl Fn() -> bool) {
    // A busy machine may take long; only a hang takes for ever.
    let end = Instant::now() + Duration::from_secs(1200);
    while !holds() {
        assert!(Instant::now() < end, "it never came true");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_directory_that_the_database_cannot_reach_is_named() {
    let place = tempfile::tempdir().unwrap();
    fs::set_permissions(place.path(), Permissions::from_mode(0o700)).unwrap();
    let up = Farm::up(&options(&place.path().join("farm")));
    match rustix::process::geteuid().is_root() {
        true => assert!(up.err().unwrap().to_string().contains("postgres")),
        false => up.unwrap().down().unwrap(),
    }
}

#[test]
fn a_port_that_is_taken_is_named() {
    let place = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let directory = place.path().join("farm");
    let problem = Farm::up(&FarmOptions { port: Some(port), ..options(&directory) }).err().unwrap();
    assert!(problem.to_string().contains(&port.to_string()) && !directory.exists(), "{problem}");
}

#[test]
fn a_farm_whose_directory_is_gone_ends_with_its_process() {
    let place = tempfile::tempdir().unwrap();
    fs::set_permissions(place.path(), Permissions::from_mode(0o711)).unwrap();
    let farm = Farm::up(&options(&place.path().join("farm"))).unwrap();
    let found = Farm::at(farm.directory()).unwrap();
    drop(place);
    drop(farm);
    wait_until(|| found.parts().iter().all(|(_, is_running)| !is_running));
}
