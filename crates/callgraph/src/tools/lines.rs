//! Reading what a tool has printed.

use lapidary_jvm::MethodName;
use std::collections::BTreeSet;
use std::fmt;

/// The methods in a text with one method a line, and the lines that are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodLines {
    pub methods: BTreeSet<MethodName>,
    /// In order; the first hundred.
    pub garbage: Vec<Garbage>,
    /// How many lines were no methods.
    pub garbage_lines: usize,
}

/// A line that names no method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Garbage {
    /// Counted from 1.
    pub line: usize,
    pub reason: String,
}

impl fmt::Display for Garbage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

/// More than this helps nobody to find out what is wrong.
const KEPT_GARBAGE: usize = 100;
/// A reason quotes no more of its line than this.
const KEPT_CHARACTERS: usize = 200;

/// Reads methods from bytes that any program may have written. Empty lines count as nothing.
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
    fn methods_are_read_and_garbage_is_told_with_its_line() {
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
