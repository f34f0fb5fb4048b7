//! Regular expressions of Rust in the syntax of Perl, as far as that can express them.

use std::iter::Peekable;
use std::str::Chars;

/// Translates an expression; `None` if Perl would read it differently.
pub(crate) fn translated(regex: &str) -> Option<String> {
    let mut pattern = String::new();
    let mut rest = regex.chars().peekable();
    let mut repeats = false;
    while let Some(character) = rest.next() {
        let repeated = std::mem::replace(&mut repeats, matches!(character, '*' | '+' | '?' | '}'));
        match character {
            '\\' => pattern.push_str(&escape(&mut rest)?),
            '[' => set(&mut rest, &mut pattern)?,
            '(' if rest.peek() == Some(&'?') => flags(&mut rest, &mut pattern)?,
            // Perl's possessive repetitions never give back what they took.
            '*' | '+' if repeated => return None,
            _ => pattern.push(character),
        }
    }
    Some(pattern)
}

/// An escape, with its backslash.
fn escape(rest: &mut Peekable<Chars<'_>>) -> Option<String> {
    Some(match (rest.next()?, rest.peek()) {
        ('<', _) => r"\b(?=\w)".into(),
        ('>', _) => r"\b(?<=\w)".into(),
        ('v', _) => r"\x0b".into(),
        ('b' | 'B', Some('{')) | ('u' | 'U', _) => return None,
        (character, _) => format!("\\{character}"),
    })
}

/// The beginning of a group that has a name or flags.
fn flags(rest: &mut Peekable<Chars<'_>>, pattern: &mut String) -> Option<()> {
    pattern.push('(');
    while let Some(&character) = rest.peek() {
        match character {
            ':' | ')' | '<' => return Some(()),
            'i' | 'm' | 's' | 'x' | 'P' | '-' | '?' => pattern.push(character),
            _ => return None,
        }
        rest.next();
    }
    None
}

/// A set of characters, after its opening bracket. Rust nests, intersects and subtracts sets.
fn set(rest: &mut Peekable<Chars<'_>>, pattern: &mut String) -> Option<()> {
    pattern.push('[');
    pattern.extend(rest.next_if_eq(&'^'));
    pattern.extend(rest.next_if_eq(&']'));
    loop {
        match (rest.next()?, rest.peek()) {
            (']', _) => break,
            ('[', Some(':')) => {
                let name: String = rest.by_ref().take_while(|&c| c != ']').collect();
                pattern.push_str(&format!("[{name}]"));
            }
            ('[', _) | ('&', Some('&')) | ('-', Some('-')) | ('~', Some('~')) => return None,
            ('\\', Some('u' | 'U')) => return None,
            ('\\', Some('v')) => {
                rest.next();
                pattern.push_str(r"\x0b");
            }
            ('\\', _) => pattern.extend(['\\', rest.next()?]),
            (character, _) => pattern.push(character),
        }
    }
    pattern.push(']');
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_perl_would_read_differently_is_not_translated() {
        for regex in ["[a&&b]", "[a--b]", "[a~~b]", "[a[b]]", r"\b{start}x", r"\u{41}", "(?U)a*", "(?-u)a", "a*+", "[a"]
        {
            assert_eq!(translated(regex), None, "{regex}");
        }
        for regex in [r"\bx\s", "[^a]", "[]a-]", "(?P<n>x)", "(?i:x)", "(?x) a", r"[\w-]", "[[:alpha:]]", r"\x{41}"] {
            assert_eq!(translated(regex).as_deref(), Some(regex));
        }
        assert_eq!(translated(r"\<a\>").as_deref(), Some(r"\b(?=\w)a\b(?<=\w)"));
    }
}
