//! A row of the table of presets at work: the run it looks at, the wishes of the user, and the draft
//! that most rows make.

use super::python_path;
use crate::init::call::Call;
use crate::init::draft::{Draft, Paragraph, Setting, Streams, limit, shown};
use crate::init::lab::Lab;
use crate::init::options::InitOptions;
use crate::init::seen::{Seen, pattern};
use crate::init::shell;
use anyhow::bail;
use std::collections::BTreeSet;
use std::path::Path;

/// The facts about a failure.
pub enum Recognised {
    /// A script that looks for it.
    Draft(Draft),
    /// Options of a reduction with a built-in test.
    BuiltIn { preset: &'static str, what: String, options: Vec<String> },
}

/// The subject of a row of the table.
pub struct Row<'a> {
    pub seen: &'a Seen<'a>,
    pub wishes: &'a Wishes,
    pub name: &'static str,
}

/// The wishes of the user.
pub struct Wishes {
    pub text: Option<String>,
    pub without: Option<String>,
    pub other: Option<Other>,
}

/// The value of `--compare`.
pub enum Other {
    /// Flags in place of the optimisation of the command.
    Flags(Vec<String>),
    Command(Call),
}

impl Wishes {
    pub fn of(options: &InitOptions, here: &Path, call: &Call, lab: &Lab) -> anyhow::Result<Wishes> {
        for (option, regex) in [("--text", &options.text), ("--without", &options.without)] {
            if let Some(regex) = regex
                && !is_valid(regex, call, lab)?
            {
                bail!("{option} {regex}: grep -E does not accept this regular expression");
            }
        }
        let other = match options.compare.as_deref().map(str::trim) {
            None => None,
            Some("") => bail!("--compare needs a command, or flags such as -O0"),
            Some(flags) if flags.starts_with('-') => {
                let words = shell::plain_words(flags);
                Some(Other::Flags(words.unwrap_or_else(|| vec![flags.to_owned()])))
            }
            Some(command) => Some(Other::Command(call.other(command, |words| lab.program(words), here)?)),
        };
        Ok(Wishes { text: options.text.clone(), without: options.without.clone(), other })
    }

    pub fn wants_text(&self) -> bool {
        self.text.is_some() || self.without.is_some()
    }
}

/// Whether the program that the script asks takes the regular expression.
fn is_valid(regex: &str, call: &Call, lab: &Lab) -> anyhow::Result<bool> {
    let text = format!("#!/bin/sh\ngrep -Eq -e {} </dev/null\n[ $? -ne 2 ]\n", shell::literal(regex));
    Ok(!regex.contains('\n') && lab.script(&text, &call.name(), b"", lab.timeout())?.ending.shell_code() == Some(0))
}

/// An extended regular expression that matches a text.
fn as_regex(text: &str) -> String {
    let escaped = |character: char| match character {
        '\\' | '.' | '[' | ']' | '(' | ')' | '{' | '}' | '*' | '+' | '?' | '|' | '^' | '$' => format!("\\{character}"),
        character => character.to_string(),
    };
    text.chars().map(escaped).collect()
}

/// A failure that shows in the exit code and in messages: the draft of most rows.
pub struct Failure<'a> {
    row: &'a Row<'a>,
    call: Call,
    streams: Streams,
    draft: Draft,
    conditions: Vec<Paragraph>,
}

impl<'a> Row<'a> {
    pub fn call(&self) -> &'a Call {
        self.seen.call
    }

    /// A draft of this row that has a name for what it looks for.
    pub fn draft(&self, what: impl Into<String>) -> Draft {
        let mut draft = Draft::new(self.name, what, self.call());
        draft.settings.extend(python_path::of(self.seen));
        draft
    }

    pub fn failure(&'a self, what: impl Into<String>) -> Failure<'a> {
        let streams = if self.seen.run.stderr.trim().is_empty() { Streams::Both } else { Streams::Stderr };
        Failure { row: self, call: self.call().clone(), streams, draft: self.draft(what), conditions: Vec::new() }
    }

    /// A note that the output has warnings of other kinds than the chosen one, and how to get a script
    /// for one of them. The group of the pattern is the name of a kind.
    pub fn other_warnings(&self, named: &str, is_chosen: impl Fn(&str) -> bool) -> Option<String> {
        let named = pattern(named);
        let names = named.captures_iter(&self.seen.output).map(|found| found[1].to_owned());
        let others: BTreeSet<String> = names.filter(|name| !is_chosen(name)).collect();
        let example = shell::literal(&as_regex(others.first()?));
        let others: Vec<String> = others.into_iter().collect();
        Some(format!("the output has other warnings, too: {}; --text {example} looks for that one", others.join(", ")))
    }

    /// The seconds that a script gives the command.
    pub fn limit(&self) -> u64 {
        limit(self.seen.run.elapsed)
    }
}

impl Failure<'_> {
    /// Adds an argument, if the command allows it.
    pub fn adding(mut self, word: &str, why: &str) -> Self {
        if self.call.is_direct() {
            self.call = self.call.with(&[word], &format!("{word} was added: {why}."));
        }
        self
    }

    pub fn setting(mut self, setting: Setting) -> Self {
        self.draft.settings.push(setting);
        self
    }

    pub fn streams(mut self, streams: Streams) -> Self {
        self.streams = streams;
        self
    }

    pub fn note(mut self, note: &str) -> Self {
        self.draft.notes.push(note.to_owned());
        self
    }

    /// The exit code must stay.
    pub fn same_code(mut self) -> Self {
        if let Some(code) = self.row.seen.run.ending.shell_code() {
            let signal = if code > 128 { " (a signal)" } else { "" };
            let why = format!("The exit code must be {code}{signal}, as it was.");
            self.conditions.push(Paragraph::exit_code("output", code, why));
        }
        self
    }

    /// A message must stay.
    pub fn text(mut self, pieces: &[String]) -> Self {
        let why = format!("The output must say {}.", shown(pieces));
        self.conditions.push(Paragraph::text("output", pieces, why));
        self
    }

    pub fn recognised(self) -> anyhow::Result<Option<Recognised>> {
        let limit = self.row.limit();
        let kept = match self.streams {
            Streams::Stderr => "its messages (standard error)",
            Streams::Stdout => "its output",
            Streams::Both => "all that it prints",
        };
        let own = &self.call.reasons()[self.row.call().reasons().len()..];
        let sentences =
            [&[format!("Run the command for at most {limit} s. Keep {kept} and its exit code.")], own].concat();
        let why = sentences.join(" ");
        let mut draft = self.draft;
        draft.paragraphs.push(Paragraph::run("output", &self.call.line(), self.streams, limit, &why));
        draft.paragraphs.extend(self.conditions);
        Ok(Some(Recognised::Draft(draft)))
    }
}
