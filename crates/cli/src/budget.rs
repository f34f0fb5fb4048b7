//! Parsers for budgets, durations and sizes.

use lapidary::Budget;
use std::time::Duration;

/// Parses a number of tests or a duration.
pub fn budget(text: &str) -> Result<Budget, String> {
    match text.parse() {
        Ok(tests) => Ok(Budget::Tests(tests)),
        Err(_) => duration(text).map(Budget::Time),
    }
}

/// Parses `90s`, `1.5m`, `2h`, `250ms`.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is neither a number of tests (500) nor a duration (90s, 5m, 2h)");
    let unit_at = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(wrong)?;
    let (number, unit) = text.split_at(unit_at);
    let seconds = match unit {
        "ms" => 0.001,
        "s" | "sec" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    let number: f64 = number.trim().parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(number * seconds).map_err(|_| wrong())
}

/// Parses seconds or a duration with a unit.
pub fn timeout(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a time; give seconds (10, 0.5) or a duration (500ms, 2m)");
    let found = match text.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).map_err(|_| wrong())?,
        Err(_) => duration(text).map_err(|_| wrong())?,
    };
    if found.is_zero() { Err(wrong()) } else { Ok(found) }
}

/// Parses a number of bytes: `100M`, `2G`, `65536`.
pub fn size(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not a size; give bytes, or a number with K, M or G");
    let (number, factor) = match text.strip_suffix(['K', 'M', 'G', 'k', 'm', 'g']) {
        None => (text, 1),
        Some(number) => {
            (number, 1024u64.pow(1 + "KMG".find(&text[number.len()..].to_uppercase()).ok_or_else(wrong)? as u32))
        }
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    number.checked_mul(factor).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_tests_or_times() {
        assert_eq!(budget("500"), Ok(Budget::Tests(500)));
        assert_eq!(budget("1.5m"), Ok(Budget::Time(Duration::from_secs(90))));
        assert!(budget("soon").unwrap_err().contains("90s"));
        assert!(budget("-3s").is_err());
    }

    #[test]
    fn sizes_and_timeouts_have_units() {
        assert_eq!(size("2G"), Ok(2 << 30));
        assert!(size("2T").is_err());
        assert_eq!(timeout("0.5"), Ok(Duration::from_millis(500)));
        assert!(timeout("0").is_err() && timeout("x").is_err());
    }
}
