//! The paths that scripts and arguments mention.

use std::collections::BTreeSet;
use std::path::Path;

/// The text of a script. Other files are not searched for names.
pub(crate) fn script_text<'c>(content: &'c [u8], path: &Path) -> Option<&'c str> {
    const LONGEST: usize = 1 << 20;
    const EXTENSIONS: [&str; 11] = ["sh", "bash", "py", "pl", "rb", "js", "mk", "zsh", "awk", "lua", "tcl"];
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let is_script = content.starts_with(b"#!") || EXTENSIONS.contains(&extension);
    let text = std::str::from_utf8(content).ok().filter(|_| is_script && content.len() <= LONGEST)?;
    (!text.contains('\0')).then_some(text)
}

pub(crate) fn is_of_path(character: char) -> bool {
    character.is_alphanumeric() || "_-./+@%".contains(character)
}

/// The words of a text that could be paths.
pub(crate) fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_of_path(c)).filter(|token| !token.is_empty())
}

/// The words of a script that may name files in the directories that it knows.
pub(crate) fn relative_names(tokens: &BTreeSet<&str>, script: &Path) -> BTreeSet<String> {
    let extension = script.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    // In `$here/lib/a.sh`, the first part is a variable.
    let behind_variable = |token: &str| token.split_once('/').map_or("", |(_, rest)| rest).to_owned();
    let names =
        tokens.iter().flat_map(|token| [(*token).to_owned(), behind_variable(token), format!("{token}.{extension}")]);
    let plain = names.map(|name| name.trim_start_matches('/').trim_start_matches("./").to_owned());
    plain.filter(|name| !name.is_empty()).collect()
}

/// The first absolute path in a text that is there: the text before it, the path, and the text
/// after it.
pub(crate) fn first_path(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(at) = text[from..].find('/').map(|at| at + from) {
        let end = text[at..].find(|c| !is_of_path(c)).map_or(text.len(), |length| at + length);
        let before = text[..at].chars().next_back();
        // After `-I` a path may begin; in the middle of a relative one it does not.
        let is_flag = text[..at]
            .rsplit(|c: char| !is_of_path(c))
            .next()
            .is_some_and(|word| word.starts_with('-') && word.len() == 2);
        let begins = before.is_none_or(|c| !is_of_path(c) && c != '}' && c != '$') || is_flag;
        let path = &text[at..end];
        if begins && path.len() > 1 && Path::new(path).exists() {
            return Some((&text[..at], path, &text[end..]));
        }
        from = end.max(at + 1);
    }
    None
}
