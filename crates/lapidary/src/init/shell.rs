//! Shell texts: quoting for scripts, and reading the simple ones that users write.

/// Quotes a text so that a shell reads it literally, always with quotes.
pub fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The words of a text that needs no shell: no variables, pipes, redirections or patterns. `None` if
/// it needs one.
pub fn plain_words(text: &str) -> Option<Vec<String>> {
    let commands = commands(text)?;
    match commands.as_slice() {
        [only] if !only.is_cut => Some(only.words.clone()),
        _ => None,
    }
}

/// A simple command inside a shell text.
#[derive(Debug, PartialEq, Eq)]
pub struct Simple {
    /// The words of the command, without redirections.
    pub words: Vec<String>,
    /// Whether a shell does more with it than to start it.
    pub is_cut: bool,
}

/// The simple commands of a shell text, in order. `None` if quotes do not end.
pub fn commands(text: &str) -> Option<Vec<Simple>> {
    let mut reader = Reader { rest: text.chars().collect(), at: 0 };
    let mut found = Vec::new();
    let mut current = Simple { words: Vec::new(), is_cut: false };
    while let Some(token) = reader.token()? {
        match token {
            Token::Word { text, is_plain } => {
                current.is_cut |= !is_plain;
                current.words.push(text);
            }
            Token::Redirection => {
                current.is_cut = true;
                reader.token()?;
            }
            Token::End => {
                current.is_cut = true;
                found.push(std::mem::replace(&mut current, Simple { words: Vec::new(), is_cut: true }));
            }
        }
    }
    found.push(current);
    found.retain(|command| !command.words.is_empty());
    Some(found)
}

enum Token {
    Word { text: String, is_plain: bool },
    Redirection,
    End,
}

struct Reader {
    rest: Vec<char>,
    at: usize,
}

impl Reader {
    fn next(&mut self) -> Option<char> {
        let found = self.rest.get(self.at).copied();
        self.at += usize::from(found.is_some());
        found
    }

    /// The next token; `None` inside if there is none, `None` outside if a quote does not end.
    fn token(&mut self) -> Option<Option<Token>> {
        while self.rest.get(self.at).is_some_and(|c| matches!(c, ' ' | '\t')) {
            self.at += 1;
        }
        let Some(&first) = self.rest.get(self.at) else { return Some(None) };
        match first {
            '\n' | ';' | '&' | '|' | '(' | ')' => {
                self.at += 1;
                Some(Some(Token::End))
            }
            '<' | '>' => {
                while self.rest.get(self.at).is_some_and(|c| matches!(c, '<' | '>' | '&')) {
                    self.at += 1;
                }
                Some(Some(Token::Redirection))
            }
            _ => self.word().map(Some),
        }
    }

    fn word(&mut self) -> Option<Token> {
        let (mut text, mut is_plain) = (String::new(), true);
        while let Some(&next) = self.rest.get(self.at) {
            match next {
                ' ' | '\t' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>' => break,
                '\'' | '"' => {
                    self.at += 1;
                    is_plain &= self.quoted(next, &mut text)?;
                    continue;
                }
                '\\' => {
                    self.at += 1;
                    text.push(self.next()?);
                    continue;
                }
                '$' | '`' | '*' | '?' | '[' | '~' | '#' | '{' => is_plain = false,
                _ => {}
            }
            self.at += 1;
            text.push(next);
        }
        // A number before a redirection belongs to it.
        let is_descriptor =
            text.chars().all(|c| c.is_ascii_digit()) && matches!(self.rest.get(self.at), Some('<' | '>'));
        if is_descriptor {
            self.token()?;
            return Some(Token::Redirection);
        }
        Some(Token::Word { text, is_plain })
    }

    /// Reads to the end of the quotes. Returns whether the text means itself.
    fn quoted(&mut self, quote: char, text: &mut String) -> Option<bool> {
        let mut is_plain = true;
        loop {
            match self.next()? {
                end if end == quote => return Some(is_plain),
                '\\' if quote == '"' => match self.next()? {
                    escaped @ ('"' | '\\' | '$' | '`') => text.push(escaped),
                    other => text.extend(['\\', other]),
                },
                meant => {
                    is_plain &= quote == '\'' || !matches!(meant, '$' | '`');
                    text.push(meant);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Vec<String>> {
        commands(text).unwrap().into_iter().map(|command| command.words).collect()
    }

    #[test]
    fn plain_commands_are_read_and_others_are_left_to_a_shell() {
        let read = |text| plain_words(text).map(|words| words.join("|"));
        assert_eq!(read("gcc -O2 'my bug.c' \"it's\" a\\ b").as_deref(), Some("gcc|-O2|my bug.c|it's|a b"));
        for shell in ["a | b", "a > b", "a && b", "echo $HOME", "ls *.c", "a \"$b\"", "a 'b"] {
            assert_eq!(plain_words(shell), None, "{shell}");
        }
    }

    #[test]
    fn simple_commands_are_found_between_operators() {
        assert_eq!(
            words("gcc -O2 x.c -o x 2>/dev/null && ./x >out; (cat <in)").concat().join(" "),
            "gcc -O2 x.c -o x ./x cat"
        );
        assert_eq!(words("a 2>&1 b"), [["a", "b"]]);
    }
}
