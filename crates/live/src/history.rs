//! The size of the best result over time, thinned out so that a long run takes little memory.

use std::time::Duration;

/// The most steps that are kept.
const STEPS: usize = 2048;

/// A size that only falls, as steps in time.
#[derive(Clone, Debug, Default)]
pub struct History {
    steps: Vec<(Duration, u64)>,
}

impl History {
    /// Adds a step. Times must not go back.
    pub(crate) fn push(&mut self, at: Duration, bytes: u64) {
        if self.steps.len() >= STEPS {
            let mut index = 0;
            // The first and the last step stay.
            self.steps.retain(|_| {
                index += 1;
                index == 1 || index % 2 == 0
            });
        }
        self.steps.push((at, bytes));
    }

    /// The size at this moment.
    pub(crate) fn at(&self, moment: Duration) -> u64 {
        let after = self.steps.partition_point(|(at, _)| *at <= moment);
        self.steps.get(after.saturating_sub(1)).map_or(0, |(_, bytes)| *bytes)
    }

    /// The sizes at so many moments between the first step and `until`, evenly spread.
    pub fn columns(&self, columns: usize, until: Duration) -> Vec<u64> {
        let Some(&(from, _)) = self.steps.first() else { return Vec::new() };
        let length = until.saturating_sub(from);
        let moment = |column: usize| from + length.mul_f64((column + 1) as f64 / columns as f64);
        (0..columns).map(|column| self.at(moment(column))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn a_column_shows_the_size_at_its_moment() {
        let mut history = History::default();
        [(10, 100), (12, 50), (19, 7)].iter().for_each(|&(at, bytes)| history.push(seconds(at), bytes));
        assert_eq!(history.columns(5, seconds(20)), [50, 50, 50, 50, 7]);
        assert_eq!(history.columns(1, seconds(10)), [100]);
        assert!(History::default().columns(5, seconds(1)).is_empty());
    }

    #[test]
    fn a_long_history_keeps_its_ends() {
        let mut history = History::default();
        (0..100_000).for_each(|step| history.push(seconds(step), 100_000 - step));
        assert!(history.steps.len() <= STEPS);
        assert_eq!((history.at(seconds(0)), history.at(seconds(100_000))), (100_000, 1));
    }
}
