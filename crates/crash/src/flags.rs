//! Flags of the compiler: which are whose.

use std::ffi::OsStr;

/// The only flag that says where a candidate lies.
pub fn is_prefix_map(flag: &OsStr) -> bool {
    flag.as_encoded_bytes().starts_with(b"-fdebug-prefix-map")
}

/// Flags that name a file which is read before the source, or may do so.
pub fn is_read_first(flag: &OsStr) -> bool {
    const PREFIXES: [&str; 5] = ["-include", "-imacros", "-Wp,", "-Xpreprocessor", "-fpreprocessed"];
    flag.to_str().is_none_or(|flag| PREFIXES.iter().any(|prefix| flag.starts_with(prefix)))
}

pub fn is_sanitizing(flag: &str) -> bool {
    flag.starts_with("-fsanitize=")
}

/// Errors that C has and the compiler, unasked, only warns of. Who leaves out a declaration fails by accident.
pub const STRICT: [&str; 4] =
    ["implicit-function-declaration", "implicit-int", "int-conversion", "incompatible-pointer-types"];
/// The same for both languages. What a variable holds that was never set is an accident, and so is what a function returns
/// that says nothing of it.
pub const STRICT_EVERYWHERE: [&str; 2] = ["uninitialized", "return-type"];

/// Flags that are ours to decide. What the user's warnings are is no concern of a test's.
pub fn is_ours(flag: &str) -> bool {
    let debug = flag.strip_prefix("-g").is_some_and(|level| level.len() <= 1 || level.starts_with("gdb"));
    debug || flag == "-w" || flag == "-Werror" || flag.starts_with("-Werror=") || flag == "-s" || flag.starts_with("-l")
}

/// Flags of the compilation that the linker must see too.
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
