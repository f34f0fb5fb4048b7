//! Limits the share of the time that something optional may take.

use std::time::{Duration, Instant};

/// Allows an activity as long as it has taken little of the time so far.
pub(crate) struct Pace {
    begun: Instant,
    spent: Duration,
    /// The time that may always be spent.
    free: Duration,
    /// One part in this many of all time may be spent on top.
    share: u32,
}

impl Pace {
    pub fn new(free: Duration, share: u32) -> Self {
        Pace { begun: Instant::now(), spent: Duration::ZERO, free, share }
    }

    pub fn allows(&self) -> bool {
        self.spent <= self.free + self.begun.elapsed() / self.share
    }

    /// Does something and counts the time it took.
    pub fn spend<T>(&mut self, activity: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let result = activity();
        self.spend_since(begun);
        result
    }

    /// Counts the time since a moment.
    pub fn spend_since(&mut self, begun: Instant) {
        self.spent += begun.elapsed();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_took_its_share_has_to_wait() {
        let mut pace = Pace::new(Duration::ZERO, 1_000_000);
        assert!(pace.allows());
        pace.spend(|| std::thread::sleep(Duration::from_millis(2)));
        assert!(!pace.allows(), "2 ms are the share of half an hour");
        let mut generous = Pace::new(Duration::from_secs(3600), 1_000_000);
        generous.spend(|| std::thread::sleep(Duration::from_millis(2)));
        assert!(generous.allows());
    }
}
