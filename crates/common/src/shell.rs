//! Quoting words for a shell.

/// Quotes a word so that a shell reads it literally. Plain words stay as they are.
#[must_use]
pub fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "_-./:=+,@".contains(character);
    // Empty braces are safe, but some shells expand braces with content.
    match !word.is_empty() && word.replace("{}", "").chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_shell_reads_the_word_that_was_meant() {
        for word in
            ["", "plain", "two words", "it's", "$HOME", "a\nb", "*", "--x={}", "{a,b}", "{1..3}", "\\", "~", "ä"]
        {
            let output = Command::new("sh").args(["-c", &format!("printf %s {}", quoted(word))]).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), word);
        }
        assert_eq!(quoted("--expect=a.b"), "--expect=a.b");
    }
}
