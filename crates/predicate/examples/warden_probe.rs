//! Judges one candidate by the command given as arguments, with a warden, and says so: the tests kill it meanwhile.

use lapidary_predicate::{CommandConfig, CommandPredicate, warden};
use lapidary_reduce::{Cancel, FileTree, Predicate};
use std::ffi::OsString;

fn main() {
    warden::run_if_asked();
    let mut arguments = std::env::args_os().skip(1);
    let program: OsString = arguments.next().expect("a command");
    let config = CommandConfig { arguments: arguments.collect(), ..CommandConfig::new(program) };
    let predicate = CommandPredicate::new(config).unwrap_or_else(|error| panic!("{error}"));
    println!("{}", predicate.scratch().display());
    let judgment = predicate.judge(&FileTree::file("input.txt", "x"), &Cancel::new());
    println!("{}", judgment.map_or_else(|error| error.to_string(), |judgment| judgment.reason));
}
