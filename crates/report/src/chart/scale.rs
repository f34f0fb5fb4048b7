//! Axes: where a value lies between the ends, and which values have a tick.

use crate::units;

/// The kind of numbers on an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Just numbers.
    Number,
    /// Sizes in bytes.
    Bytes,
    /// Times in seconds.
    Seconds,
    /// Shares from 0 to 1, shown in percent.
    Share,
}

impl Unit {
    /// A round value of a tick, as short as it can be.
    fn tick(self, value: f64) -> String {
        match self {
            Unit::Bytes if value == 0.0 => "0".to_owned(),
            Unit::Bytes if value < 1000.0 => format!("{value} B"),
            Unit::Bytes => short(value, &[(1e9, "GB"), (1e6, "MB"), (1e3, "kB")]),
            Unit::Seconds if value == 0.0 => "0".to_owned(),
            Unit::Seconds => units::seconds(value),
            Unit::Share => format!("{} %", (value * 1e4).round() / 100.0),
            Unit::Number if value >= 1e6 => short(value, &[(1e9, "billion"), (1e6, "million")]),
            Unit::Number if value >= 1.0 && value.fract() == 0.0 => units::thousands(value as u64),
            Unit::Number => format!("{}", (value * 1e6).round() / 1e6),
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Unit::Number => "number",
            Unit::Bytes => "bytes",
            Unit::Seconds => "seconds",
            Unit::Share => "share",
        }
    }
}

fn short(value: f64, sizes: &[(f64, &str)]) -> String {
    let (size, unit) = sizes.iter().copied().find(|(size, _)| value >= *size).unwrap_or(sizes[sizes.len() - 1]);
    format!("{} {unit}", (value / size * 100.0).round() / 100.0)
}

/// An axis of a chart.
#[derive(Clone, Debug)]
pub struct Axis {
    pub(super) label: String,
    pub(super) unit: Unit,
    pub(super) is_log: bool,
    pub(super) least: Option<f64>,
    pub(super) most: Option<f64>,
}

impl Axis {
    /// A linear axis that begins at 0, if no value is below.
    pub fn new(label: impl Into<String>, unit: Unit) -> Self {
        Axis { label: label.into(), unit, is_log: false, least: None, most: None }
    }

    /// Makes it logarithmic. Values of 0 and below are drawn at its beginning.
    pub fn log(self) -> Self {
        Axis { is_log: true, ..self }
    }

    /// Makes it end at this value at least, even if all data are smaller.
    pub fn reaching(self, most: f64) -> Self {
        Axis { most: Some(most), ..self }
    }

    /// Makes it begin at this value at most.
    pub fn from(self, least: f64) -> Self {
        Axis { least: Some(least), ..self }
    }

    /// The scale on which all of these values have a place.
    pub(super) fn scale(&self, values: impl Iterator<Item = f64>) -> Scale {
        let usable = |value: &f64| value.is_finite() && (!self.is_log || *value > 0.0);
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.chain(self.least).chain(self.most).filter(usable) {
            (least, most) = (least.min(value), most.max(value));
        }
        if least > most {
            (least, most) = (if self.is_log { 1.0 } else { 0.0 }, 1.0);
        }
        match self.is_log {
            true => (least, most) = (floor_of_log(least), most.max(least * 1.0001)),
            false => least = least.min(0.0),
        }
        if most <= least {
            most = least + if self.is_log { least * 9.0 } else { 1.0 };
        }
        Scale { least, most, is_log: self.is_log, unit: self.unit }
    }
}

/// 1, 2 or 5 times a power of ten, just below a value.
fn floor_of_log(value: f64) -> f64 {
    let decade = 10f64.powf(value.log10().floor());
    [5.0, 2.0, 1.0].into_iter().map(|step| step * decade).find(|floor| *floor <= value).unwrap_or(value)
}

/// An axis with its two ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub least: f64,
    pub most: f64,
    pub is_log: bool,
    pub unit: Unit,
}

impl Scale {
    /// The place of a value, from 0 at the beginning to 1 at the end.
    pub fn place(&self, value: f64) -> f64 {
        let place = match self.is_log {
            true => (value.max(self.least) / self.least).ln() / (self.most / self.least).ln(),
            false => (value - self.least) / (self.most - self.least),
        };
        if place.is_finite() { place.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// Round values along the axis, with their texts.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        const MOST: usize = 5;
        let values = match self.is_log && self.most / self.least >= 8.0 {
            true => decades(self.least, self.most, MOST),
            false => multiples(self.least, self.most, MOST),
        };
        values.into_iter().map(|value| (self.place(value), self.unit.tick(value))).collect()
    }
}

/// Multiples of a round step between two values.
fn multiples(least: f64, most: f64, count: usize) -> Vec<f64> {
    let rough = (most - least) / count as f64;
    let decade = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * decade).find(|step| *step >= rough * 0.999);
    let step = step.unwrap_or(rough);
    let first = (least / step - 1e-9).ceil() as i64;
    let last = (most / step + 1e-9).floor() as i64;
    (first..=last).map(|number| number as f64 * step).collect()
}

/// Powers of ten between two values, every second or third if there are many; if there are few, also
/// 2 and 5 times them.
fn decades(least: f64, most: f64, count: usize) -> Vec<f64> {
    let (first, last) = ((least.log10() - 1e-9).ceil() as i32, (most.log10() + 1e-9).floor() as i32);
    let powers = usize::try_from(last - first + 1).unwrap_or(0);
    if powers <= 2 {
        let fine = (first - 1..=last).flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * 10f64.powi(power)));
        return fine.filter(|value| *value >= least * 0.999 && *value <= most * 1.001).collect();
    }
    let stride = powers.div_ceil(count).max(1);
    (first..=last).step_by(stride).map(|power| 10f64.powi(power)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(axis: &Axis, values: &[f64]) -> Vec<String> {
        axis.scale(values.iter().copied()).ticks().into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(texts(&Axis::new("", Unit::Number), &[3.0, 1234.0]), ["0", "500", "1,000"]);
        assert_eq!(texts(&Axis::new("", Unit::Bytes).log(), &[300.0, 5e6]), ["1 kB", "10 kB", "100 kB", "1 MB"]);
        assert_eq!(
            texts(&Axis::new("", Unit::Share).reaching(1.0), &[]),
            ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]
        );
        assert_eq!(
            texts(&Axis::new("", Unit::Bytes).log(), &[300.0, 401.0]),
            ["200 B", "250 B", "300 B", "350 B", "400 B"]
        );
    }

    #[test]
    fn every_value_has_a_place_even_if_there_is_nothing_to_span() {
        for axis in [Axis::new("", Unit::Seconds), Axis::new("", Unit::Seconds).log()] {
            for values in [&[][..], &[0.0], &[7.0], &[0.0, f64::NAN, f64::INFINITY], &[-3.0, 1e300]] {
                let scale = axis.scale(values.iter().copied());
                for value in values.iter().chain(&[f64::NAN, 1e9]) {
                    let place = scale.place(*value);
                    assert!((0.0..=1.0).contains(&place), "{value} at {place} on {scale:?}");
                }
                assert!(scale.ticks().len() < 12, "{scale:?}");
            }
        }
    }
}
