//! Requests of a user who watches a run: hold it, or leave the current stage.

use crate::Cancel;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Holds a run, and skips its stages. Clones control the same run.
///
/// ```
/// use lapidary_reduce::Control;
///
/// let control = Control::default();
/// control.pause(true);
/// assert!(control.is_paused());
/// ```
#[derive(Clone, Default)]
pub struct Control(Arc<Requests>);

#[derive(Default)]
struct Requests {
    made: Mutex<Made>,
    /// Notified when a run may go on.
    resumed: Condvar,
}

#[derive(Default)]
struct Made {
    is_paused: bool,
    /// Ends the stage in progress when it fires.
    stage: Option<Cancel>,
}

impl Control {
    /// Holds back new tests, or lets them start again. Tests that run already go on.
    pub fn pause(&self, is_paused: bool) {
        self.made().is_paused = is_paused;
        self.0.resumed.notify_all();
    }

    /// Whether new tests are held back.
    pub fn is_paused(&self) -> bool {
        self.made().is_paused
    }

    /// Ends the stage in progress; the run goes on with the next. Does nothing between stages.
    pub fn skip_stage(&self) {
        let stage = self.made().stage.take();
        stage.into_iter().for_each(|stage| stage.cancel());
    }

    /// Names the request that ends the stage in progress.
    pub(crate) fn begin_stage(&self, stage: Option<Cancel>) {
        self.made().stage = stage;
    }

    /// Waits while new tests are held back, unless the stage or the run ends.
    pub(crate) fn wait(&self, halt: &Cancel) {
        const LOOK: Duration = Duration::from_millis(50);
        let mut made = self.made();
        while made.is_paused && !halt.is_cancelled() {
            made = self.0.resumed.wait_timeout(made, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn made(&self) -> MutexGuard<'_, Made> {
        // No code panics while it holds the lock.
        self.0.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A stage that the user skipped, as the journal records it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skip {
    /// Which stage of the run it was, counted from 1.
    pub stage: u32,
    /// How many answers its strategy had got, those from the cache included.
    pub answers: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_stage_in_progress_is_skipped() {
        let (control, run) = (Control::default(), Cancel::new());
        control.skip_stage();
        let stage = run.child();
        control.begin_stage(Some(stage.clone()));
        assert!(!stage.is_cancelled(), "the request came before the stage");
        control.skip_stage();
        assert!(stage.is_cancelled() && !run.is_cancelled());
    }

    #[test]
    fn a_paused_run_goes_on_when_it_is_told_to_or_ends() {
        let (control, halt) = (Control::default(), Cancel::new());
        control.wait(&halt);
        control.pause(true);
        let waiting = std::thread::spawn({
            let (control, halt) = (control.clone(), halt.clone());
            move || control.wait(&halt)
        });
        control.pause(false);
        waiting.join().unwrap();
        control.pause(true);
        halt.cancel();
        control.wait(&halt);
    }
}
