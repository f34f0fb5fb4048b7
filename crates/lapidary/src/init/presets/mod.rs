//! The table of failures that are known, one row each. The first row that recognises the run writes
//! the draft.

mod c_compiler;
mod crash;
mod decompiler;
mod differs;
mod guard;
mod hang;
mod java;
mod messages;
mod rust;
mod text;

use super::call::Call;
use super::draft::{Draft, Paragraph, Setting, Streams, limit, shown};
use super::lab::Lab;
use super::seen::Seen;
use super::{InitOptions, shell};
use anyhow::bail;
use std::path::Path;

/// A row of the table.
struct Preset {
    name: &'static str,
    recognise: Recognise,
}

type Recognise = fn(&Row<'_>) -> anyhow::Result<Option<Recognised>>;

/// What is known about a failure.
pub enum Recognised {
    /// A script that looks for it.
    Draft(Draft),
    /// Options of a reduction with a built-in test.
    BuiltIn { preset: &'static str, what: String, options: Vec<String> },
}

const PRESETS: &[Preset] = &[
    Preset { name: "decompiler", recognise: decompiler::suggested },
    Preset { name: "hang", recognise: hang::never_ends },
    Preset { name: "missed-optimisation", recognise: text::in_assembly },
    Preset { name: "wrong-code", recognise: differs::compiled },
    Preset { name: "different-output", recognise: differs::commands },
    Preset { name: "text", recognise: text::asked_for },
    Preset { name: "gcc-ice", recognise: c_compiler::gcc_ice },
    Preset { name: "clang-crash", recognise: c_compiler::clang_crash },
    Preset { name: "rustc-ice", recognise: rust::ice },
    Preset { name: "javac-crash", recognise: java::compiler_crash },
    Preset { name: "jvm-crash", recognise: java::machine_crash },
    Preset { name: "sanitizer", recognise: crash::sanitizer },
    Preset { name: "assertion", recognise: crash::assertion },
    Preset { name: "panic", recognise: crash::panic },
    Preset { name: "rustc-error", recognise: rust::error },
    Preset { name: "rustc-warning", recognise: rust::warning },
    Preset { name: "javac-error", recognise: java::compiler_error },
    Preset { name: "linker", recognise: messages::linker },
    Preset { name: "c-error", recognise: c_compiler::error },
    Preset { name: "c-warning", recognise: c_compiler::warning },
    Preset { name: "python", recognise: messages::python },
    Preset { name: "node", recognise: messages::node },
    Preset { name: "java", recognise: java::exception },
    Preset { name: "interpreter", recognise: messages::interpreter },
    Preset { name: "json", recognise: messages::json },
    Preset { name: "sql", recognise: messages::sql },
    Preset { name: "signal", recognise: crash::signal },
    Preset { name: "other", recognise: messages::other },
];

/// The names of all presets, in the order in which they are tried.
pub fn names() -> Vec<&'static str> {
    PRESETS.iter().map(|preset| preset.name).collect()
}

/// What the first row that knows the failure makes of it.
pub fn recognise(seen: &Seen<'_>, wishes: &Wishes) -> anyhow::Result<Option<Recognised>> {
    for preset in PRESETS {
        let row = Row { seen, wishes, name: preset.name };
        if let Some(recognised) = (preset.recognise)(&row)? {
            return Ok(Some(recognised));
        }
    }
    Ok(None)
}

/// What a row of the table looks at.
pub struct Row<'a> {
    seen: &'a Seen<'a>,
    wishes: &'a Wishes,
    name: &'static str,
}

/// What the user asked for.
pub struct Wishes {
    text: Option<String>,
    without: Option<String>,
    other: Option<Other>,
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

    fn wants_text(&self) -> bool {
        self.text.is_some() || self.without.is_some()
    }
}

/// Whether the program that the script asks takes the regular expression.
fn is_valid(regex: &str, call: &Call, lab: &Lab) -> anyhow::Result<bool> {
    let text = format!("#!/bin/sh\ngrep -Eq -e {} </dev/null\n[ $? -ne 2 ]\n", shell::literal(regex));
    Ok(!regex.contains('\n') && lab.script(&text, &call.name(), b"", lab.timeout())?.ending.shell_code() == Some(0))
}

/// A failure that shows in the exit code and in messages: the draft of most rows.
struct Failure<'a> {
    row: &'a Row<'a>,
    call: Call,
    streams: Streams,
    draft: Draft,
    conditions: Vec<Paragraph>,
}

impl<'a> Row<'a> {
    fn call(&self) -> &'a Call {
        self.seen.call
    }

    /// A draft of this row that has a name for what it looks for.
    fn draft(&self, what: impl Into<String>) -> Draft {
        let mut draft = Draft::new(self.name, what, self.call());
        draft.settings.extend(messages::python_path(self.seen));
        draft
    }

    fn failure(&'a self, what: impl Into<String>) -> Failure<'a> {
        let streams = if self.seen.run.stderr.trim().is_empty() { Streams::Both } else { Streams::Stderr };
        Failure { row: self, call: self.call().clone(), streams, draft: self.draft(what), conditions: Vec::new() }
    }

    /// The seconds that a script gives the command.
    fn limit(&self) -> u64 {
        limit(self.seen.run.elapsed)
    }
}

impl Failure<'_> {
    /// Adds an argument, if the command allows it.
    fn adding(mut self, word: &str, why: &str) -> Self {
        if self.call.is_direct() {
            self.call = self.call.with(&[word], &format!("{word} was added: {why}."));
        }
        self
    }

    fn setting(mut self, setting: Setting) -> Self {
        self.draft.settings.push(setting);
        self
    }

    fn streams(mut self, streams: Streams) -> Self {
        self.streams = streams;
        self
    }

    fn note(mut self, note: &str) -> Self {
        self.draft.notes.push(note.to_owned());
        self
    }

    /// The exit code must stay.
    fn same_code(mut self) -> Self {
        if let Some(code) = self.row.seen.run.ending.shell_code() {
            let signal = if code > 128 { " (a signal)" } else { "" };
            let why = format!("The exit code must be {code}{signal}, as it was.");
            self.conditions.push(Paragraph::exit_code("output", code, why));
        }
        self
    }

    /// A message must stay.
    fn text(mut self, pieces: &[String]) -> Self {
        let why = format!("The output must say {}.", shown(pieces));
        self.conditions.push(Paragraph::text("output", pieces, why));
        self
    }

    fn recognised(self) -> anyhow::Result<Option<Recognised>> {
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

/// The command with what it needs in another directory.
pub fn prepared(call: Call, lab: &Lab) -> anyhow::Result<Call> {
    c_compiler::with_headers(call, lab)
}
