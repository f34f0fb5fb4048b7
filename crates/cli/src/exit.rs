//! Exit codes. Those up to 3 are the same for all subcommands.

pub const DONE: u8 = 0;
/// The input is not interesting, or a verdict was negative.
pub const NEGATIVE: u8 = 1;
/// Wrong usage or bad input.
pub const BAD_INPUT: u8 = 2;
/// Stopped by budget, signal or failure, with the best result saved.
pub const STOPPED: u8 = 3;
/// No difference was found, and everything was explored, but not for all inputs there are.
pub const RESTRICTED: u8 = 4;
