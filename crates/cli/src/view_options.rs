//! Options for the view of a run while it goes on.

use crate::say::complain;
use anyhow::Context;
use clap::Args;
use lapidary::{Cancel, DocumentKind, Written, must_be_apart};
use lapidary_live::{About, Change, EventFile, Handles, Style, View, reserve_stdout};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(next_help_heading = "While it runs")]
pub struct ViewOptions {
    /// Print a plain line every few seconds instead of drawing on the terminal, for screen readers
    /// and logs.
    #[arg(long)]
    plain: bool,

    /// Write each event as a line of JSON to this file (`-` for standard output), for programs
    /// (docs/reference/events.md).
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
}

/// The other files and streams of a command.
pub struct Beside<'a> {
    pub quiet: bool,
    /// The other files that the command writes.
    pub written: Vec<Written>,
    /// The files that it reads.
    pub read: &'a [PathBuf],
}

impl ViewOptions {
    /// Begins to show a run, with a first phase in words.
    pub fn begin(&self, about: About, phase: &str, beside: Beside<'_>, handles: Handles) -> anyhow::Result<View> {
        let events = self.events.as_ref().map(|path| Written::document(DocumentKind::Events, "--events", path));
        let written: Vec<Written> = beside.written.into_iter().chain(events).collect();
        must_be_apart(&written, beside.read)?;
        let events = self.events.as_deref().map(|path| open(path, beside.quiet, &handles.cancel)).transpose()?;
        let is_stdout = self.events.as_deref() == Some(Path::new("-"));
        if is_stdout {
            reserve_stdout();
        }
        let style = Style::choose(beside.quiet, self.plain || is_stdout && io::stdout().is_terminal());
        if style == Style::Plain && about.is_search() {
            complain!("{phase} ...");
        }
        let view = View::new(about, style, events, handles);
        view.reporter().report(&Change::Phase(phase));
        Ok(view)
    }
}

fn open(path: &Path, is_quiet: bool, cancel: &Cancel) -> anyhow::Result<EventFile> {
    let waiting = || {
        if !is_quiet {
            complain!("lapidary: --events: waiting for a reader of {}", path.display());
        }
    };
    EventFile::create(path, cancel, waiting).context("--events")
}
