//! Exit codes. Those up to 3 are the same for all subcommands.

use lapidary::Error;

pub const DONE: u8 = 0;
/// The input is not interesting, or a verdict was negative.
pub const NEGATIVE: u8 = 1;
/// Wrong usage or bad input.
pub const BAD_INPUT: u8 = 2;
/// Stopped by budget, signal or failure, with the best result saved.
pub const STOPPED: u8 = 3;
/// No difference was found and everything was explored, but not for all possible inputs.
pub const RESTRICTED: u8 = 4;

/// The exit code for an error that ends a command.
pub fn code_of(error: &anyhow::Error) -> u8 {
    match error.downcast_ref() {
        Some(Error::NotInteresting { .. }) => NEGATIVE,
        Some(Error::Stopped(_)) => STOPPED,
        Some(Error::BadInput(_) | Error::Io(_)) | None => BAD_INPUT,
    }
}
