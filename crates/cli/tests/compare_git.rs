//! `lapidary compare --git` builds versions, and leaves nothing of that behind.

use crate::support;

use rustix::process::Signal;
use std::path::Path;
use std::process::Command;
use support::shop::{copy_classes, versions};
use support::{Place, Run, Running, running, unique_sleep, wait_until};

/// A repository whose first version is tagged `v1`. It holds classes, so that builds only copy.
fn repository() -> Place {
    let place = Place::new();
    git(&place, &["init", "--quiet"]);
    for (version, classes) in ["v1", "v2"].iter().zip(versions()) {
        copy_classes(Path::new(&classes), &place.path("classes"));
        git(&place, &["add", "."]);
        git(&place, &["commit", "--quiet", "-m", version]);
        git(&place, &["tag", version]);
    }
    place
}

fn git(place: &Place, arguments: &[&str]) -> String {
    let identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"];
    let output = Command::new("git").args(identity).args(arguments).current_dir(place.path("")).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn compare_git(place: &Place, range: &str, build: &str) -> Run {
    let arguments = ["compare", "--git", range, "--build", build, "--classes", "out", "--main", "shop.Till.postage"];
    let run = place.lapidary(&[&arguments[..], &["--fuzz-first", "0"]].concat());
    assert_has_no_trees(place);
    run
}

fn assert_has_no_trees(place: &Place) {
    let trees = git(place, &["worktree", "list"]);
    assert_eq!(trees.lines().count(), 1, "{trees}");
}

const BUILD: &str = "cp -r classes out";

#[test]
fn versions_come_from_git() {
    let place = repository();
    compare_git(&place, "v1..HEAD", BUILD).ends_with(1).prints(&["shop.Till.postage(2000)"]);
    assert!(!place.exists("out"), "the repository itself was not built");
    compare_git(&place, "v2..v2", BUILD).ends_with(0).prints(&["no class differs", "equivalent"]);
    compare_git(&place, "v1", BUILD).ends_with(1);
    assert!(place.exists("out"), "the working tree was built in place");
}

#[test]
fn tests_of_a_comparison_hold_the_classes_of_both_versions() {
    let place = repository();
    let options = ["--main", "shop.Till.postage", "--fuzz-first", "0", "--junit", "tests", "--bundle", "packed"];
    let git = ["compare", "--git", "v1..HEAD", "--build", BUILD, "--classes", "out"];
    place.lapidary(&[&git[..], &options].concat()).ends_with(1);
    assert_has_no_trees(&place);
    assert!(place.read("tests/pom.xml").contains("<program>${project.basedir}/lib/old.jar</program>"));
    assert!(place.exists("tests/lib/old.jar") && place.exists("tests/lib/new.jar"));
    assert!(place.exists("packed/reproduce.sh"));
    let issue = place.read("packed/ISSUE.md");
    assert!(issue.starts_with("# shop.Till.postage: "), "{issue}");
    assert!(issue.contains("- old (v1): `returns ") && issue.contains("- new (HEAD): `returns "), "{issue}");
    assert!(place.read("packed/versions.txt").contains("  old: v1\n  new: HEAD\n"));
}

#[test]
fn changes_that_are_not_committed_are_not_compared_in_silence() {
    let place = repository();
    copy_classes(Path::new(&versions()[0]), &place.path("classes"));
    compare_git(&place, "v1..HEAD", BUILD)
        .ends_with(1)
        .complains(&["changes that are not committed", "leave out ..HEAD"]);
    compare_git(&place, "v1", BUILD).ends_with(0).prints(&["no class differs"]);
}

#[test]
fn builds_that_fail_leave_nothing() {
    let place = repository();
    compare_git(&place, "v1..HEAD", "echo no such plugin; exit 3")
        .ends_with(2)
        .complains(&["the build of v1 failed: exit code 3", "no such plugin"]);
    compare_git(&place, "v1..HEAD", "true").ends_with(2).complains(&["left nothing at out", "--classes"]);
    compare_git(&place, "v0..HEAD", BUILD).ends_with(2).complains(&["there is no version v0"]);
    let elsewhere = Place::new();
    let arguments = ["compare", "--git", "v1..HEAD", "--build", BUILD, "--main", "shop.Till.sum"];
    elsewhere.lapidary(&arguments).ends_with(2).complains(&["--git needs a repository in the current directory"]);
}

#[test]
fn classes_of_both_versions_are_never_at_one_place() {
    let place = repository();
    let elsewhere = place.path("elsewhere").to_str().unwrap().to_owned();
    for classes in [&elsewhere, "../out", "out/../../out"] {
        let arguments =
            ["compare", "--git", "v1..HEAD", "--build", "true", "--classes", classes, "--main", "shop.Till.sum"];
        place.lapidary(&arguments).ends_with(2).complains(&["--classes", "relative to its top"]);
    }
    let build = format!("mkdir -p {elsewhere}; cp -r classes/* {elsewhere}; ln -s {elsewhere} out");
    compare_git(&place, "v1..HEAD", &build).ends_with(2).complains(&["both versions have their classes in"]);
}

#[test]
fn what_a_build_leaves_running_ends_with_it() {
    let place = repository();
    let sleep = unique_sleep();
    compare_git(&place, "v1..HEAD", &format!("sleep {sleep} & false"))
        .ends_with(2)
        .complains(&["the build of v1 failed: exit code 1"]);
    assert_eq!(running(&sleep), Vec::<String>::new());
}

#[test]
fn builds_that_take_too_long_are_ended() {
    let place = repository();
    let arguments =
        ["compare", "--git", "v1..HEAD", "--build", "sleep 60", "--build-timeout", "1s", "--main", "shop.Till.sum"];
    place.lapidary(&arguments).ends_with(2).complains(&["the build of v1 failed: timed out", "--build-timeout"]);
    assert_has_no_trees(&place);
}

#[test]
fn builds_end_with_a_signal() {
    let place = repository();
    let running = begin_long_build(&place);
    running.signal(Signal::TERM);
    running.wait().ends_with(3).complains(&["stopped during a build"]);
    assert!(!place.exists("second"), "the next build did not begin");
    assert_has_no_trees(&place);
}

#[test]
fn builds_end_when_we_are_killed() {
    let place = repository();
    begin_long_build(&place).kill();
    place.wait_until_clean();
    compare_git(&place, "v2..v2", BUILD).ends_with(0);
}

/// A build that has started and does not end on its own.
fn begin_long_build(place: &Place) -> Running<'_> {
    let (first, second) = (place.path("first"), place.path("second"));
    let build = format!("test -e {0} && touch {1}; touch {0}; sleep 300", first.display(), second.display());
    let running = place.start(&["compare", "--git", "v1..HEAD", "--build", &build, "--main", "shop.Till.sum"]);
    wait_until("the build has begun", || first.exists());
    running
}
