//! Reading the files that a run of a program leaves.
//!
//! Invariant: a file that cannot be read makes the observation an error. Otherwise a fault of the
//! system would look like a program that does not fail.

use lapidary_reduce::PredicateError;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Remembers whether a file could not be read.
#[derive(Default)]
pub(crate) struct Evidence(Cell<Option<io::Error>>);

impl Evidence {
    /// Returns what was read, or nothing if it could not be.
    pub fn noted<T: Default>(&self, read: io::Result<T>) -> T {
        read.unwrap_or_else(|error| {
            self.0.set(Some(error));
            T::default()
        })
    }

    /// Returns an error if a file could not be read.
    pub fn must_be_complete(self) -> Result<(), PredicateError> {
        let unread = |error| PredicateError::Fatal(format!("cannot read what the program left: {error}"));
        self.0.into_inner().map_or(Ok(()), |error| Err(unread(error)))
    }
}

/// Reads the beginning of a file, or nothing if there is none. The program could have made it
/// arbitrarily long.
pub(crate) fn head_of(path: &Path) -> io::Result<Vec<u8>> {
    const ENOUGH: u64 = 16 << 20;
    let mut bytes = Vec::new();
    match File::open(path).and_then(|file| file.take(ENOUGH).read_to_end(&mut bytes)) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_read_is_an_error_and_a_missing_one_is_empty() {
        let place = tempfile::tempdir().unwrap();
        let evidence = Evidence::default();
        assert_eq!(evidence.noted(head_of(&place.path().join("missing"))), b"");
        assert!(evidence.must_be_complete().is_ok());
        let evidence = Evidence::default();
        assert_eq!(evidence.noted(head_of(place.path())), b"", "a directory cannot be read");
        assert!(evidence.must_be_complete().is_err());
    }
}
