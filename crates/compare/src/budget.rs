//! The limits and the techniques of a comparison.

use std::time::Duration;

/// The limits of a comparison.
#[derive(Clone, Debug)]
pub struct ComparisonBudget {
    pub time: Duration,
    /// Paths of the old version.
    pub paths: u64,
    /// Instructions of one path.
    pub instructions: u64,
    /// Paths of both versions that may wait at the same time.
    pub states: usize,
    /// Bytes of memory that the process may use.
    pub memory: u64,
    pub techniques: Techniques,
}

/// The techniques that make comparing cheaper. Each can be switched off, to measure its benefit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques {
    /// Run common code once, and continue with both versions where they reach code that differs.
    pub sharing: bool,
    /// Treat identical terms as equal without asking the solver.
    pub cancelling: bool,
    /// Try first to match the loops of both versions iteration by iteration.
    pub induction: bool,
}

impl Default for Techniques {
    fn default() -> Self {
        Techniques { sharing: true, cancelling: true, induction: true }
    }
}

impl Default for ComparisonBudget {
    fn default() -> Self {
        ComparisonBudget {
            time: Duration::from_secs(60),
            paths: u64::MAX,
            instructions: 20_000_000,
            states: 100_000,
            memory: 8 << 30,
            techniques: Techniques::default(),
        }
    }
}
