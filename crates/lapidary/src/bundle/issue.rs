//! `ISSUE.md`: the text for a bug tracker. What only a person can know is left to fill in; text
//! from outside is fenced so that it stays text.

use super::check::{Shown, Tried};
use super::output::stream;
use super::plain::{bounded, code, fenced, one_line, without_home};
use lapidary_common::words::thousands;
use lapidary_reduce::journal::OutputRecord;
use lapidary_reduce::{Entry, FileTree};

/// The parts of the text.
pub(crate) struct Issue<'a> {
    /// The failure in one line, as far as it is known.
    pub title: Option<String>,
    pub summary: String,
    pub archive: &'a str,
    pub has_script: bool,
    /// The failing command as a person would type it.
    pub command: String,
    /// The script that it runs, by its name.
    pub called: Option<(String, String)>,
    /// The meaning of the exit code 0, to be said after it.
    pub zero_means: &'a str,
    /// The output that the run saw.
    pub seen: Option<&'a OutputRecord>,
    /// The directory of the run.
    pub here: &'a str,
    pub expected: &'a str,
    pub input: &'a FileTree,
    pub tried: &'a Tried,
    pub versions: &'a str,
    /// How the input was found, in a sentence.
    pub found: String,
    pub missing: &'a [String],
    /// Sources that a decompiler wrote.
    pub sources: Vec<(String, String)>,
}

const TITLE: &str = "(what goes wrong, in one line)";

/// An input that is not longer than this is part of the text.
const SHORT: u64 = 4 << 10;
const FEW_LINES: usize = 150;

/// The most bytes of a script and of a stream in the text.
const LONGEST_SCRIPT: usize = 3 << 10;
const MOST_OUTPUT: usize = 4 << 10;

impl Issue<'_> {
    /// The input and the sources are as they are in the bundle; elsewhere, the home directory is `~`.
    pub fn text(&self) -> String {
        let sources = [self.inline_input(), self.inline_sources()].concat();
        [without_home(&self.beginning()), sources, without_home(&self.end())].concat()
    }

    fn beginning(&self) -> String {
        let title = self.title.as_ref().map_or(TITLE.to_owned(), |title| escaped(&without_home(title)));
        format!("# {title}\n\n## Summary\n\n{}\n\n## Steps to reproduce\n\n{}", self.summary, self.steps())
    }

    fn end(&self) -> String {
        let mut text = format!("## Actual behaviour\n\n{}", self.actual());
        text.push_str(&format!("\n## Expected behaviour\n\n<!-- {} -->\n\n", self.expected));
        text.push_str(&format!("## Versions\n\n{}\n", fenced("", self.versions)));
        text.push_str(&format!("## How the input was found\n\n{}\n", self.found));
        if !self.missing.is_empty() {
            text.push_str("\n<!-- Not in the bundle:\n");
            self.missing.iter().for_each(|line| text.push_str(&format!("  {}\n", in_comment(line))));
            text.push_str("-->\n");
        }
        text
    }

    fn steps(&self) -> String {
        let indented = |text: &str| text.lines().map(|line| format!("   {line}\n")).collect::<String>();
        let command = indented(&fenced("", &super::plain::harmless(&self.command)));
        let archive = code(self.archive);
        let called = self.called.as_ref().map_or_else(String::new, |(name, text)| {
            let text = bounded(&super::plain::harmless(text), LONGEST_SCRIPT);
            format!("   where {} is\n\n{}\n", code(name), indented(&fenced(language_of(name), &text)))
        });
        match (&self.tried.shown, self.has_script) {
            (Shown::NotReproduced(why), true) => format!(
                "1. Unpack {archive} and run `sh reproduce.sh` in it. When this was packed, it said\n   \
                 {}: see the end of this text for what may be missing.\n2. It runs\n\n{command}\n{called}",
                code(&format!("not reproduced: {why}"))
            ),
            (_, true) => format!(
                "1. Unpack {archive} and run `sh reproduce.sh` in it. It says `reproduced` (exit code 0) or\n   \
                 `not reproduced: ...` (exit code 1).\n2. That runs\n\n{command}\n{called}"
            ),
            (_, false) => format!("1. Unpack {archive}.\n2. Run\n\n{command}\n{called}"),
        }
    }

    /// The output of the script when it was tried, or else that which the run saw.
    fn actual(&self) -> String {
        let tried = self.tried;
        match (&tried.shown, self.seen) {
            (Shown::NotReproduced(_) | Shown::NotRun(_), Some(seen)) => return self.seen(seen),
            (Shown::NotRun(_), None) => return "See output.txt.\n".to_owned(),
            (Shown::NotReproduced(why), None) => {
                return format!(
                    "The failure was not seen again when this was packed: {}. See output.txt.\n",
                    escaped(why)
                );
            }
            _ => {}
        }
        let shown = |bytes: &[u8]| stream(bytes, tried, MOST_OUTPUT);
        let zero_means = if tried.status == "0" { self.zero_means } else { "" };
        let ending = match tried.status.is_empty() {
            true => String::new(),
            false => format!("Exit code {}{zero_means}.\n\n", one_line(&tried.status)),
        };
        ending + &streams(&shown(&tried.stdout), &shown(&tried.stderr))
    }

    /// The output of the test during the run.
    fn seen(&self, seen: &OutputRecord) -> String {
        let shown = |text: &str, more: u64| {
            let here = self.here.trim_end_matches('/');
            let text = if here.is_empty() { text.to_owned() } else { text.replace(&format!("{here}/"), "") };
            let rest = if more > 0 { format!("\n[... {} bytes more]\n", thousands(more)) } else { String::new() };
            bounded(&super::plain::harmless(&text), MOST_OUTPUT) + &rest
        };
        let zero_means = if seen.reason == "exit code 0" { self.zero_means } else { "" };
        let streams = streams(&shown(&seen.stdout, seen.more_stdout), &shown(&seen.stderr, seen.more_stderr));
        format!("During the run: {}{zero_means}.\n\n{streams}", escaped(&seen.reason))
    }

    /// The decompiled source, if it is short.
    fn inline_sources(&self) -> String {
        if self.sources.iter().map(|(_, text)| text.len() as u64).sum::<u64>() > SHORT {
            return String::new();
        }
        let shown = |(name, text): &(String, String)| {
            format!("{}:\n\n{}\n", code(name), fenced("java", &super::plain::harmless(text)))
        };
        self.sources.iter().map(shown).collect()
    }

    /// The files of the input, if they are short and can be read.
    fn inline_input(&self) -> String {
        let files: Vec<(String, &str)> = self
            .input
            .entries()
            .filter_map(|(path, entry)| {
                let Entry::File { content, .. } = entry else { return None };
                let name = match self.input.is_directory() {
                    true => format!("{}/{}", self.input.name(), path.display()),
                    false => self.input.name().to_owned(),
                };
                Some((name, std::str::from_utf8(content).ok()?))
            })
            .collect();
        let lines: usize = files.iter().map(|(_, text)| text.lines().count()).sum();
        let is_plain =
            files.len() == self.input.entries().count() && files.iter().all(|(_, text)| !text.contains('\0'));
        if !is_plain || self.input.bytes() > SHORT || lines > FEW_LINES || files.is_empty() {
            return format!(
                "The input is {} ({} bytes).\n\n",
                code(&format!("input/{}", self.input.name())),
                thousands(self.input.bytes())
            );
        }
        let shown = files.iter().map(|(name, text)| {
            let text = bounded(&super::plain::harmless(text), SHORT as usize);
            format!("The input {}:\n\n{}\n", code(&format!("input/{name}")), fenced(language_of(name), &text))
        });
        shown.collect()
    }
}

/// The output of a command, stream by stream.
fn streams(stdout: &str, stderr: &str) -> String {
    let shown = |name: &str, text: &str| match text.trim().is_empty() {
        true => String::new(),
        false => format!("{name}:\n\n{}\n", fenced("", text)),
    };
    match shown("Standard output", stdout) + &shown("Standard error", stderr) {
        blank if blank.is_empty() && stdout.len() + stderr.len() > 0 => "It prints nothing but blanks.\n".to_owned(),
        nothing if nothing.is_empty() => "It prints nothing.\n".to_owned(),
        text => text,
    }
}

/// The name of a language for a fence, by the extension of a file.
fn language_of(name: &str) -> &str {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if extension.len() <= 5 && extension.chars().all(|c| c.is_ascii_alphanumeric()) { extension } else { "" }
}

/// One line of text in which nothing is Markdown or HTML. Only what could be taken for markup is
/// escaped, so that the line can be pasted into a field for plain text. Trackers make links of
/// numbers after `#` even where it is escaped, but not in code.
pub(crate) fn escaped(text: &str) -> String {
    let text: Vec<char> = one_line(text).chars().collect();
    let mut shown = String::new();
    let mut at = 0;
    while let Some(&character) = text.get(at) {
        let before = at.checked_sub(1).map(|at| text[at]);
        let after = text.get(at + 1).copied();
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        at += 1;
        let digits = text[at..].iter().take_while(|c| c.is_ascii_digit()).count();
        if character == '#' && digits > 0 {
            shown.push_str(&format!("`#{}`", text[at..at + digits].iter().collect::<String>()));
            at += digits;
            continue;
        }
        let is_markup = match character {
            '`' | '*' | '[' | ']' => true,
            '\\' => after.is_some_and(|c| c.is_ascii_punctuation()),
            '<' => after.is_some_and(|c| c.is_ascii_alphabetic() || "/!?".contains(c)),
            '&' => after.is_some_and(|c| c.is_ascii_alphabetic() || c == '#'),
            '_' => !(is_word(before) && is_word(after)),
            '@' => !is_word(before) && is_word(after),
            '~' => {
                let ends_word = before.is_some_and(|c| !c.is_whitespace()) && text[..at - 1].contains(&'~');
                ends_word || before == Some('~') || after == Some('~')
            }
            '#' => before.is_none() || after.is_none(),
            _ => false,
        };
        if is_markup {
            shown.push('\\');
        }
        shown.push(character);
    }
    shown
}

/// One line within a comment of HTML.
fn in_comment(text: &str) -> String {
    one_line(text).replace("--", "- -").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn issue<'a>(input: &'a FileTree, tried: &'a Tried, missing: &'a [String]) -> Issue<'a> {
        Issue {
            title: None,
            summary: "x".into(),
            archive: "b.zip",
            has_script: true,
            command: "gcc '```'".into(),
            called: None,
            zero_means: "",
            seen: None,
            here: "",
            expected: "?",
            input,
            tried,
            versions: "",
            found: String::new(),
            missing,
            sources: Vec::new(),
        }
    }

    #[test]
    fn hostile_text_stays_text() {
        assert_eq!(escaped("<script>`*x*`\n @all"), "\\<script>\\`\\*x\\*\\`\\n \\@all");
        let plain = "Assertion 'a_b < 3 && c > 2 || d & e' failed in T.f: # of 4, me@x ~/a ~/b";
        assert_eq!(escaped(plain), plain, "the title is pasted into a field for plain text");
        assert_eq!(escaped("&amp; _x_ ~~y~~ ~z~"), "\\&amp; \\_x\\_ \\~\\~y\\~\\~ ~z\\~");
        assert_eq!(escaped("see #31, a/b#4 and &#38;"), "see `#31`, a/b`#4` and \\&`#38`;", "trackers link numbers");
        assert_eq!(in_comment("a --> b ---> c"), "a - -&gt; b - --&gt; c");
        let input = FileTree::file("a```.c", "```\n</pre><script>alert(1)</script>\n\x1b[2J");
        let missing = ["a --> b".to_owned(), "a--->b".to_owned()];
        let text = issue(&input, &Tried::not_run("?"), &missing).text();
        assert!(text.contains("````c\n```\n</pre>") && text.contains("\\u{1b}[2J"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
        assert_eq!(text.matches("-->").count(), 2, "only our own comments end: {text}");
    }

    #[test]
    fn output_of_blanks_is_said_to_be_blank() {
        assert_eq!(streams("", ""), "It prints nothing.\n");
        assert_eq!(streams(" \n\n", ""), "It prints nothing but blanks.\n");
        assert_eq!(streams("\n", "x\n"), "Standard error:\n\n```\nx\n```\n\n");
    }

    #[test]
    fn the_input_is_the_one_in_the_bundle() {
        let path = std::env::home_dir().unwrap().join("x").display().to_string();
        let input = FileTree::file("a.c", format!("open {path}\n").into_bytes());
        let missing = [format!("the file {path}")];
        let text = issue(&input, &Tried::not_run("?"), &missing).text();
        assert!(text.contains(&format!("open {path}")) && text.contains("the file ~/x"), "{text}");
    }
}
