//! Parsing of a tool's output.

use lapidary_jvm::MethodName;
use std::collections::BTreeSet;
use std::fmt;

/// The methods in a text with one method per line, and the lines that are not methods.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodLines {
    pub methods: BTreeSet<MethodName>,
    /// The invalid lines in order, at most the first hundred.
    pub garbage: Vec<Garbage>,
    /// The number of invalid lines.
    pub garbage_lines: usize,
}

/// A line that is not the name of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Garbage {
    /// The line number, counted from 1.
    pub line: usize,
    pub reason: String,
}

impl fmt::Display for Garbage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

/// The number of invalid lines to keep; more would not help to find the cause.
const KEPT_GARBAGE: usize = 100;
/// The number of characters of a line that a reason quotes.
const KEPT_CHARACTERS: usize = 200;

/// Reads methods from bytes that any program may have written. Empty lines are ignored.
#[must_use]
pub fn read_methods(bytes: &[u8]) -> MethodLines {
    let mut read = MethodLines::default();
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let line = String::from_utf8_lossy(line);
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        match line.parse() {
            Ok(method) => {
                read.methods.insert(method);
            }
            Err(error) => read.note(index + 1, &error.to_string()),
        }
    }
    read
}

impl MethodLines {
    fn note(&mut self, line: usize, reason: &str) {
        self.garbage_lines += 1;
        if self.garbage.len() < KEPT_GARBAGE {
            let reason = reason.chars().take(KEPT_CHARACTERS).collect();
            self.garbage.push(Garbage { line, reason });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_read_and_garbage_is_reported_with_its_line() {
        let read = read_methods(b"p/A.run:()V\r\n\nWARNING: slow\np/A.run:()V\n\xff\xfe\np/B.<init>:(I)V");
        let names: Vec<String> = read.methods.iter().map(MethodName::to_string).collect();
        assert_eq!(names, ["p/A.run:()V", "p/B.<init>:(I)V"]);
        assert_eq!(read.garbage_lines, 2);
        assert_eq!(read.garbage[0].to_string(), "line 3: `WARNING: slow` is not a method: expected pkg/Cls.name:(I)V");
        assert_eq!(read.garbage[1].line, 5);
    }

    #[test]
    fn endless_garbage_is_counted_and_not_kept() {
        let read = read_methods("x\n".repeat(5000).as_bytes());
        assert_eq!((read.garbage.len(), read.garbage_lines), (KEPT_GARBAGE, 5000));
        let long = read_methods("y".repeat(1 << 20).as_bytes());
        assert!(long.garbage[0].reason.len() <= KEPT_CHARACTERS);
    }
}
