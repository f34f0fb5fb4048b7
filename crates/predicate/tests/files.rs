//! Tests that change the files they are given, and file systems that fail.

use crate::support::Script;
use lapidary_predicate::{CommandPredicate, TestPredicate};
use lapidary_reduce::{Blob, Cancel, Entry, FileTree, Predicate, PredicateError};
use rustix::process::geteuid;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::process::Command;

/// A directory with one big file and a small one that tells the script what to do.
fn project(big: &Blob, order: &str) -> FileTree {
    let entries = BTreeMap::from([
        ("big".into(), Entry::file(big.clone())),
        ("order".into(), Entry::file(format!("{order}\n").as_str())),
    ]);
    FileTree::directory("project", entries)
}

fn big() -> Blob {
    Blob::from(vec![b'x'; 200_000])
}

fn observe(predicate: &CommandPredicate, tree: &FileTree) -> String {
    let seen = predicate.observe(tree, &Cancel::new()).unwrap();
    String::from_utf8(seen.stdout.head).unwrap().trim().to_owned()
}

#[test]
fn big_files_that_recur_are_not_written_again() {
    let script = Script::new("stat -c '%i %s' project/big");
    let predicate = script.predicate();
    let seen: Vec<_> = (0..4).map(|run| observe(&predicate, &project(&big(), &run.to_string()))).collect();
    assert!(seen.iter().all(|line| line.ends_with(" 200000")), "{seen:?}");
    let blobs: Vec<_> = fs::read_dir(predicate.scratch().join("blobs")).unwrap().flatten().collect();
    assert_eq!(blobs.len(), 1);
    let inode = blobs[0].metadata().unwrap().ino().to_string();
    let shared = seen[2..].iter().all(|line| line.split(' ').next() == Some(inode.as_str()));
    assert!(shared || clones_work(&predicate), "{seen:?} should be links to {inode}");
}

fn clones_work(predicate: &CommandPredicate) -> bool {
    let path = |name| predicate.scratch().join(name);
    fs::write(path("a"), "a").unwrap();
    let result = rustix::fs::ioctl_ficlone(fs::File::create(path("b")).unwrap(), fs::File::open(path("a")).unwrap());
    result.is_ok()
}

#[test]
fn writing_into_a_shared_file_harms_nobody() {
    for spoil in
        ["printf y | dd of=project/big conv=notrunc status=none", "echo more >> project/big", "chmod 777 project/big"]
    {
        let script = Script::new(&format!(
            "echo run >> $(dirname $0)/runs; md5sum < project/big; stat -c %a project/big
             if grep -q spoil project/order; then {spoil}; fi"
        ));
        let predicate = script.predicate();
        let clean = observe(&predicate, &project(&big(), "one"));
        assert_eq!(observe(&predicate, &project(&big(), "two")), clean);
        assert_eq!(observe(&predicate, &project(&big(), "spoil")), clean, "{spoil}");
        for order in ["three", "spoil again", "four"] {
            assert_eq!(observe(&predicate, &project(&big(), order)), clean, "{spoil}");
        }
        let runs = fs::read_to_string(script.path.with_file_name("runs")).unwrap().lines().count();
        let expected = if clones_work(&predicate) { 6 } else { 7 };
        assert_eq!(runs, expected, "the run that spoilt a link was repeated once");
    }
}

#[test]
fn a_run_beside_one_that_spoils_is_repeated() {
    let script = Script::new(
        "md5sum < project/big
         case $(cat project/order) in spoil) sleep 0.1; echo more >> project/big;; watch) sleep 0.3;; esac
         md5sum < project/big",
    );
    let predicate = script.predicate();
    let clean = observe(&predicate, &project(&big(), "one"));
    observe(&predicate, &project(&big(), "two"));
    std::thread::scope(|scope| {
        scope.spawn(|| observe(&predicate, &project(&big(), "spoil")));
        assert_eq!(observe(&predicate, &project(&big(), "watch")), clean);
    });
}

#[test]
fn executable_and_plain_copies_of_one_content_keep_their_modes() {
    let script = Script::new("[ -x project/a ] && [ ! -x project/b ]");
    let predicate = script.predicate();
    let entries = BTreeMap::from([
        ("a".into(), Entry::File { content: big(), executable: true }),
        ("b".into(), Entry::File { content: big(), executable: false }),
    ]);
    let tree = FileTree::directory("project", entries);
    for _ in 0..3 {
        assert!(predicate.judge(&tree, &Cancel::new()).unwrap().is_interesting());
    }
}

#[test]
fn executables_are_never_found_busy() {
    let script = Script::new("./run 2>&1");
    let predicate = script.predicate();
    let judge_some = |thread: u32| {
        for run in 0..40 {
            let content = Blob::from(format!("#!/bin/sh\n# {thread} {run}\nexit 0\n").as_str());
            let tree = FileTree::single("run", Entry::File { content, executable: true });
            let seen = predicate.observe(&tree, &Cancel::new()).unwrap();
            assert_eq!(seen.ending.to_string(), "exit code 0", "{}", String::from_utf8_lossy(&seen.stdout.head));
        }
    };
    std::thread::scope(|scope| (0..4).for_each(|thread| drop(scope.spawn(move || judge_some(thread)))));
}

/// Directories are reused, but the next candidate must not notice.
#[test]
fn nothing_of_a_test_is_seen_by_the_next() {
    let script = Script::new(
        "ls -A . \"$TMPDIR\" | grep -v -e : -e '^$'; mkdir -p a/b; touch .hidden a/b/c \"$TMPDIR/x\"; ln -s / root; mkfifo pipe
         case $(cat input.txt) in 1) chmod 500 .;; 2) rm -rf \"$PWD\";; 3) rm -rf \"$PWD\"; ln -s / \"$PWD\";; esac",
    );
    let predicate = script.predicate();
    for run in 0..8 {
        let tree = FileTree::file("input.txt", format!("{}\n", run % 4).as_str());
        assert_eq!(observe(&predicate, &tree), "input.txt", "run {run}");
    }
}

const AS_NOBODY: &str = "LAPIDARY_TEST_AS_NOBODY";

/// Permissions do not apply to root, so root runs this as another user.
#[test]
fn directories_made_unreadable_are_removed() {
    if geteuid().is_root() {
        return as_nobody("files::directories_made_unreadable_are_removed");
    }
    let script = Script::new("mkdir -p a/b/c && touch a/b/c/d && chmod 000 a/b/c a/b a . \"$TMPDIR\"; exit 0");
    let predicate = script.predicate();
    assert!(predicate.judge(&crate::support::tiny(), &Cancel::new()).unwrap().is_interesting());
    let files = || Command::new("find").arg(predicate.scratch()).args(["-name", "[abcd]"]).output().unwrap().stdout;
    crate::support::wait_until("all is removed", || files().is_empty());
    let job = fs::read_dir(predicate.scratch()).unwrap().flatten().find(|entry| entry.file_name() == "job-0");
    assert!(job.is_none(), "a directory with other permissions is not used again");
}

fn as_nobody(test: &str) {
    const NOBODY: u32 = 65534;
    assert!(std::env::var_os(AS_NOBODY).is_none(), "still root");
    let directory = tempfile::tempdir().unwrap();
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let copy = directory.path().join("test");
    fs::copy(std::env::current_exe().unwrap(), &copy).unwrap();
    let mut command = Command::new(copy);
    command.args(["--exact", test, "--nocapture"]).env(AS_NOBODY, "1").env("TMPDIR", directory.path());
    let output = command.current_dir("/").gid(NOBODY).uid(NOBODY).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}{}", String::from_utf8_lossy(&output.stderr));
}

/// Fills a small file system of its own.
#[test]
fn a_full_disk_is_a_clear_error() {
    let place = tempfile::tempdir().unwrap();
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=256k", "tmpfs"]).arg(place.path()).status();
    if !mounted.is_ok_and(|status| status.success()) {
        return println!("skipped: mounting a small file system is not allowed here");
    }
    let message = on_a_full_disk(place.path());
    let _ = Command::new("umount").arg("-l").arg(place.path()).status();
    assert!(message.contains("No space left on device"), "{message}");
    assert!(message.contains("job-0/big") && message.contains("set TMPDIR to a directory with more"), "{message}");
}

fn on_a_full_disk(place: &std::path::Path) -> String {
    let script = Script::new("exit 0");
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "files::judge_something_big", "--ignored", "--nocapture"])
        .env("TMPDIR", place)
        .env("SCRIPT", &script.path)
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Not a test of its own: `a_full_disk_is_a_clear_error` runs it with `--ignored` in a process whose
/// TMPDIR is nearly full.
#[test]
#[ignore = "played by another test"]
fn judge_something_big() {
    let script = std::env::var_os("SCRIPT").expect("a script");
    let predicate = CommandPredicate::new(lapidary_predicate::CommandConfig::new(script)).unwrap();
    let big = FileTree::file("big", Blob::from(vec![b'x'; 1 << 20]));
    match predicate.judge(&big, &Cancel::new()) {
        Err(PredicateError::Fatal(message)) => println!("{message}"),
        other => panic!("{other:?}"),
    }
    let small = FileTree::file("small", "x");
    assert!(predicate.judge(&small, &Cancel::new()).unwrap().is_interesting(), "what was half written is gone");
}
