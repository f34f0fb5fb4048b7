//! Judges one candidate with a warden, by the command given as arguments or the worker given after
//! `--worker`, in a sandbox after `--sandbox`. The tests kill it meanwhile.

use lapidary_predicate::{CommandConfig, CommandPredicate, Sandbox, WorkerConfig, WorkerPredicate, warden};
use lapidary_reduce::{Cancel, FileTree, Predicate};
use std::ffi::OsString;

fn main() {
    warden::run_if_asked();
    let mut arguments = std::env::args_os().skip(1).peekable();
    let worker = arguments.next_if(|first| first == "--worker").is_some();
    let sandbox = arguments.next_if(|first| first == "--sandbox");
    let sandbox = sandbox.map(|_| Sandbox::new().unwrap_or_else(|error| panic!("{error}")));
    let program: OsString = arguments.next().expect("a command");
    let config = CommandConfig { arguments: arguments.collect(), sandbox, ..CommandConfig::new(program) };
    if worker {
        let predicate = WorkerPredicate::new(WorkerConfig::new(config)).unwrap_or_else(|error| panic!("{error}"));
        println!("{}", predicate.scratch().display());
        judge(&predicate);
    } else {
        let predicate = CommandPredicate::new(config).unwrap_or_else(|error| panic!("{error}"));
        println!("{}", predicate.scratch().display());
        judge(&predicate);
    }
}

fn judge(predicate: &dyn Predicate) {
    let judgment = predicate.judge(&FileTree::file("input.txt", "x"), &Cancel::new());
    println!("{}", judgment.map_or_else(|error| error.to_string(), |judgment| judgment.reason));
}
