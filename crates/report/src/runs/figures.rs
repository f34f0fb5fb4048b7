//! Numbers over many runs.

use super::run::Run;

/// The geometric mean of positive numbers; `None` if there are none.
#[must_use]
pub fn geometric_mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.into_iter().collect();
    let (least, most) = (values.iter().copied().reduce(f64::min)?, values.iter().copied().reduce(f64::max)?);
    let sum: f64 = values.iter().map(|value| value.ln()).sum();
    // Rounding must not put the mean of equal numbers beside them.
    Some((sum / values.len() as f64).exp().clamp(least, most))
}

/// Something that is measured of each run. A value is always positive, so that it has a logarithm
/// and can be divided by: an empty result counts as one byte, a run without tests as one test, no
/// time as a microsecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The share of the input that is left.
    Left,
    /// The tests that ran.
    Tests,
    /// The time from the beginning to the end, in seconds.
    Time,
}

impl Measure {
    /// All measures, in the order of the columns.
    pub const ALL: [Measure; 3] = [Measure::Left, Measure::Tests, Measure::Time];

    /// The name, as the head of a column.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Measure::Left => "left",
            Measure::Tests => "candidates",
            Measure::Time => "time",
        }
    }

    /// The value of a run.
    #[must_use]
    pub fn of(self, run: &Run) -> f64 {
        match self {
            Measure::Left => run.bytes_after.max(1) as f64 / run.bytes_before.max(1) as f64,
            Measure::Tests => run.tally.all().max(1) as f64,
            Measure::Time => run.seconds.max(1e-6),
        }
    }

    /// The geometric mean over runs.
    #[must_use]
    pub fn mean<'a>(self, runs: impl IntoIterator<Item = &'a Run>) -> Option<f64> {
        geometric_mean(runs.into_iter().map(|run| self.of(run)))
    }

    /// The geometric mean of what the second of each pair has, divided by what the first has.
    #[must_use]
    pub fn ratio<'a>(self, pairs: impl IntoIterator<Item = (&'a Run, &'a Run)>) -> Option<f64> {
        geometric_mean(pairs.into_iter().map(|(one, other)| self.of(other) / self.of(one)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::run::sample;
    use super::*;

    #[test]
    fn the_mean_of_equal_numbers_is_that_number() {
        for number in 1..500 {
            assert_eq!(geometric_mean([f64::from(number); 3]), Some(f64::from(number)));
        }
    }

    fn close(value: Option<f64>, wanted: f64) {
        assert!(value.is_some_and(|value| (value / wanted - 1.0).abs() < 1e-12), "{value:?} is not {wanted}");
    }

    #[test]
    fn a_geometric_mean_is_the_root_of_the_product() {
        close(geometric_mean([2.0, 8.0]), 4.0);
        close(geometric_mean([0.5, 2.0, 1.0]), 1.0);
        close(geometric_mean([7.0]), 7.0);
        close(geometric_mean([1e-300, 1e300, 1e-300, 1e300]), 1.0);
        assert_eq!(geometric_mean([]), None);
    }

    #[test]
    fn a_ratio_is_the_same_whichever_way_it_is_taken() {
        let runs = [sample("a", 100, 10), sample("b", 100, 40), sample("c", 400, 100), sample("d", 400, 100)];
        close(Measure::Left.ratio([(&runs[0], &runs[1]), (&runs[2], &runs[3])]), 2.0);
        close(Measure::Left.ratio([(&runs[1], &runs[0]), (&runs[3], &runs[2])]), 0.5);
        close(Measure::Left.mean(&runs[..2]), 0.2);
    }

    #[test]
    fn an_empty_result_and_a_run_without_tests_spoil_no_mean() {
        let mut run = sample("a", 1000, 0);
        (run.tally, run.seconds) = (Default::default(), 0.0);
        close(Measure::Left.mean([&run]), 0.001);
        close(Measure::Tests.mean([&run]), 1.0);
        close(Measure::Time.mean([&run]), 1e-6);
    }
}
