//! Numbers for people: grouped digits, sizes, times, shares.

pub use lapidary_common::words::{counted, thousands};

/// A size: `812 bytes`, `1.5 kB`, `23 MB`.
#[must_use]
pub fn bytes(number: u64) -> String {
    match number {
        0..10_000 => counted(number, "byte"),
        _ => scaled(number as f64, &[(1e9, "GB"), (1e6, "MB"), (1e3, "kB")]),
    }
}

/// A time: `3.2 ms`, `12 s`, `4 min 10 s`, `2 h 5 min`.
#[must_use]
pub fn seconds(time: f64) -> String {
    match time {
        t if t >= 3570.0 => in_two((t / 60.0).round() as u64, "h", "min"),
        t if t >= 99.5 => in_two(t.round() as u64, "min", "s"),
        t if t > 0.0 => scaled(t, &[(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")]),
        _ => "0 s".to_owned(),
    }
}

fn in_two(small: u64, large_unit: &str, small_unit: &str) -> String {
    match (small / 60, small % 60) {
        (large, 0) => format!("{} {large_unit}", thousands(large)),
        (large, rest) => format!("{} {large_unit} {rest} {small_unit}", thousands(large)),
    }
}

/// A share between 0 and 1 in percent: `0.4 %`, `23.1 %`, `100 %`. A share that is not whole is
/// never shown as 0 or 100.
#[must_use]
pub fn percent(share: f64) -> String {
    let value = share * 100.0;
    match value {
        v if v == 0.0 || v == 100.0 => format!("{v:.0} %"),
        v if v < 0.01 => "< 0.01 %".to_owned(),
        v if v < 1.0 => format!("{v:.2} %"),
        v if v > 99.9 && v < 100.0 => "> 99.9 %".to_owned(),
        v => format!("{v:.1} %"),
    }
}

/// Two or three significant digits with the largest unit that fits.
fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    let last = units[units.len() - 1];
    let (size, unit) = units.iter().copied().find(|(size, _)| value >= *size).unwrap_or(last);
    let number = value / size;
    match number {
        n if n >= 99.95 => format!("{} {unit}", thousands(n.round() as u64)),
        n => {
            let text = format!("{n:.1}");
            format!("{} {unit}", text.strip_suffix(".0").unwrap_or(&text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_are_short() {
        assert_eq!(
            [bytes(1), bytes(9_999), bytes(23_456), bytes(5_000_000)],
            ["1 byte", "9,999 bytes", "23.5 kB", "5 MB"]
        );
        let times = [0.0, 0.0000042, 0.0032, 12.04, 250.0, 7500.0, 3600.0].map(seconds);
        assert_eq!(times, ["0 s", "4.2 µs", "3.2 ms", "12 s", "4 min 10 s", "2 h 5 min", "1 h"]);
        assert_eq!(seconds(3599.0), "1 h", "and not 60 min");
    }

    #[test]
    fn a_little_is_not_nothing_and_nearly_all_is_not_all() {
        let shares = [0.0, 0.00001, 0.004, 0.231, 0.99999, 1.0].map(percent);
        assert_eq!(shares, ["0 %", "< 0.01 %", "0.40 %", "23.1 %", "> 99.9 %", "100 %"]);
    }
}
