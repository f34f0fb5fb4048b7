//! Separation of neighbouring tokens.

/// Returns whether two pieces of text would form one token, or a comment, when written side by
/// side.
pub(crate) fn keep_apart(before: &[u8], after: &[u8]) -> bool {
    let (Some(&left), Some(&right)) = (before.last(), after.first()) else { return false };
    let operator = |byte: u8| b"+-*/%&|^<>=!~:.?#".contains(&byte);
    (is_word(left) && (is_word(right) || matches!(right, b'"' | b'\'' | b'`')))
        || (operator(left) && operator(right))
        || (left.is_ascii_digit() && right == b'.')
        || (left == b'.' && right.is_ascii_digit())
        || (matches!(left, b'"' | b'\'') && is_word(right))
}

/// Returns whether the pieces would certainly form one token. Other neighbours are kept apart to be
/// safe; only a test can tell whether that is needed.
pub(crate) fn are_words(before: &[u8], after: &[u8]) -> bool {
    before.last().copied().is_some_and(is_word) && after.first().copied().is_some_and(is_word)
}

pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}
