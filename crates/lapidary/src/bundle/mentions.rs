//! The paths that scripts and arguments mention.

use super::included;
use super::shell::{Part, is_comment, parts};
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
    if is_shell(text, script) {
        return named_in_shell(text);
    }
    let is_quoted = |before: &str, after: &str| {
        ['"', '\''].iter().any(|quote| before.ends_with(*quote) && after.starts_with(*quote))
    };
    let text = without_comments(text, script);
    let words = |line: &str| -> Vec<String> {
        let named = |(start, end): (usize, usize)| {
            let (before, word, after) = (&line[..start], &line[start..end], &line[end..]);
            name_in(before, word, is_quoted(before, after))
        };
        words(line).filter_map(named).collect()
    };
    text.lines().flat_map(words).collect()
}

fn named_in_shell(text: &str) -> BTreeSet<String> {
    let parts = parts(text);
    let named = |(start, end): (usize, usize)| {
        let (before, word, after) = (&text[line_start(text, start)..start], &text[start..end], &text[end..]);
        let is_quoted = |quote: char| before.ends_with(quote) && after.starts_with(quote);
        let is_quoted = is_quoted('"') || is_quoted('\'');
        let is_in_command =
            |at: Option<usize>| at.and_then(|at| parts.get(at)).is_none_or(|part| *part == Part::Command);
        let is_word = match parts[start] {
            Part::Comment => return None,
            Part::Command => is_argument(before, after) && !is_glued(before, after),
            // A quoted text with blanks is a message or a program of another language.
            Part::Quoted if is_in_command(start.checked_sub(1)) && is_in_command(Some(end)) => {
                is_quoted && is_argument(before, after)
            }
            Part::Quoted | Part::Here => is_quoted,
        };
        let is_assigned = after.starts_with('=') && !word.contains('/');
        name_in(before, word, is_word).filter(|_| !is_assigned)
    };
    words(text).filter_map(named).collect()
}

/// Whether a script names the directory that it is in, as in `$(dirname "$0")`.
pub(crate) fn names_own_directory(text: &str, script: &Path) -> bool {
    let is_of_script = |after: &str| {
        let line = after.lines().next().unwrap_or_default();
        let Some(at) = ["$0", "${0}"].iter().filter_map(|name| line.find(name)).min() else { return false };
        let mut between = line[..at].split(|c: char| c.is_whitespace() || "\"'$()`".contains(c));
        between.all(|word| ["", "--", "-f", "-e", "readlink", "realpath"].contains(&word))
    };
    let text = without_comments(text, script);
    let mut calls = text.match_indices("dirname").map(|(at, name)| &text[at + name.len()..]);
    text.contains("${0%") || text.contains("\"$0\"/") || calls.any(is_of_script)
}

/// The text of a script without its comments.
pub(crate) fn without_comments(text: &str, script: &Path) -> String {
    if is_shell(text, script) {
        let bytes = text.bytes().zip(parts(text)).filter(|(_, part)| *part != Part::Comment).map(|(byte, _)| byte);
        return String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned();
    }
    let mark = match script.extension().and_then(|extension| extension.to_str()) {
        Some("js") => "//",
        Some("lua") => "--",
        _ => "#",
    };
    let lines = text.lines().filter(|line| !is_comment(line));
    lines.map(|line| &line[..comment_in(line, mark)]).collect::<Vec<_>>().join("\n")
}

/// The place where a comment begins behind a statement, or else the end of the line.
fn comment_in(line: &str, mark: &str) -> usize {
    let (mut quote, mut previous) = (None, ' ');
    for (at, character) in line.char_indices() {
        match quote {
            None if previous.is_whitespace() && line[at..].starts_with(mark) => return at,
            None if "\"'".contains(character) && previous != '\\' => quote = Some(character),
            Some(open) if open == character && previous != '\\' => quote = None,
            _ => {}
        }
        previous = character;
    }
    line.len()
}

fn is_shell(text: &str, script: &Path) -> bool {
    let extension = script.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let first = text.lines().next().filter(|line| line.starts_with("#!")).unwrap_or_default();
    match first.split(['/', ' ']).rfind(|word| !word.is_empty() && !word.starts_with('-')) {
        Some(interpreter) if interpreter != "#!" => interpreter.ends_with("sh"),
        _ => ["sh", "bash", "zsh", "mk"].contains(&extension),
    }
}

/// The beginning of the line of a place; a line after a backslash belongs to the one before.
fn line_start(text: &str, at: usize) -> usize {
    let mut ends = text[..at].match_indices('\n').map(|(end, _)| end).rev();
    ends.find(|end| !text[..*end].ends_with('\\')).map_or(0, |end| end + 1)
}

/// The places of words that may be paths.
fn words(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_of_path)?;
        at = start + text[start..].find(|c| !is_of_path(c)).unwrap_or(text.len() - start);
        Some((start, at))
    })
}

/// The name that a word may be, by what stands before it. A word that is an argument or a text of
/// its own need not look like a path.
fn name_in(before: &str, word: &str, is_word: bool) -> Option<String> {
    let last = before.chars().next_back();
    // In `$here/lib/a.sh`, the first part is a variable, and so is `here` in `${here%/*}/lib/a.sh`.
    if last == Some('$') || before.ends_with("${") {
        let (variable, rest) = word.split_once('/')?;
        return variable.chars().all(|c| c.is_alphanumeric() || c == '_').then(|| rest.to_owned());
    }
    let is_unusual = last == Some('\\') || word.contains('%');
    let looks_like_a_path = word.contains('/') || word.trim_matches('.').contains('.');
    (!is_unusual && (looks_like_a_path || is_word)).then(|| word.to_owned())
}

/// Whether a word without `/` is an argument of a command of the shell, and no command itself.
fn is_argument(before: &str, after: &str) -> bool {
    const BEFORE_COMMANDS: [&str; 10] = ["if", "then", "else", "elif", "do", "while", "until", "!", "exec", "{"];
    let begins = before.ends_with(|c: char| c.is_whitespace() || "'\"=<>}".contains(c));
    let ends = after.is_empty() || after.starts_with(|c: char| c.is_whitespace() || "'\";|&)<>`".contains(c));
    let command = before.trim_end_matches(['"', '\'']).trim_end();
    let is_command = command.is_empty()
        || command.ends_with([';', '|', '&', '(', '`'])
        || command.rsplit(char::is_whitespace).next().is_some_and(|word| BEFORE_COMMANDS.contains(&word));
    begins && ends && !is_command
}

/// Whether a word without quotes is a part of a longer one with quotes. In `"$here/"words`, it is a
/// name of its own.
fn is_glued(before: &str, after: &str) -> bool {
    let quotes = ['"', '\''];
    let is_in_directory = before.trim_end_matches(quotes).ends_with('/');
    after.starts_with(quotes) || before.ends_with(quotes) && !is_in_directory
}

/// The files that a script may name in the directories that it knows.
pub(crate) fn relative_names(named: &BTreeSet<String>, text: &str, script: &Path) -> BTreeSet<String> {
    let modules = modules(text, script);
    let names = named.iter().map(|name| name.trim_start_matches('/').trim_start_matches("./").to_owned());
    names.chain(modules).filter(|name| !name.is_empty()).collect()
}

/// The files of modules that a script of another language than the shell's loads by their names.
fn modules(text: &str, script: &Path) -> BTreeSet<String> {
    const LOADS: [&str; 5] = ["require", "require_relative", "load", "dofile", "source"];
    let extension = script.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let is_python =
        extension == "py" || text.lines().next().is_some_and(|line| line.starts_with("#!") && line.contains("python"));
    if is_python {
        return included::imports(text).iter().map(|path| path.to_string_lossy().into_owned()).collect();
    }
    if !["rb", "js", "lua", "tcl"].contains(&extension) {
        return BTreeSet::new();
    }
    let words = |line: &str| -> Vec<String> {
        let words = line.split(|c: char| !(c.is_alphanumeric() || "_-./".contains(c)));
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let text = without_comments(text, script);
    let is_import = |word: &String| extension == "js" && ["import", "from"].contains(&word.as_str());
    let loads = |word: &String| LOADS.contains(&word.as_str()) || is_import(word);
    let loading = text.lines().map(words).filter(|words| words.iter().any(loads));
    loading.flatten().map(|word| format!("{}.{extension}", word.trim_start_matches("./"))).collect()
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
        assert_eq!(names("cat \"$here/\"words \"$here\"other"), ["", "words"]);
        assert_eq!(names("if test; then n; fi | n && n"), Vec::<String>::new());
        assert_eq!(names("printf '%s\\n' \"found here\" # "), Vec::<String>::new());
        assert_eq!(names("output=$(n)\n# cat data.txt\necho $words ${words}"), Vec::<String>::new());
    }

    #[test]
    fn texts_of_other_languages_name_files() {
        let names = |line: &str| named_in(line, "check.py");
        assert_eq!(names("open('words').read(n, \"a b\\n\", data.txt)"), ["data.txt", "words"]);
        let modules = modules("import a, b.c\nfrom .near import x\nimporting = d\n", Path::new("check.py"));
        assert!(["a.py", "b/c.py", "near.py"].iter().all(|name| modules.contains(*name)), "{modules:?}");
        assert!(!modules.contains("d.py"), "{modules:?}");
    }

    fn names_of(text: &str) -> Vec<String> {
        named_in(text, "check.sh")
    }

    #[test]
    fn comments_behind_commands_name_nothing() {
        assert_eq!(names_of("grep x \"$1\"  # see notes.txt\ncat words"), ["words", "x"]);
        assert_eq!(names_of("echo '# a' rules; (cat x#y.txt $#) #z.txt"), ["rules", "y.txt"]);
        assert_eq!(named_in("x = open('words')  # see notes.txt\n", "check.py"), ["words"]);
        assert_eq!(named_in("x(\"words\"); // see notes.txt\n", "check.js"), ["words"]);
    }

    #[test]
    fn messages_and_programs_of_several_lines_name_nothing_but_paths() {
        let text = "echo \"first\nsee notes for it\"\nawk '\n# of data.txt\n/a/ { print words }\n' rules";
        assert_eq!(names_of(text), ["/a/", "rules"]);
        assert_eq!(
            names_of("sh -c '\ncat lib/x.sh other\n'; cat \"$(sed 's/\"/x/' words)\" data"),
            ["-c", "/x/", "data", "lib/x.sh", "s/", "words"]
        );
        assert_eq!(
            names_of("cat <<END >made\nit isn't in notes\n. lib/a.sh\nEND\ncat 'words'"),
            ["lib/a.sh", "made", "words"]
        );
        assert_eq!(names_of("gcc -c \\\n  rules"), ["-c", "rules"]);
    }

    #[test]
    fn a_quote_that_is_never_closed_hides_no_later_line() {
        assert_eq!(named_in("text = don't\nall:\n\tcat words\n", "rules.mk"), ["words"]);
    }

    #[test]
    fn scripts_name_their_own_directory() {
        let names = |text| names_own_directory(text, Path::new("check.sh"));
        for text in [
            "cd \"$(dirname \"$0\")\"",
            "D=`dirname -- $0`",
            "D=$(dirname \"$(readlink -f \"$0\")\")",
            "gcc -I${0%/*}",
            "\"$0\"/../x",
        ] {
            assert!(names(text), "{text}");
        }
        for text in ["awk '{ print $0 }'", "echo \"usage: $0 FILE\"", "# dirname \"$0\"", "dirname \"$1\" $0", "ps $0"]
        {
            assert!(!names(text), "{text}");
        }
    }
}
