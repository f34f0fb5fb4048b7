//! Settings that say how a machine runs paths.

use crate::ending::PathLimits;

/// Settings of a machine.
#[derive(Clone, Debug, Default)]
pub struct MachineConfig {
    pub limits: PathLimits,
    /// Whether strings that contain symbols are built only when the program reads them, so that
    /// paths do not fork over their digits.
    pub reads_texts_late: bool,
    /// Whether states record integer computations that overflow.
    pub notes_overflow: bool,
    /// Whether paths that reach the same instruction again are merged into one.
    pub merges: bool,
}

impl From<PathLimits> for MachineConfig {
    fn from(limits: PathLimits) -> MachineConfig {
        MachineConfig { limits, ..MachineConfig::default() }
    }
}
