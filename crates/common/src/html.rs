//! Escaping text for HTML.

/// Escapes a text for use in HTML, between tags or inside a quoted attribute.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(escaped("<a href=\"x\">it's R&D</a>"), "&lt;a href=&quot;x&quot;&gt;it&#39;s R&amp;D&lt;/a&gt;");
    }
}
