//! Writes tokens so that they stay the same tokens: separated from each other, not inside a line
//! comment, and at the start of a line where they were at the start of one.

use crate::apart::keep_apart;

/// The text with up to `columns` blanks removed at the start of each line but the first.
pub(crate) fn dedented(text: &[u8], columns: usize) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(newline) = rest.iter().position(|&byte| byte == b'\n') {
        result.extend_from_slice(&rest[..=newline]);
        rest = &rest[newline + 1..];
        let blanks = rest.iter().take(columns).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        rest = &rest[blanks..];
    }
    result.extend_from_slice(rest);
    result
}

/// The position of a token in the input.
#[derive(Clone, Copy)]
struct Place {
    at_line_start: bool,
    /// Whether the token touches the one written before it.
    touched: bool,
}

/// Collects the output of one rendering.
pub(crate) struct Writer<'a> {
    text: &'a [u8],
    line_comments: &'static [&'static str],
    out: Vec<u8>,
    /// The offset in the input at which the last written piece ends, if it was a piece of the
    /// input.
    reached: usize,
    in_line_comment: bool,
    /// The gap that replaces that of the next token.
    lead: Option<Vec<u8>>,
    pub(crate) dedent: usize,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(text: &'a [u8], line_comments: &'static [&'static str]) -> Self {
        let out = Vec::with_capacity(text.len());
        Writer { text, line_comments, out, reached: 0, in_line_comment: false, lead: None, dedent: 0 }
    }

    /// Sets the gap that is written before the next token instead of its own.
    pub(crate) fn lead(&mut self, gap: &[u8]) {
        if self.lead.is_none() {
            self.lead = Some(gap.to_vec());
        }
    }

    /// Writes a piece of the input with the gap before it.
    pub(crate) fn piece(&mut self, gap: usize, start: usize, end: usize) {
        let text = self.text;
        if gap == self.reached && self.lead.is_none() && self.dedent == 0 {
            self.out.extend_from_slice(&text[gap..end]);
        } else {
            let at_line_start = start > 0 && text[start - 1] == b'\n' && gap == start;
            // Tokens that touched in the input, such as a quote and its content, are not separated.
            let touched = gap == self.reached && gap == start && self.lead.is_none();
            self.token(&text[gap..start], &text[start..end], Place { at_line_start, touched });
        }
        self.note(&text[start..end]);
        self.reached = end;
    }

    /// Writes a text that is not in the input, in the place of something with this gap before it.
    pub(crate) fn foreign(&mut self, gap: &[u8], token: &[u8]) {
        self.token(gap, token, Place { at_line_start: false, touched: false });
        self.note(token);
        self.reached = usize::MAX;
    }

    /// Writes the rest of the input after the last token.
    pub(crate) fn finish(mut self, tail: usize) -> Vec<u8> {
        self.out.extend_from_slice(&self.text[tail..]);
        self.out
    }

    fn token(&mut self, gap: &[u8], token: &[u8], place: Place) {
        let lead = self.lead.take();
        let gap = dedented(lead.as_deref().unwrap_or(gap), if lead.is_some() { 0 } else { self.dedent });
        if self.in_line_comment && !gap.contains(&b'\n') {
            self.out.push(b'\n');
        }
        self.out.extend_from_slice(&gap);
        if place.at_line_start && !self.out.is_empty() && self.out.last() != Some(&b'\n') {
            self.out.push(b'\n');
        }
        if !place.touched && keep_apart(&self.out, token) {
            self.out.push(b' ');
        }
        self.out.extend_from_slice(token);
    }

    fn note(&mut self, token: &[u8]) {
        let is_comment = self.line_comments.iter().any(|start| token.starts_with(start.as_bytes()));
        self.in_line_comment = is_comment && token.last() != Some(&b'\n');
    }
}
