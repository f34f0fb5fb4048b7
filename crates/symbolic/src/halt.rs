//! How an instruction ends: where the path continues, or why it does not.

use crate::ending::Ending;
use crate::value::Ref;

/// Why an instruction did not complete normally.
pub enum Halt {
    /// Something else runs first; then the instruction is retried.
    Again,
    Throw(Ref),
    End(Ending),
}

/// Where a path continues.
pub enum Next {
    Advance,
    Jump(usize),
    /// A call began or ended; the frames say where to continue.
    Elsewhere,
}

/// The result of running one instruction.
pub type Step = Result<Next, Halt>;
