//! `ISSUE.md`: the text for a bug tracker. What only a person can know is left to fill in; text
//! from outside is fenced so that it stays text.

use super::check::{Shown, Tried};
use super::output::stream;
use super::plain::{bounded, code, fenced, one_line, without_home};
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
        let command = fenced("", &super::plain::harmless(&self.command));
        let indented: String = command.lines().map(|line| format!("   {line}\n")).collect();
        match self.has_script {
            true => format!(
                "1. Unpack {} and run `sh reproduce.sh` in it. It says `reproduced` (exit code 0) or\n   \
                 `not reproduced: ...` (exit code 1).\n2. That runs\n\n{indented}\n",
                code(self.archive)
            ),
            false => format!("1. Unpack {}.\n2. Run\n\n{indented}\n", code(self.archive)),
        }
    }

    fn actual(&self) -> String {
        const SHOWN: usize = 4 << 10;
        let tried = self.tried;
        let mut text = match &tried.shown {
            Shown::NotRun(_) => return "See output.txt.\n".to_owned(),
            _ if tried.status.is_empty() => String::new(),
            _ => format!("Exit code {}.\n\n", one_line(&tried.status)),
        };
        for (name, bytes) in [("Standard output", &tried.stdout), ("Standard error", &tried.stderr)] {
            let shown = stream(bytes, tried, SHOWN);
            if !shown.trim().is_empty() {
                text.push_str(&format!("{name}:\n\n{}\n", fenced("", &shown)));
            }
        }
        if tried.stdout.is_empty() && tried.stderr.is_empty() {
            text.push_str("It prints nothing.\n");
        }
        text
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
                self.input.bytes()
            );
        }
        let shown = files.iter().map(|(name, text)| {
            let text = bounded(&super::plain::harmless(text), SHORT as usize);
            format!("The input {}:\n\n{}\n", code(&format!("input/{name}")), fenced(language_of(name), &text))
        });
        shown.collect()
    }
}

/// The name of a language for a fence, by the extension of a file.
fn language_of(name: &str) -> &str {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if extension.len() <= 5 && extension.chars().all(|c| c.is_ascii_alphanumeric()) { extension } else { "" }
}

/// One line of text in which nothing is Markdown or HTML.
pub(crate) fn escaped(text: &str) -> String {
    let mut shown = String::new();
    for character in one_line(text).chars() {
        match character {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '@' => shown.extend(['\\', character]),
            _ => shown.push(character),
        }
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
        assert_eq!(escaped("<script>`*x*`\n@all"), "&lt;script>\\`\\*x\\*\\`\\\\n\\@all");
        assert_eq!(in_comment("a --> b ---> c"), "a - -&gt; b - --&gt; c");
        let input = FileTree::file("a```.c", "```\n</pre><script>alert(1)</script>\n\x1b[2J");
        let missing = ["a --> b".to_owned(), "a--->b".to_owned()];
        let text = issue(&input, &Tried::not_run("?"), &missing).text();
        assert!(text.contains("````c\n```\n</pre>") && text.contains("\\u{1b}[2J"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
        assert_eq!(text.matches("-->").count(), 2, "only our own comments end: {text}");
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
