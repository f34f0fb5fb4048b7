//! Recognises words that must not leave the machine: the values of options such as `--header` or
//! `--token`, and addresses with a password in them.

use lapidary_common::shell::quoted;

/// The text in place of a secret.
pub(crate) const HIDDEN: &str = "(left out)";

/// Parts of the names of options whose values are secrets.
const NAMES: [&str; 11] = [
    "header",
    "token",
    "password",
    "passwd",
    "passphrase",
    "secret",
    "api-key",
    "apikey",
    "credential",
    "auth",
    "private-key",
];

/// Whether a text is likely to contain a secret.
pub(crate) fn is_one(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let has_password = lower.split_once("://").is_some_and(|(_, rest)| {
        rest.split('/').next().is_some_and(|host| host.split_once('@').is_some_and(|(user, _)| user.contains(':')))
    });
    has_password
        || ["authorization:", "bearer ", "password=", "token=", "secret="].iter().any(|sign| lower.contains(sign))
}

/// The words of a command line without secrets, and whether there were any.
pub(crate) fn without(words: &[String]) -> (Vec<String>, bool) {
    let (mut shown, mut is_value) = (Vec::new(), false);
    for word in words {
        let (name, value) = word.split_once('=').map_or((word.as_str(), None), |(name, value)| (name, Some(value)));
        let names_secret = word.starts_with('-') && is_name(name);
        match (is_value && !word.starts_with("--"), names_secret, value) {
            (true, ..) => shown.push(HIDDEN.to_owned()),
            (false, true, Some(_)) => shown.push(format!("{name}={HIDDEN}")),
            (false, ..) if is_one(word) => shown.push(HIDDEN.to_owned()),
            (false, ..) => shown.push(word.clone()),
        }
        is_value = names_secret && value.is_none();
    }
    let has_any = shown != words;
    (shown, has_any)
}

/// A line of shell without secrets, and whether there were any. The rest of the line stays as it is.
pub(crate) fn without_in_line(line: &str) -> (String, bool) {
    let parts = parts_of(line);
    let plain: Vec<String> = parts.iter().map(|part| part.word.clone()).collect();
    let (safe, has_any) = without(&plain);
    let mut shown = String::new();
    for (part, safe) in parts.iter().zip(&safe) {
        shown.push_str(part.before);
        shown.push_str(&if *safe == part.word { part.text.to_owned() } else { quoted(safe) });
    }
    (shown, has_any)
}

/// A word in a line of shell.
struct Part<'l> {
    /// Blanks and operators.
    before: &'l str,
    /// The word as it stands there, and without its quotes.
    text: &'l str,
    word: String,
}

/// The words of a line of shell. Together, their texts and what is before each are the line.
fn parts_of(line: &str) -> Vec<Part<'_>> {
    let (mut parts, mut rest) = (Vec::new(), line);
    while !rest.is_empty() {
        let (before, after) = rest.split_at(rest.find(|c| !ends_word(c)).unwrap_or(rest.len()));
        let (word, length) = first_word(after);
        let (text, after) = after.split_at(length);
        parts.push(Part { before, text, word });
        rest = after;
    }
    parts
}

/// The first word of a line without its quotes, and its length with them.
fn first_word(line: &str) -> (String, usize) {
    let (mut word, mut quote, mut is_escaped) = (String::new(), None, false);
    for (at, character) in line.char_indices() {
        match character {
            _ if is_escaped => {
                word.push(character);
                is_escaped = false;
            }
            '\\' if quote != Some('\'') => is_escaped = true,
            _ if quote == Some(character) => quote = None,
            '\'' | '"' if quote.is_none() => quote = Some(character),
            _ if quote.is_none() && ends_word(character) => return (word, at),
            _ => word.push(character),
        }
    }
    (word, line.len())
}

fn ends_word(character: char) -> bool {
    character.is_whitespace() || ";|&()<>".contains(character)
}

/// Whether an option of this name takes a secret.
fn is_name(option: &str) -> bool {
    let lower = option.trim_start_matches('-').to_ascii_lowercase();
    let is_part = |part: &str| NAMES.contains(&part);
    NAMES.iter().any(|name| lower == *name || lower.ends_with(&format!("-{name}"))) || lower.split('-').any(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> String {
        without(&line.split(' ').map(str::to_owned).collect::<Vec<_>>()).0.join(" ")
    }

    #[test]
    fn values_of_secret_options_are_left_out() {
        assert_eq!(shown("t --remote-header x-key:1 {}"), format!("t --remote-header {HIDDEN} {{}}"));
        assert_eq!(shown("t --api-key=abc {}"), format!("t --api-key={HIDDEN} {{}}"));
        assert_eq!(shown("t https://me:pw@host/x"), format!("t {HIDDEN}"));
        assert_eq!(shown("curl -H Authorization:abc"), format!("curl -H {HIDDEN}"));
    }

    #[test]
    fn a_line_of_shell_keeps_everything_but_its_secrets() {
        let line = "run -x 'a  b' --token \"5eC'r3t\"  --out=\"$3\" 'https://me:pw@host/' | tail -n +2 \\\n  >x";
        let expected = format!("run -x 'a  b' --token '{HIDDEN}'  --out=\"$3\" '{HIDDEN}' | tail -n +2 \\\n  >x");
        assert_eq!(without_in_line(line), (expected, true));
        assert_eq!(without_in_line("a --token=x;b").0, format!("a '--token={HIDDEN}';b"));
        for line in ["", " ", "a \\", "it's 'not ended", "java -cp {classpath} {main} > {out} "] {
            assert_eq!(without_in_line(line), (line.to_owned(), false));
        }
    }

    #[test]
    fn other_words_stay() {
        for line in ["gcc -c {} --author x", "t --tokens 3", "t https://host/x@y", "grep -q header {}"] {
            assert_eq!(shown(line), line);
        }
    }
}
