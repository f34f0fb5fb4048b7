//! Statistics of the layers of a chain.

use std::fmt;
use std::time::Duration;

/// Statistics of one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerCounts {
    pub name: &'static str,
    /// Queries received.
    pub queries: u64,
    /// Queries answered without asking the next layer.
    pub answered: u64,
    /// Time from query to answer, including the layers below.
    pub time: Duration,
}

impl LayerCounts {
    pub fn new(name: &'static str) -> LayerCounts {
        LayerCounts { name, queries: 0, answered: 0, time: Duration::ZERO }
    }
}

/// Statistics of all layers, outermost first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics(pub Vec<LayerCounts>);

impl Statistics {
    pub fn layer(&self, name: &str) -> Option<&LayerCounts> {
        self.0.iter().find(|counts| counts.name == name)
    }

    /// The time spent in a layer itself, without the layers below.
    pub fn own_time(&self, name: &str) -> Duration {
        let Some(index) = self.0.iter().position(|counts| counts.name == name) else { return Duration::ZERO };
        let below = self.0.get(index + 1).map_or(Duration::ZERO, |next| next.time);
        self.0[index].time.saturating_sub(below)
    }

    pub(crate) fn below(mut self, outer: LayerCounts) -> Statistics {
        self.0.insert(0, outer);
        self
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:14} {:>9} {:>9} {:>11}", "layer", "queries", "answered", "own seconds")?;
        for counts in &self.0 {
            let seconds = self.own_time(counts.name).as_secs_f64();
            writeln!(f, "{:14} {:>9} {:>9} {seconds:>11.3}", counts.name, counts.queries, counts.answered)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_time_excludes_the_layers_below() {
        let counts = |name, seconds| LayerCounts { time: Duration::from_secs(seconds), ..LayerCounts::new(name) };
        let statistics = Statistics(vec![counts("outer", 5), counts("inner", 3)]);
        assert_eq!(statistics.own_time("outer"), Duration::from_secs(2));
        assert_eq!(statistics.own_time("inner"), Duration::from_secs(3));
        assert_eq!(statistics.own_time("none"), Duration::ZERO);
    }
}
