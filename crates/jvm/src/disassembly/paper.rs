//! Text that grows up to a limit.

/// A text ends after so many bytes, with a remark.
const MOST: usize = 4 << 20;

/// The text so far. What would make it longer than [`MOST`] is left out.
#[derive(Default)]
pub(super) struct Paper {
    text: String,
    is_full: bool,
}

impl Paper {
    pub(super) fn word(&mut self, word: &str) {
        self.is_full |= self.text.len() + word.len() > MOST;
        if !self.is_full {
            self.text.push_str(word);
        }
    }

    pub(super) fn line(&mut self, end: &str) {
        self.word(end);
        self.word("\n");
    }

    /// The words, if any, after `begin` and with `between` between them.
    pub(super) fn list(&mut self, begin: &str, between: &str, words: impl IntoIterator<Item = String>) {
        for (index, word) in words.into_iter().enumerate() {
            if self.is_full {
                break;
            }
            self.word(if index == 0 { begin } else { between });
            self.word(&word);
        }
    }

    /// Whether nothing more fits, so that the rest need not be made.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    pub(super) fn finish(mut self) -> String {
        if self.is_full {
            let end = self.text.rfind('\n').map_or(0, |end| end + 1);
            self.text.truncate(end);
            self.text.push_str("// the rest of this class is too long to be shown\n");
        }
        self.text
    }
}
