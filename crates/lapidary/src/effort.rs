//! The effort allowed for a run, and how to stop it.

use lapidary_reduce::{Cancel, Control, Limits};
use std::time::{Duration, Instant};

/// The limit at which a run stops early.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Budget {
    /// After this many tests, counted as a run with one job would count them.
    Tests(u64),
    /// After this much time since the input was opened. Checks of the input count.
    Time(Duration),
}

impl From<Duration> for Budget {
    fn from(time: Duration) -> Self {
        Budget::Time(time)
    }
}

/// Jobs, budget and cancellation of a run.
#[derive(Clone, Default)]
pub struct Effort {
    /// The number of tests that run at once; if `None`, the number of cores.
    pub jobs: Option<usize>,
    /// When the run stops early; if `None`, never.
    pub budget: Option<Budget>,
    /// Ends the run when it fires. The best result so far is kept.
    pub cancel: Cancel,
    /// Holds the run, and skips its stages.
    pub control: Control,
}

impl Effort {
    /// The time that the whole run may take.
    pub fn time(&self) -> Option<Duration> {
        match self.budget {
            Some(Budget::Time(time)) => Some(time),
            Some(Budget::Tests(_)) | None => None,
        }
    }

    /// Makes an interrupt end the wait for libclang and grammars, and so does the end of the time of
    /// a run that began at this moment. Keep the result as long as the run takes.
    #[must_use]
    pub(crate) fn stop_foreign_code_in_time(&self, begun: Instant) -> Cancel {
        let over = self.cancel.child();
        over.on_cancel(lapidary_foreign::stop_waiting);
        if let Some(deadline) = self.limits(begun).deadline {
            over.cancel_at(deadline);
        }
        over
    }

    /// The limits of a session that is part of a run which began at this moment.
    pub fn limits(&self, begun: Instant) -> Limits {
        let mut limits = Limits {
            jobs: self.jobs.unwrap_or_else(cores),
            cancel: self.cancel.clone(),
            control: self.control.clone(),
            ..Limits::default()
        };
        match self.budget {
            Some(Budget::Tests(tests)) => limits.tests = Some(tests),
            Some(Budget::Time(time)) => limits.deadline = begun.checked_add(time),
            None => {}
        }
        limits
    }
}

/// The number of cores that this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
