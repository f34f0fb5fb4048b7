//! How long to compare, and by what means.

use std::time::Duration;

/// When to stop.
#[derive(Clone, Debug)]
pub struct Budget {
    pub time: Duration,
    /// Paths of the old version.
    pub paths: u64,
    /// Instructions of one path.
    pub instructions: u64,
    /// Paths of both versions that may wait at a time.
    pub states: usize,
    /// Bytes of memory that the process may hold.
    pub memory: u64,
    pub techniques: Techniques,
}

/// What makes comparing cheaper. Each can be left out, to see what it is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques {
    /// Run what both versions have in common once, and go on with both where they come to code that differs.
    pub sharing: bool,
    /// Take values for the same that are the same term, without asking the solver.
    pub cancelling: bool,
    /// Try first to match the loops of both versions turn by turn.
    pub induction: bool,
}

impl Default for Techniques {
    fn default() -> Self {
        Techniques { sharing: true, cancelling: true, induction: true }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            time: Duration::from_secs(60),
            paths: u64::MAX,
            instructions: 20_000_000,
            states: 100_000,
            memory: 8 << 30,
            techniques: Techniques::default(),
        }
    }
}
