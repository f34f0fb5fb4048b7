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
        "getenv" | "secure_getenv" | "setenv" | "putenv" | "unsetenv" => Some("environment"),
        "gmtime" | "localtime" | "ctime" | "asctime" => Some("broken-down time"),
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
            | "pthread_exit"
            | "thrd_exit"
            | "err"
            | "errx"
            | "verr"
            | "verrx"
            | "__builtin_abort"
            | "__builtin_trap"
            // The functions that `assert` calls when it fails.
            | "__assert_fail"
            | "__assert_perror_fail"
            | "__assert"
            | "__assert_rtn"
    )
}

/// Returns whether a C function leaves the memory behind its arguments unchanged, though its
/// parameter types would allow changes.
pub(crate) fn only_reads(program: &Program<'_>, thing: Thing) -> bool {
    let name = program.name(thing);
    let is_known = matches!(
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
    );
    (is_known || prints(name)) && is_of_c(program, thing)
}

/// Returns whether a function belongs to C, or to no class and no namespace.
fn is_of_c(program: &Program<'_>, thing: Thing) -> bool {
    usr(program, thing).strip_prefix("c:@F@").is_some_and(|rest| !rest.contains('@'))
}

fn usr<'a>(program: &Program<'a>, thing: Thing) -> &'a str {
    let (unit, entity) = program.entity(thing);
    &program.units[unit].entity(entity).usr
}

/// Returns whether a method of a library class may change the object that it is called on. What is
/// changed through a reference or an iterator that it returns is a change of its own.
pub(crate) fn writes_receiver(program: &Program<'_>, method: Thing, class: &str) -> bool {
    // The name ends with the parameters and the qualifiers: 1 is `const`.
    let qualifiers = usr(program, method).rsplit('#').next().unwrap_or_default();
    let is_const = qualifiers.starts_with(['1', '3', '5', '7']);
    !is_const && !is_accessor(class, program.name(method))
}

/// Returns whether a method that is not `const` gives access to an object without changing it.
fn is_accessor(class: &str, name: &str) -> bool {
    let is_iterator = class.ends_with("iterator") && !class.ends_with("streambuf_iterator");
    let is_pointer = matches!(class, "unique_ptr" | "shared_ptr" | "optional");
    let has_places = matches!(class, "vector" | "basic_string" | "deque" | "array" | "bitset" | "valarray" | "span");
    let is_container = has_places
        || matches!(class, "list" | "forward_list" | "map" | "multimap" | "set" | "multiset" | "initializer_list")
        || matches!(class, "unordered_map" | "unordered_multimap" | "unordered_set" | "unordered_multiset")
        || matches!(class, "stack" | "queue" | "priority_queue" | "basic_string_view");
    match name {
        "operator*" | "operator->" => is_iterator || is_pointer,
        "get" | "value" => is_pointer,
        "operator[]" => has_places || is_iterator,
        "begin" | "end" | "rbegin" | "rend" | "cbegin" | "cend" | "front" | "back" | "data" | "at" | "find" | "top"
        | "lower_bound" | "upper_bound" | "equal_range" => is_container,
        _ => false,
    }
}

/// Returns whether a function may change an argument that it takes by reference.
pub(crate) fn writes_references(program: &Program<'_>, thing: Thing) -> bool {
    let usr = usr(program, thing);
    let mut references = usr.match_indices('&').map(|(at, _)| &usr[at + 1..]);
    // `&1` is a reference to something constant.
    !usr.contains('#') || references.any(|rest| !rest.starts_with('1'))
}

/// Returns the argument that a function returns, or a part of it, if that is not the first pointer.
pub(crate) fn returned_argument(name: &str) -> Option<usize> {
    matches!(name, "bsearch" | "lfind" | "lsearch").then_some(1)
}

/// Returns the name of the state that the result of a function points to.
pub(crate) fn returned_state(name: &str) -> Option<&'static str> {
    match name {
        "__errno_location" | "__error" | "__errno" => Some(ERRNO),
        "strtok" | "getenv" | "secure_getenv" | "gmtime" | "localtime" | "ctime" | "asctime" | "setlocale" => {
            state_of(name)
        }
        _ => None,
    }
}

/// The state that holds the number of the last error.
pub(crate) const ERRNO: &str = "errno";

/// Returns whether a function may set `errno`. Functions that print do so only if printing fails.
pub(crate) fn may_set_errno(program: &Program<'_>, thing: Thing) -> bool {
    let name = program.name(thing);
    let never = name.starts_with("__")
        || (name.starts_with("mem") || name.starts_with("str") && !name.starts_with("strto") && name != "strdup")
        || (name.starts_with("is") || name.starts_with("to"))
        || matches!(
            name,
            "abs" | "labs" | "llabs" | "rand" | "srand" | "qsort" | "bsearch" | "free" | "abort" | "exit"
        )
        || matches!(name, "atexit" | "getenv" | "printf" | "puts" | "putchar" | "perror");
    is_of_c(program, thing) && !never && !prints(name)
}

/// Returns whether a function formats its arguments for output, without changing those behind a
/// pointer unless the format has a `%n`.
pub(crate) fn formats(name: &str) -> bool {
    matches!(name, "printf" | "fprintf" | "vprintf" | "vfprintf")
}

/// Returns whether the text of a format has a conversion `%n`, which stores a count.
pub(crate) fn has_count(format: &[u8]) -> bool {
    let mut rest = format;
    while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
        rest = &rest[at + 1..];
        let end = rest.iter().position(|byte| !b"0123456789$-+ #'.*hlqjzt".contains(byte)).unwrap_or(rest.len());
        match rest.get(end) {
            Some(b'n') => return true,
            _ => rest = rest.get(end + 1..).unwrap_or_default(),
        }
    }
    false
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_in_formats_are_found() {
        let has = |text: &str| has_count(text.as_bytes());
        assert!(has("a%n") && has("%d%-3hhn") && has("%%%ln") && has("%*n"));
        assert!(!has("n") && !has("%d n") && !has("%%n") && !has("%") && !has("%5") && !has("%s\\n"));
    }
}
