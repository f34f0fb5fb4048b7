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

/// The words of a script that may name files: words of its commands, and texts that look like paths
/// or are a quoted text of their own. Comments, variables, escapes and messages name none.
pub(crate) fn named(text: &str, script: &Path) -> BTreeSet<String> {
    let is_shell = is_shell(text, script);
    text.lines().filter(|line| !is_comment(line)).flat_map(|line| words(line, is_shell)).collect()
}

fn is_shell(text: &str, script: &Path) -> bool {
    let extension = script.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let first = text.lines().next().filter(|line| line.starts_with("#!")).unwrap_or_default();
    match first.split(['/', ' ']).rfind(|word| !word.is_empty() && !word.starts_with('-')) {
        Some(interpreter) if interpreter != "#!" => interpreter.ends_with("sh"),
        _ => ["sh", "bash", "zsh", "mk"].contains(&extension),
    }
}

/// Whether a line is only a comment. `#include` in a text for another program is none.
fn is_comment(line: &str) -> bool {
    line.trim_start().strip_prefix('#').is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '#', '!']))
}

fn words(line: &str, is_shell: bool) -> Vec<String> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(start) = line[at..].find(is_of_path).map(|start| at + start) {
        let end = line[start..].find(|c| !is_of_path(c)).map_or(line.len(), |length| start + length);
        found.extend(name_in(&line[..start], &line[start..end], &line[end..], is_shell));
        at = end;
    }
    found
}

/// The name that a word may be, by what stands before and after it.
fn name_in(before: &str, word: &str, after: &str, is_shell: bool) -> Option<String> {
    let last = before.chars().next_back();
    // In `$here/lib/a.sh`, the first part is a variable, and so is `here` in `${here%/*}/lib/a.sh`.
    if last == Some('$') || before.ends_with("${") {
        let (variable, rest) = word.split_once('/')?;
        return variable.chars().all(|c| c.is_alphanumeric() || c == '_').then(|| rest.to_owned());
    }
    let is_escape = last == Some('\\');
    let is_assigned = is_shell && after.starts_with('=') && !word.contains('/');
    if is_escape || is_assigned || word.contains('%') {
        return None;
    }
    let looks_like_a_path = word.contains('/') || word.trim_matches('.').contains('.');
    let is_quoted = |quote: char| last == Some(quote) && after.starts_with(quote);
    let is_word = match is_shell {
        true => is_argument(before, after),
        false => is_quoted('"') || is_quoted('\''),
    };
    (looks_like_a_path || is_word).then(|| word.to_owned())
}

/// Whether a word without `/` is an argument of a command of the shell: no command itself, and no
/// part of a quoted text.
fn is_argument(before: &str, after: &str) -> bool {
    const BEFORE_COMMANDS: [&str; 10] = ["if", "then", "else", "elif", "do", "while", "until", "!", "exec", "{"];
    let begins = before.ends_with(|c: char| c.is_whitespace() || "'\"=<>}".contains(c));
    let ends = after.is_empty() || after.starts_with(|c: char| c.is_whitespace() || "'\";|&)<>`".contains(c));
    let quotes = |quote: char| before.matches(quote).count() % 2 == 1;
    // A quoted text with blanks is a message or a program of another language.
    let is_inside = (quotes('"') || quotes('\'')) && !before.ends_with(['"', '\'']);
    let is_beginning = (quotes('"') || quotes('\'')) && !after.starts_with(['"', '\'']);
    let command = before.trim_end_matches(['"', '\'']).trim_end();
    let is_command = command.is_empty()
        || command.ends_with([';', '|', '&', '(', '`'])
        || command.rsplit(char::is_whitespace).next().is_some_and(|word| BEFORE_COMMANDS.contains(&word));
    begins && ends && !is_inside && !is_beginning && !is_command
}

/// The files that a script may name in the directories that it knows.
pub(crate) fn relative_names(named: &BTreeSet<String>, text: &str, script: &Path) -> BTreeSet<String> {
    let modules = imports(text, script);
    let names = named.iter().map(|name| name.trim_start_matches('/').trim_start_matches("./").to_owned());
    names.chain(modules).filter(|name| !name.is_empty()).collect()
}

/// The files of modules that a script of another language than the shell's loads by their names.
fn imports(text: &str, script: &Path) -> BTreeSet<String> {
    const LOADS: [&str; 7] = ["import", "from", "require", "require_relative", "load", "dofile", "source"];
    let extension = script.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if !["py", "rb", "js", "lua", "tcl"].contains(&extension) {
        return BTreeSet::new();
    }
    let words = |line: &str| -> Vec<String> {
        let words = line.split(|c: char| !(c.is_alphanumeric() || "_-./".contains(c)));
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let lines = text.lines().filter(|line| !is_comment(line)).map(words);
    let loading = lines.filter(|words| words.iter().any(|word| LOADS.contains(&word.as_str())));
    let file = |word: String| match extension {
        "py" => format!("{}.py", word.trim_start_matches('.').replace('.', "/")),
        _ => format!("{}.{extension}", word.trim_start_matches("./")),
    };
    loading.flatten().map(file).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn named_in(text: &str, script: &str) -> Vec<String> {
        named(text, Path::new(script)).into_iter().collect()
    }

    #[test]
    fn words_of_commands_name_files() {
        let names = |line: &str| named_in(line, "check.sh");
        assert_eq!(
            names("cat words | grep -f other >output; . lib/a.sh"),
            ["-f", "lib/a.sh", "other", "output", "words"]
        );
        assert_eq!(names("\"$here/lib/b.sh\" \"${D}/c\" 'rules'"), ["/c", "lib/b.sh", "rules"]);
        assert_eq!(names("cat 'data.txt' --rules=rules"), ["data.txt", "rules"]);
        assert_eq!(names("if test; then n; fi | n && n"), Vec::<String>::new());
        assert_eq!(names("printf '%s\\n' \"found here\" # "), Vec::<String>::new());
        assert_eq!(names("output=$(n)\n# cat data.txt\necho $words ${words}"), Vec::<String>::new());
    }

    #[test]
    fn texts_of_other_languages_name_files() {
        let names = |line: &str| named_in(line, "check.py");
        assert_eq!(names("open('words').read(n, \"a b\\n\", data.txt)"), ["data.txt", "words"]);
        let modules = imports("import a, b.c\nfrom .near import x\nimporting = d\n", Path::new("check.py"));
        assert!(["a.py", "b/c.py", "near.py"].iter().all(|name| modules.contains(*name)), "{modules:?}");
        assert!(!modules.contains("d.py"), "{modules:?}");
    }
}
