//! Recognises words that must not leave the machine: the values of options such as `--header` or
//! `--token`, and addresses with a password in them.

/// What takes the place of a secret.
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
    fn other_words_stay() {
        for line in ["gcc -c {} --author x", "t --tokens 3", "t https://host/x@y", "grep -q header {}"] {
            assert_eq!(shown(line), line);
        }
    }
}
