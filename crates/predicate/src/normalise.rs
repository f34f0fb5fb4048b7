//! Normalising outputs for comparison: details that vary between runs are replaced or dropped.

use regex::bytes::{NoExpand, Regex, Replacer};
use std::path::Path;
use std::str::FromStr;
use std::sync::LazyLock;
use thiserror::Error;

/// A list of rules, written like `paths,lines,s/id=\w+/id=ID/`.
///
/// The order in which rules apply is fixed: dropping lines comes first, then replacements in the
/// given order, then spaces, and sorting last, so that `sort` sees the text that is compared.
#[derive(Clone, Debug, Default)]
pub struct Normaliser {
    rules: Vec<Rule>,
    /// The list as written by the user.
    text: String,
}

#[derive(Clone, Debug)]
enum Rule {
    Warnings,
    Paths,
    Lines,
    Addresses,
    Numbers,
    Substitute(Regex, Vec<u8>),
    Space,
    Sort,
}

/// The reason for normalisation rules that cannot be parsed.
#[derive(Debug, Error)]
pub enum NormaliseError {
    #[error("`{0}` is not a normalisation rule. Known are {KNOWN}")]
    Unknown(String),
    #[error("`{0}` is not finished: a substitution is written s/REGEX/REPLACEMENT/")]
    Unfinished(String),
    #[error("`{0}`: {1}")]
    Regex(String, regex::Error),
}

const KNOWN: &str = "paths, lines, addresses, numbers, sort, warnings, space and s/REGEX/REPLACEMENT/";

impl Normaliser {
    /// Applies the rules. The directories in which the test ran differ between runs and are always
    /// replaced.
    pub fn apply(&self, text: &[u8], job_directories: &[&Path]) -> Vec<u8> {
        let mut text = text.to_vec();
        for directory in job_directories {
            text = replace_literal(&text, directory.as_os_str().as_encoded_bytes(), b"<job>");
        }
        self.rules.iter().fold(text, |text, rule| rule.apply(&text))
    }
}

impl Normaliser {
    /// A program in Perl that applies the rules to its standard input. Its arguments are the
    /// directories that are always replaced.
    pub fn as_perl(&self) -> String {
        let mut text = String::from(
            "local $/;\nmy $text = <STDIN> // q();\nbinmode STDOUT;\nfor my $directory (@ARGV) { $text =~ s/\\Q$directory\\E/<job>/g; }\n",
        );
        self.rules.iter().for_each(|rule| text.push_str(&rule.as_perl()));
        text + "print $text;\n"
    }
}

impl std::fmt::Display for Normaliser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Normaliser {
    type Err = NormaliseError;

    fn from_str(text: &str) -> Result<Self, NormaliseError> {
        let mut rules = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let (rule, after) = parse_rule(rest)?;
            rules.push(rule);
            rest = after.trim_start();
        }
        rules.sort_by_key(Rule::phase);
        Ok(Normaliser { rules, text: text.trim().to_owned() })
    }
}

impl Rule {
    fn phase(&self) -> u8 {
        match self {
            Rule::Warnings => 0,
            Rule::Paths | Rule::Lines | Rule::Addresses | Rule::Numbers | Rule::Substitute(..) => 1,
            Rule::Space => 2,
            Rule::Sort => 3,
        }
    }

    fn apply(&self, text: &[u8]) -> Vec<u8> {
        match self {
            Rule::Warnings => keep_lines(text, |line| !WARNING.is_match(line)),
            Rule::Paths => replace(&PATH, text, &b"${before}<path>"[..]),
            Rule::Lines => {
                let text = replace(&PLACE, text, &b"${file}:<line>"[..]);
                let text = replace(&PLACE_IN_PARENTHESES, &text, &b"${file}(<line>)"[..]);
                let text = replace(&MARGIN, &text, NoExpand(b"<line> |"));
                replace(&LINE_IN_WORDS, &text, &b"${word} <line>"[..])
            }
            Rule::Addresses => replace(&ADDRESS, text, NoExpand(b"<address>")),
            Rule::Numbers => replace(&NUMBER, text, NoExpand(b"<number>")),
            Rule::Substitute(regex, replacement) => replace(regex, text, &replacement[..]),
            Rule::Space => collapse_space(text),
            Rule::Sort => sort_lines(text),
        }
    }
}

impl Rule {
    fn as_perl(&self) -> String {
        let known = |regex: &Regex, with: &str| substitution(regex.as_str(), with.as_bytes());
        match self {
            Rule::Warnings => {
                format!("{{ my $p = {}; $text = join '', grep {{ !/$p/ }} split /(?<=\\n)/, $text; }}\n", perl(WARNING.as_str()))
            }
            Rule::Paths => known(&PATH, "${before}<path>"),
            Rule::Lines => [
                known(&PLACE, "${file}:<line>"),
                known(&PLACE_IN_PARENTHESES, "${file}(<line>)"),
                known(&MARGIN, "<line> |"),
                known(&LINE_IN_WORDS, "${word} <line>"),
            ]
            .concat(),
            Rule::Addresses => known(&ADDRESS, "<address>"),
            Rule::Numbers => known(&NUMBER, "<number>"),
            Rule::Substitute(regex, replacement) => substitution(regex.as_str(), replacement),
            Rule::Space => "$text = join '', map { \"$_\\n\" } grep { length } map { join ' ', split ' ', $_ } split /\\n/, $text;\n".into(),
            Rule::Sort => "$text =~ s/\\n\\z//; $text = join \"\\n\", sort split /\\n/, $text, -1;\n".into(),
        }
    }
}

/// A substitution in Perl, with a replacement in the syntax of the regex crate.
fn substitution(pattern: &str, replacement: &[u8]) -> String {
    let replacement = String::from_utf8_lossy(replacement);
    let (mut parts, mut rest) = (Vec::new(), &*replacement);
    while let Some(at) = rest.find('$') {
        parts.push(perl(&rest[..at]));
        rest = &rest[at + 1..];
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (name, after) = match rest.strip_prefix('{').and_then(|inside| inside.split_once('}')) {
            Some(named) => named,
            None => rest.split_at(rest.find(|c| !is_of_name(c)).unwrap_or(rest.len())),
        };
        match name.parse::<u32>() {
            _ if rest.starts_with('$') => {
                parts.push(perl("$"));
                rest = &rest[1..];
                continue;
            }
            _ if name.is_empty() => parts.push(perl("$")),
            Ok(0) => parts.push("$&".into()),
            Ok(number) => parts.push(format!("(${number} // '')")),
            Err(_) => parts.push(format!("($+{{{name}}} // '')")),
        }
        rest = after;
    }
    parts.push(perl(rest));
    format!("{{ my $p = {}; $text =~ s{{$p}}{{{}}}gme; }}\n", perl(pattern), parts.join(" . "))
}

/// A text in single quotes of Perl. Braces would end the substitution around it.
fn perl(text: &str) -> String {
    let plain = text.replace('\\', "\\\\").replace('\'', "\\'");
    format!("'{}'", plain.replace('{', "'.chr(123).'").replace('}', "'.chr(125).'"))
}

static WARNING: LazyLock<Regex> = LazyLock::new(|| known(r"(?i)\bwarning\b[^:\n]{0,40}:"));
static PATH: LazyLock<Regex> = LazyLock::new(|| known(r"(?P<before>^|[^\w./<>])(?:<job>)?(?:/[\w.+@~%-]+)+/?|<job>"));
static PLACE: LazyLock<Regex> = LazyLock::new(|| known(r"(?P<file>[\w+-]+\.\w+|<path>|<job>):\d+(?::\d+)?\b"));
static PLACE_IN_PARENTHESES: LazyLock<Regex> =
    LazyLock::new(|| known(r"(?P<file>[\w+-]+\.\w+|<path>)\(\d+(?:,\s*\d+)?\)"));
static LINE_IN_WORDS: LazyLock<Regex> =
    LazyLock::new(|| known(r"(?i)\b(?P<word>lines?|columns?|col)[ \t]*[:#]?[ \t]*\d+\b"));
/// The margin that gcc, clang and rustc print before quoted source lines.
static MARGIN: LazyLock<Regex> = LazyLock::new(|| known(r"^[ \t]*[0-9]*[ \t]+\|"));
static ADDRESS: LazyLock<Regex> = LazyLock::new(|| known(r"\b(?:0[xX][0-9a-fA-F]+|[0-9a-fA-F]{8,})\b"));
static NUMBER: LazyLock<Regex> = LazyLock::new(|| known(r"[0-9]+"));

fn known(pattern: &str) -> Regex {
    regex::bytes::RegexBuilder::new(pattern).multi_line(true).build().expect("a fixed pattern")
}

fn replace(regex: &Regex, text: &[u8], replacement: impl Replacer) -> Vec<u8> {
    regex.replace_all(text, replacement).into_owned()
}

fn replace_literal(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.windows(from.len().max(1)).position(|window| window == from) {
        result.extend_from_slice(&rest[..at]);
        result.extend_from_slice(to);
        rest = &rest[at + from.len()..];
    }
    result.extend_from_slice(rest);
    result
}

fn keep_lines(text: &[u8], keep: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    text.split_inclusive(|&byte| byte == b'\n').filter(|line| keep(line)).flatten().copied().collect()
}

/// Collapses blanks to one, trims lines, and drops empty lines.
fn collapse_space(text: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    for line in text.split(|&byte| byte == b'\n') {
        let words: Vec<_> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
        if !words.is_empty() {
            result.extend(words.join(&b' '));
            result.push(b'\n');
        }
    }
    result
}

fn sort_lines(text: &[u8]) -> Vec<u8> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let mut lines: Vec<_> = text.split(|&byte| byte == b'\n').collect();
    lines.sort_unstable();
    lines.join(&b'\n')
}

fn parse_rule(text: &str) -> Result<(Rule, &str), NormaliseError> {
    if let Some(rest) = text.strip_prefix('s')
        && let Some(delimiter) = rest.chars().next().filter(|first| !first.is_alphanumeric() && *first != ',')
    {
        return parse_substitution(text, &rest[delimiter.len_utf8()..], delimiter);
    }
    let (name, rest) = text.split_once(',').unwrap_or((text, ""));
    let rule = match name.trim() {
        "paths" => Rule::Paths,
        "lines" => Rule::Lines,
        "addresses" => Rule::Addresses,
        "numbers" => Rule::Numbers,
        "sort" => Rule::Sort,
        "warnings" => Rule::Warnings,
        "space" => Rule::Space,
        unknown => return Err(NormaliseError::Unknown(unknown.into())),
    };
    Ok((rule, rest))
}

fn parse_substitution<'a>(whole: &str, text: &'a str, delimiter: char) -> Result<(Rule, &'a str), NormaliseError> {
    let unfinished = || NormaliseError::Unfinished(whole.into());
    let (pattern, rest) = until(text, delimiter).ok_or_else(unfinished)?;
    let (replacement, rest) = until(rest, delimiter).ok_or_else(unfinished)?;
    let rest = match rest.trim_start() {
        "" => "",
        more => more.strip_prefix(',').ok_or_else(|| NormaliseError::Unknown(whole.into()))?,
    };
    let regex = regex::bytes::RegexBuilder::new(&pattern)
        .multi_line(true)
        .build()
        .map_err(|error| NormaliseError::Regex(whole.into(), error))?;
    Ok((Rule::Substitute(regex, replacement.into_bytes()), rest))
}

/// Splits a text at the next delimiter that is not escaped by a backslash.
fn until(text: &str, delimiter: char) -> Option<(String, &str)> {
    let mut found = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        if character == delimiter {
            return Some((found, &text[at + delimiter.len_utf8()..]));
        }
        found.push(character);
        if character == '\\' {
            let (_, protected) = characters.next()?;
            if protected == delimiter {
                found.pop();
            }
            found.push(protected);
        }
    }
    None
}
