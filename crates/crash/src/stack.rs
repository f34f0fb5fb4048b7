//! Stacks with recursion.
//!
//! The depth of a recursion is not part of a failure: a smaller program may fail after fewer calls.

/// The longest cycle of calls that is recognised.
const LONGEST_CYCLE: usize = 16;

/// Splits the elements into pieces, each with the number of times it occurs in a row.
pub fn repetitions<T: PartialEq>(elements: &[T]) -> Vec<(&[T], usize)> {
    let mut pieces: Vec<(&[T], usize)> = Vec::new();
    let mut rest = elements;
    while !rest.is_empty() {
        let (length, count) = best_cycle(rest);
        pieces.push((&rest[..length], count));
        rest = &rest[length * count..];
    }
    pieces
}

/// Returns the elements without any repetitions of pieces.
pub fn collapsed<T: PartialEq + Clone>(elements: &[T]) -> Vec<T> {
    repetitions(elements).into_iter().flat_map(|(piece, _)| piece.iter().cloned()).collect()
}

/// Returns the distinct elements in order of their first occurrence.
pub fn distinct<T: PartialEq + Clone>(elements: &[T]) -> Vec<T> {
    let mut found: Vec<T> = Vec::new();
    for element in elements {
        if !found.contains(element) {
            found.push(element.clone());
        }
    }
    found
}

/// Returns whether `few` is `many` with some elements removed.
pub fn is_subsequence<T: PartialEq>(few: &[T], many: &[T]) -> bool {
    let mut rest = many.iter();
    few.iter().all(|element| rest.any(|other| other == element))
}

/// Returns the length of the cycle at the start of the elements, and how often it occurs.
fn best_cycle<T: PartialEq>(elements: &[T]) -> (usize, usize) {
    let repeats = |length: usize| {
        let (cycle, rest) = elements.split_at(length);
        1 + rest.chunks_exact(length).take_while(|chunk| *chunk == cycle).count()
    };
    let lengths = 1..=LONGEST_CYCLE.min(elements.len() / 2);
    lengths.map(|length| (length, repeats(length))).find(|(_, count)| *count > 1).unwrap_or((1, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_found_and_collapsed() {
        let calls: Vec<char> = "xababababmm".chars().collect();
        let pieces: Vec<(String, usize)> =
            repetitions(&calls).into_iter().map(|(piece, count)| (piece.iter().collect(), count)).collect();
        assert_eq!(pieces, [("x".into(), 1), ("ab".into(), 4), ("m".into(), 2)]);
        assert_eq!(collapsed(&calls), ['x', 'a', 'b', 'm']);
        assert_eq!(distinct(&calls), ['x', 'a', 'b', 'm']);
        assert_eq!(collapsed::<char>(&[]), []);
    }

    #[test]
    fn a_subsequence_keeps_the_order() {
        assert!(is_subsequence(b"ac", b"abc"));
        assert!(is_subsequence(b"", b"abc"));
        assert!(!is_subsequence(b"ca", b"abc"));
        assert!(!is_subsequence(b"aa", b"abc"));
    }
}
