//! Reads the ring of basic blocks that a run has entered (`runtime/steps.h` describes the format).

use lapidary_predicate::Job;
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// One entry into a basic block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The start of the block, after the call that records it, relative to the start of the
    /// program.
    pub pc: u64,
    /// The return address of its function. `None` if it is outside the program.
    pub returns_to: Option<u64>,
    /// The distance of the function's frame from the end of the stack. A larger value is deeper.
    pub depth: u32,
}

/// All blocks of a run, in order.
#[derive(Debug)]
pub(crate) struct Steps {
    pub steps: Vec<Step>,
}

const HEAD: usize = 64;
const STEP: usize = 16;
const KEPT: u64 = 1 << 20;

impl Steps {
    /// Reads the blocks. `None` if nothing was recorded, or more than there was room for.
    pub(crate) fn read(path: &Path) -> io::Result<Option<Steps>> {
        match Steps::recorded(path) {
            Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::UnexpectedEof) => Err(error),
            recorded => Ok(recorded.ok().flatten()),
        }
    }

    fn recorded(path: &Path) -> io::Result<Option<Steps>> {
        let mut file = fs::File::open(path)?;
        let mut head = [0; HEAD];
        file.read_exact(&mut head)?;
        let count = word(&head, 8);
        if count == 0 || count > KEPT {
            return Ok(None);
        }
        let mut ring = vec![0; count as usize * STEP];
        file.read_exact(&mut ring)?;
        let steps = ring.chunks_exact(STEP).map(|bytes| Step {
            pc: u64::from(half(bytes, 0)),
            returns_to: Some(half(bytes, 4)).filter(|place| *place != u32::MAX).map(u64::from),
            depth: half(bytes, 8),
        });
        Ok(Some(Steps { steps: steps.collect() }))
    }
}

/// Returns the file in which a program records the blocks it enters.
pub(crate) fn steps_file(job: &Job) -> PathBuf {
    job.temporary().join("lapidary-steps")
}

fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_ne_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

fn half(bytes: &[u8], at: usize) -> u32 {
    u32::from_ne_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_is_read_unless_it_ran_over() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("steps");
        let write = |count: u64| {
            let mut bytes = [0x1000_u64, count].map(u64::to_ne_bytes).concat();
            bytes.resize(HEAD, 0);
            bytes.extend([0x40_u32, u32::MAX, 16, 0].map(u32::to_ne_bytes).concat());
            fs::write(&path, bytes).unwrap();
            Steps::read(&path).unwrap()
        };
        let read = write(1).unwrap();
        assert_eq!(read.steps, [Step { pc: 0x40, returns_to: None, depth: 16 }]);
        assert!(write(0).is_none() && write(KEPT + 1).is_none());
        assert!(write(2).is_none(), "a file that was cut off");
    }
}
