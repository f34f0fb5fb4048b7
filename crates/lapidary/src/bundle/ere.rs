//! Regular expressions of Rust in the syntax of `grep -E`, as far as that can express them.

/// The expression for `grep`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ere {
    pub pattern: String,
    /// Whether upper and lower case are the same.
    pub folds_case: bool,
}

/// Translates an expression; `None` if `grep -E` cannot express it. `grep` matches lines one by one,
/// so it cannot express what may match a line end. Only whether there is a match counts.
pub(crate) fn translated(regex: &str) -> Option<Ere> {
    let (regex, folds_case) = regex.strip_prefix("(?i)").map_or((regex, false), |rest| (rest, true));
    let mut pattern = String::new();
    let mut rest = regex.chars().peekable();
    let mut repeats = false;
    while let Some(character) = rest.next() {
        let repeated = std::mem::replace(&mut repeats, matches!(character, '*' | '+' | '?' | '}'));
        match character {
            '\\' => pattern.push_str(&escape(rest.next()?)?),
            '[' => bracket(&mut rest, &mut pattern)?,
            '(' if rest.peek() == Some(&'?') => {
                rest.next();
                // Only groups without a name or flags.
                (rest.next()? == ':').then(|| pattern.push('('))?;
            }
            // A lazy repetition matches where the greedy one does.
            '?' if repeated => {}
            '*' | '+' if repeated => return None,
            '{' if !rest.peek().is_some_and(char::is_ascii_digit) => return None,
            '\n' | '\r' | '\0' => return None,
            _ if !character.is_ascii() => return None,
            _ => pattern.push(character),
        }
    }
    Some(Ere { pattern, folds_case })
}

/// The escape after a backslash outside of brackets.
fn escape(character: char) -> Option<String> {
    Some(match character {
        'd' => "[0-9]".into(),
        'w' => "[[:alnum:]_]".into(),
        'S' => "[^[:space:]]".into(),
        // The beginning and the end of a word, in both.
        '<' | '>' => format!("\\{character}"),
        '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | '{' | '}' | '|' | '^' | '$' => format!("\\{character}"),
        ']' | '-' | '/' | '#' | '&' | '~' | '\'' | '"' | '`' | ':' | ',' | '=' | '%' | '@' | '!' | ' ' => {
            character.to_string()
        }
        _ => return None,
    })
}

/// A set of characters, after its opening bracket.
fn bracket(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, pattern: &mut String) -> Option<()> {
    let (mut members, mut closing, mut dash) = (String::new(), "", "");
    if rest.peek() == Some(&'^') {
        return None;
    }
    let mut is_first = true;
    loop {
        let character = rest.next()?;
        match character {
            ']' if !is_first => break,
            ']' => closing = "]",
            '[' if rest.peek() == Some(&':') => {
                let name: String = rest.by_ref().take_while(|&c| c != ']').collect();
                members.push_str(&format!("[{name}]"));
            }
            // Rust nests and intersects sets.
            '[' | '&' | '~' => return None,
            '\\' => match rest.next()? {
                'd' => members.push_str("0-9"),
                'w' => members.push_str("[:alnum:]_"),
                ']' => closing = "]",
                '-' => dash = "-",
                't' => members.push('\t'),
                c if c.is_ascii_punctuation() => members.push(c),
                _ => return None,
            },
            '-' if is_first || rest.peek() == Some(&']') => dash = "-",
            c if c.is_ascii() && !c.is_control() => members.push(c),
            _ => return None,
        }
        is_first = false;
    }
    // In POSIX, `]` comes first, `-` comes last, and `^` not first.
    if closing.is_empty() && members.starts_with('^') {
        let rest = members.split_off(1);
        members = if rest.is_empty() && dash.is_empty() { return escaped_caret(pattern) } else { rest + "^" };
    }
    pattern.push_str(&format!("[{closing}{members}{dash}]"));
    Some(())
}

fn escaped_caret(pattern: &mut String) -> Option<()> {
    pattern.push_str("\\^");
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::process::{Command, Stdio};

    /// Whether grep finds the expression in a text.
    fn greps(ere: &Ere, text: &str) -> bool {
        let mut command = Command::new("grep");
        command.args(["-q", "-E"]).args(ere.folds_case.then_some("-i")).args(["-e", &ere.pattern]).env("LC_ALL", "C");
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let status = child.wait().unwrap();
        assert_ne!(status.code(), Some(2), "{ere:?}");
        status.success()
    }

    #[test]
    fn grep_finds_what_rust_finds() {
        let regexes = [
            "a.*?b",
            "^err",
            "x$",
            r"\d+ of \d+",
            r"\w \w",
            "(?i)ERROR",
            "(?:ab|cd)+",
            r"[\]x-]",
            "a{2}",
            r"\.",
            r"[\d.]+z",
            "it's",
            r#"say "\$x""#,
            "[]a]",
            "[a-]",
            r"[\^]",
            "",
            r"\[",
            "[[:upper:]]",
            r"[\w-]+=",
            r"\<err",
            r"rr\>",
        ];
        let texts = [
            "a\n",
            "aab\n",
            "an error\n",
            "err x\n",
            "Error\n",
            "3 of 14\n",
            "cdab\n",
            "aa\n",
            "]\n",
            "-\n",
            "1.2z\n",
            "it's $x\n",
            "say \"$x\"\n",
            "a b\n",
            "^\n",
            "[\n",
            "x-y=\n",
            "UPPER\n",
            "\n",
            "line\nerr\n",
            ".\n",
            "terror\n",
            "<err\n",
            "err>\n",
        ];
        for regex in regexes {
            let ere = translated(regex).unwrap_or_else(|| panic!("{regex} is not translated"));
            let real = regex::RegexBuilder::new(regex).multi_line(true).build().unwrap();
            for text in texts {
                assert_eq!(greps(&ere, text), real.is_match(text), "/{regex}/ as {ere:?} on {text:?}");
            }
        }
    }

    #[test]
    fn what_grep_cannot_express_is_left_to_others() {
        for regex in
            [r"\bx", r"a\s", "[^a]", r"\W", "(?s)a.b", r"a\nb", "(?P<n>x)", r"\p{L}", "[a&&b]", "ä", r"\x41", "(?x) a"]
        {
            assert_eq!(translated(regex), None, "{regex}");
        }
    }
}
