//! What is known of functions that are not the user's.

use crate::program::{Program, Thing};

/// What a library function keeps between calls and both reads and changes.
pub(crate) fn state_of(name: &str) -> Option<&'static str> {
    match name {
        "scanf" | "getchar" | "getchar_unlocked" | "gets" | "vscanf" => Some("input"),
        "rand" | "srand" | "random" | "srandom" | "drand48" | "srand48" => Some("random numbers"),
        "strtok" => Some("strtok"),
        "setlocale" => Some("locale"),
        "getenv" | "setenv" | "putenv" | "unsetenv" => Some("environment"),
        "atexit" | "signal" | "sigaction" | "set_terminate" => Some("handlers"),
        _ => None,
    }
}

/// The standard input, whose state is that of [`state_of`] functions that read it.
pub(crate) fn is_input(program: &Program<'_>, thing: Thing) -> bool {
    is_of_a_header(program, thing) && matches!(program.name(thing), "stdin" | "cin")
}

/// Streams that only take output: what was written to them changes nothing in the program.
pub(crate) fn is_output(program: &Program<'_>, thing: Thing) -> bool {
    let is_stream = matches!(program.name(thing), "stdout" | "stderr" | "cout" | "cerr" | "clog" | "wcout" | "wcerr");
    is_of_a_header(program, thing) && is_stream
}

/// Functions that never come back.
pub(crate) fn never_returns(name: &str) -> bool {
    matches!(
        name,
        "exit"
            | "_exit"
            | "_Exit"
            | "quick_exit"
            | "abort"
            | "terminate"
            | "longjmp"
            | "siglongjmp"
            | "rethrow_exception"
    )
}

/// Functions that change nothing they are given, though the types of their parameters would let them.
pub(crate) fn only_reads(name: &str) -> bool {
    matches!(
        name,
        "printf"
            | "puts"
            | "putchar"
            | "perror"
            | "__assert_fail"
            | "strlen"
            | "atoi"
            | "atol"
            | "atof"
            | "strcmp"
            | "strchr"
            | "strrchr"
            | "strstr"
            | "size"
            | "length"
            | "empty"
            | "at"
            | "operator[]"
            | "begin"
            | "end"
            | "front"
            | "back"
            | "c_str"
            | "data"
            | "find"
            | "count"
            | "operator*"
            | "operator->"
            | "get"
            | "top"
            | "cbegin"
            | "cend"
            | "rbegin"
            | "rend"
    ) || prints(name)
}

/// Functions that print, to a stream that is an argument of theirs or to the standard output.
fn prints(name: &str) -> bool {
    matches!(name, "fprintf" | "fputs" | "fputc" | "putc" | "fwrite" | "fflush" | "vprintf" | "vfprintf")
}

pub(crate) fn is_of_a_header(program: &Program<'_>, thing: Thing) -> bool {
    program.declarations(thing).is_empty()
}

/// The header that defines a class of the standard library that others only declare.
pub(crate) fn defining_header(name: &str) -> Option<&'static str> {
    let name = name.split('<').next().unwrap_or_default();
    match name {
        _ if name.ends_with("stringstream") || name.ends_with("stringbuf") => Some("sstream"),
        _ if name.ends_with("fstream") || name.ends_with("filebuf") => Some("fstream"),
        "array" => Some("array"),
        "tuple" => Some("tuple"),
        _ => None,
    }
}
