//! Numbers and times in words.

pub use lapidary_common::words::thousands;
use std::time::Duration;

/// `1 item`, `1,234 items`.
pub fn counted(number: usize, what: &str) -> String {
    lapidary_common::words::counted(number as u64, what)
}

/// `0:07`, `12:34`, `1:02:03`.
pub(crate) fn clock(time: Duration) -> String {
    let (hours, minutes, seconds) = (time.as_secs() / 3600, time.as_secs() / 60 % 60, time.as_secs() % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// `0.2 s`, `9.8 s`, `125 s`.
pub(crate) fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 99.95 { format!("{seconds:.1} s") } else { format!("{seconds:.0} s") }
}

/// The share of a whole in percent.
pub(crate) fn percent(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { 100.0 * part / whole } else { 0.0 }
}

/// The first characters of a text on one line, with `…` for what is left out.
pub(crate) fn shortened(text: &str, length: usize) -> String {
    let mut line = String::new();
    for (index, word) in text.split_whitespace().enumerate() {
        if index > 0 {
            line.push(' ');
        }
        line.push_str(word);
        // The rest of a label of ten megabytes is not looked at.
        if line.len() > 4 * length {
            break;
        }
    }
    match line.char_indices().nth(length) {
        None => line,
        Some(_) => line.chars().take(length.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// A number of things whose name in the plural begins with their noun: `1 program done`.
pub(crate) fn number_of(number: u64, things: &str) -> String {
    let (noun, rest) = things.split_at(things.find(' ').unwrap_or(things.len()));
    match noun.strip_suffix('s').filter(|_| number == 1) {
        Some(one) => format!("1 {one}{rest}"),
        None => format!("{} {things}", thousands(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        assert_eq!(clock(Duration::from_secs(7)), "0:07");
        assert_eq!(clock(Duration::from_secs(3723)), "1:02:03");
        assert_eq!(seconds(Duration::from_millis(250)), "0.2 s");
        assert_eq!(seconds(Duration::from_secs(125)), "125 s");
    }

    #[test]
    fn a_label_becomes_one_short_line() {
        assert_eq!(shortened("if (x)\n    y();", 40), "if (x) y();");
        assert_eq!(shortened("abcdefgh", 5), "abcd…");
        assert!(shortened(&"x".repeat(10_000_000), 20).chars().count() == 20);
    }
}
