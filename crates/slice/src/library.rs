//! Knowledge about library functions.

use crate::program::{Program, Thing};

/// Returns the name of the state that a library function keeps between calls, and both reads and
/// changes.
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

/// Returns whether this is the standard input, whose state it shares with the [`state_of`]
/// functions that read it.
pub(crate) fn is_input(program: &Program<'_>, thing: Thing) -> bool {
    is_of_a_header(program, thing) && matches!(program.name(thing), "stdin" | "cin")
}

/// Returns whether this is a stream for output only. Text written to it has no effect on the
/// program.
pub(crate) fn is_output(program: &Program<'_>, thing: Thing) -> bool {
    let is_stream = matches!(program.name(thing), "stdout" | "stderr" | "cout" | "cerr" | "clog" | "wcout" | "wcerr");
    is_of_a_header(program, thing) && is_stream
}

/// Returns whether a function never returns.
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

/// Returns whether a function leaves its arguments unchanged, though its parameter types would
/// allow changes.
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

/// Returns whether a function prints, to a stream argument or to standard output.
fn prints(name: &str) -> bool {
    matches!(name, "fprintf" | "fputs" | "fputc" | "putc" | "fwrite" | "fflush" | "vprintf" | "vfprintf")
}

pub(crate) fn is_of_a_header(program: &Program<'_>, thing: Thing) -> bool {
    program.declarations(thing).is_empty()
}

/// Returns the header that defines a standard library class which other headers only declare.
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
