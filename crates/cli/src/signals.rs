//! Signals that end a run in good order: its result is still saved, printed and written.

use anyhow::Context;
use lapidary::{Cancel, Control};
use lapidary_live::Handles;

/// Returns a `Cancel` that fires on SIGINT, SIGTERM and SIGHUP.
pub fn cancel_on_signal() -> anyhow::Result<Cancel> {
    let cancel = Cancel::new();
    let on_signal = cancel.clone();
    ctrlc::set_handler(move || on_signal.cancel()).context("cannot listen for signals")?;
    Ok(cancel)
}

/// The handles of a run that signals end.
pub fn handles() -> anyhow::Result<Handles> {
    Ok(Handles { cancel: cancel_on_signal()?, control: Control::default() })
}
