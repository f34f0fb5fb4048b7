//! What the layers of a chain did.

use std::fmt;
use std::time::Duration;

/// What one layer did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    pub name: &'static str,
    /// Questions that came in.
    pub queries: u64,
    /// Questions that were answered without asking the next layer.
    pub answered: u64,
    /// From question to answer, the layers below included.
    pub time: Duration,
}

impl Counts {
    pub fn new(name: &'static str) -> Counts {
        Counts { name, queries: 0, answered: 0, time: Duration::ZERO }
    }
}

/// What all layers did, the outermost first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics(pub Vec<Counts>);

impl Statistics {
    pub fn layer(&self, name: &str) -> Option<&Counts> {
        self.0.iter().find(|counts| counts.name == name)
    }

    /// The time a layer spent itself.
    pub fn own_time(&self, name: &str) -> Duration {
        let Some(index) = self.0.iter().position(|counts| counts.name == name) else { return Duration::ZERO };
        let below = self.0.get(index + 1).map_or(Duration::ZERO, |next| next.time);
        self.0[index].time.saturating_sub(below)
    }

    pub(crate) fn below(mut self, outer: Counts) -> Statistics {
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
    fn a_layer_s_own_time_is_what_those_below_did_not_take() {
        let counts = |name, seconds| Counts { time: Duration::from_secs(seconds), ..Counts::new(name) };
        let statistics = Statistics(vec![counts("outer", 5), counts("inner", 3)]);
        assert_eq!(statistics.own_time("outer"), Duration::from_secs(2));
        assert_eq!(statistics.own_time("inner"), Duration::from_secs(3));
        assert_eq!(statistics.own_time("none"), Duration::ZERO);
    }
}
