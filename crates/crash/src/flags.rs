//! Compiler flags, sorted by purpose.

use std::ffi::OsStr;

/// Returns whether this is the flag that names the candidate's directory. No other flag does.
pub fn is_prefix_map(flag: &OsStr) -> bool {
    flag.as_encoded_bytes().starts_with(b"-fdebug-prefix-map")
}

/// Returns whether a flag names a file that is, or may be, read before the source.
pub fn is_read_first(flag: &OsStr) -> bool {
    const PREFIXES: [&str; 5] = ["-include", "-imacros", "-Wp,", "-Xpreprocessor", "-fpreprocessed"];
    flag.to_str().is_none_or(|flag| PREFIXES.iter().any(|prefix| flag.starts_with(prefix)))
}

pub fn is_sanitizing(flag: &str) -> bool {
    flag.starts_with("-fsanitize=")
}

/// Warnings of the C compiler for what the language forbids. They are made errors, since a program
/// without a declaration fails only by accident.
pub const STRICT: [&str; 4] =
    ["implicit-function-declaration", "implicit-int", "int-conversion", "incompatible-pointer-types"];
/// Warnings that are made errors in both languages. The value of an uninitialised variable is an
/// accident, and so is the result of a function that returns nothing.
pub const STRICT_EVERYWHERE: [&str; 2] = ["uninitialized", "return-type"];

/// Returns whether Lapidary decides about this flag. The user's warnings do not matter to a test.
pub fn is_ours(flag: &str) -> bool {
    let debug = flag.strip_prefix("-g").is_some_and(|level| level.len() <= 1 || level.starts_with("gdb"));
    debug || flag == "-w" || flag == "-Werror" || flag.starts_with("-Werror=") || flag == "-s" || flag.starts_with("-l")
}

/// Returns whether a compiler flag must also be passed to the linker.
pub fn is_for_linking(flag: &str) -> bool {
    const PREFIXES: [&str; 11] =
        ["-l", "-L", "-fsanitize", "-static", "-pthread", "-m", "--target", "-no-pie", "-pie", "-flto", "-fopenmp"];
    flag.starts_with("--sysroot")
        || flag.starts_with("-stdlib")
        || PREFIXES.iter().any(|prefix| flag.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_flags_are_ours_and_others_are_not() {
        let ours = ["-g", "-g3", "-ggdb3", "-w", "-Werror", "-Werror=all"];
        assert!(ours.iter().all(|flag| is_ours(flag)));
        assert!(["-gdwarf-4", "-Wall", "-O2", "-std=c99"].iter().all(|flag| !is_ours(flag)));
    }
}
