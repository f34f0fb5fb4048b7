//! Samples of what may be a million values, taken as the values come.

/// Points in order, of which every second is forgotten whenever there are too many.
#[derive(Clone, Debug)]
pub(super) struct Sample<T> {
    kept: Vec<T>,
    most: usize,
    stride: u64,
    seen: u64,
}

impl<T> Sample<T> {
    pub(super) fn new(most: usize) -> Self {
        Sample { kept: Vec::new(), most, stride: 1, seen: 0 }
    }

    pub(super) fn push(&mut self, point: T) {
        if self.seen.is_multiple_of(self.stride) {
            self.kept.push(point);
        }
        self.seen += 1;
        if self.kept.len() > self.most {
            let mut index = 0;
            self.kept.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.stride *= 2;
        }
    }

    pub(super) fn kept(&self) -> &[T] {
        &self.kept
    }
}

/// How many times fall into each range; four ranges for each power of ten.
#[derive(Clone, Debug)]
pub(super) struct Times([u64; 4 * DECADES]);

const DECADES: usize = 10;
const LEAST: f64 = 1e-6;

impl Default for Times {
    fn default() -> Self {
        Times([0; 4 * DECADES])
    }
}

impl Times {
    pub(super) fn push(&mut self, seconds: f64) {
        let place = ((seconds.max(LEAST) / LEAST).log10() * 4.0) as usize;
        self.0[place.min(self.0.len() - 1)] += 1;
    }

    /// The ranges from the first to the last with values.
    pub(super) fn bins(&self) -> Vec<crate::chart::Bin> {
        let edge = |place: usize| LEAST * 10f64.powf(place as f64 / 4.0);
        let first = self.0.iter().position(|count| *count > 0).unwrap_or(0);
        let end = self.0.iter().rposition(|count| *count > 0).map_or(0, |last| last + 1);
        (first..end)
            .map(|place| crate::chart::Bin { from: edge(place), to: edge(place + 1), count: self.0[place] })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_even_and_bounded() {
        let mut sample = Sample::new(100);
        (0..1_000_000).for_each(|number| sample.push(number));
        let kept = sample.kept();
        assert!((50..=101).contains(&kept.len()), "{}", kept.len());
        let step = kept[1] - kept[0];
        assert!(kept.windows(2).all(|pair| pair[1] - pair[0] == step) && kept[0] == 0);
    }

    #[test]
    fn every_time_falls_into_a_range() {
        let mut times = Times::default();
        for seconds in [0.0, 1e-9, 0.003, 0.004, 50.0, 1e9, f64::NAN] {
            times.push(seconds);
        }
        let bins = times.bins();
        assert_eq!(bins.iter().map(|bin| bin.count).sum::<u64>(), 7);
        assert!(bins.iter().any(|bin| bin.from <= 0.004 && 0.003 < bin.to && bin.count >= 1), "{bins:?}");
    }
}
