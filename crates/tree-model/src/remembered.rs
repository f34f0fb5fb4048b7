//! The long texts that were parsed last.
//!
//! A text is parsed for each model of it. That takes milliseconds for almost all texts, but many
//! seconds for a hostile one, even if nothing can be made of it in the end.

use crate::Language;
use crate::parsed::Parsed;
use lapidary_foreign::stop_count;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The length from which a text is remembered.
const LONG: usize = 64 << 10;
/// The number of texts to remember: an input, and its latest variants.
const KEPT: usize = 3;

struct Remembered {
    language: Language,
    text: Vec<u8>,
    parsed: Option<Arc<Parsed>>,
}

static LATEST: Mutex<VecDeque<Remembered>> = Mutex::new(VecDeque::new());

/// Returns what is known of a text, or else parses it.
pub(crate) fn remembered(
    language: &Language,
    text: &[u8],
    parse: impl FnOnce() -> Option<Arc<Parsed>>,
) -> Option<Arc<Parsed>> {
    if text.len() < LONG {
        return parse();
    }
    let is_this = |known: &&Remembered| known.language == *language && known.text == text;
    if let Some(known) = latest().iter().find(is_this) {
        return known.parsed.clone();
    }
    let stops = stop_count();
    let parsed = parse();
    // Nothing is known of a text whose parser was told to stop.
    if parsed.is_some() || stop_count() == stops {
        let mut latest = latest();
        latest.push_back(Remembered { language: language.clone(), text: text.to_vec(), parsed: parsed.clone() });
        let oldest = if latest.len() > KEPT { latest.pop_front() } else { None };
        drop(latest);
        drop(oldest);
    }
    parsed
}

fn latest() -> MutexGuard<'static, VecDeque<Remembered>> {
    LATEST.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language_named;

    #[test]
    fn a_long_text_is_parsed_once_even_if_that_fails() {
        let (c, html) = (language_named("c").unwrap(), language_named("html").unwrap());
        let long = vec![b' '; LONG];
        assert_eq!(remembered(&c, &long, || None), None);
        assert_eq!(remembered(&c, &long, || unreachable!("it is known")), None);
        assert!(remembered(&html, &long, || Some(Arc::default())).is_some(), "another language");
        assert!(remembered(&html, &long, || unreachable!("it is known")).is_some());
        assert!(remembered(&c, &long[1..], || Some(Arc::default())).is_some(), "a short text");
    }
}
