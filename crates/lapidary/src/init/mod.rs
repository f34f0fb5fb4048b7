//! Writing the test for a failing command: the command runs once, a preset says what of its failure
//! must stay, and the script that asks for it is proved on the input before anybody gets it.
//!
//! Invariant: a script that is left on disk has said yes to the input twice and no to an empty one.

mod call;
mod draft;
mod lab;
mod presets;
mod proof;
mod roles;
mod script;
mod seen;
mod shell;
mod steady;

use crate::effort::Effort;
use crate::error::{Error, Result};
use anyhow::{Context, bail};
use call::Call;
use draft::Draft;
use lab::{Lab, Run};
use lapidary_common::shell::quoted;
use lapidary_reduce::Cancel;
pub use presets::names as preset_names;
use presets::{Recognised, Wishes};
use seen::Seen;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How a test script is written.
#[derive(Clone)]
pub struct InitOptions {
    /// The input that is to be reduced; without it, the argument that is a file.
    pub input: Option<PathBuf>,
    /// A file that the command reads as its standard input. Unless `input` names another, it is the
    /// input.
    pub stdin: Option<PathBuf>,
    /// The path of the script.
    pub out: PathBuf,
    /// Whether a file that is there may be replaced.
    pub force: bool,
    /// A text that must stay in the output, as an extended regular expression.
    pub text: Option<String>,
    /// A text that must stay out of the output, as an extended regular expression.
    pub without: Option<String>,
    /// A second command, or flags that take the place of the command's `-O`: the outputs of both
    /// must differ.
    pub compare: Option<String>,
    /// How long one run of the command may take. A command that takes longer is one that hangs.
    pub timeout: Duration,
    /// Ends the run when it fires.
    pub cancel: Cancel,
}

impl Default for InitOptions {
    fn default() -> Self {
        InitOptions {
            input: None,
            stdin: None,
            out: "interesting.sh".into(),
            force: false,
            text: None,
            without: None,
            compare: None,
            timeout: Duration::from_secs(60),
            cancel: Effort::default().cancel,
        }
    }
}

/// A test script that can be written: a command that fails on an input.
///
/// ```
/// use lapidary::{Init, InitOptions};
///
/// # let place = tempfile::tempdir()?;
/// # let input = place.path().join("list.txt");
/// # std::fs::write(&input, "one\ntwo\nthree\n")?;
/// # let out = place.path().join("interesting.sh");
/// let command = ["sh", "-c", "if grep -q two \"$0\"; then echo 'fatal: two' >&2; exit 3; fi"];
/// let words = command.into_iter().map(Into::into).chain([input.into()]);
/// let report = Init::of(words, InitOptions { out, ..InitOptions::default() }).run()?;
/// assert_eq!((report.preset, report.exit_code), ("other", Some(3)));
/// assert!(report.script.is_some());
/// # Ok::<(), lapidary::Error>(())
/// ```
pub struct Init {
    command: Vec<OsString>,
    options: InitOptions,
}

/// A script that was written, and the reasons for it.
#[derive(Clone, Debug)]
pub struct InitReport {
    /// The name of the preset that recognised the failure.
    pub preset: &'static str,
    /// What was recognised, in words.
    pub what: String,
    /// What the script asks for, one sentence for each condition.
    pub asks_for: Vec<String>,
    /// The input that is to be reduced.
    pub input: PathBuf,
    /// The path of the script; none where a built-in test does the same.
    pub script: Option<PathBuf>,
    /// The text of the script.
    pub text: String,
    /// The command line of the reduction.
    pub reduce: Vec<String>,
    /// The exit code of the command, as a shell shows it; none if it did not end.
    pub exit_code: Option<i32>,
    /// How long the command took.
    pub elapsed: Duration,
    /// The exit codes of the script on the input, and on an empty input.
    pub proved: Option<Proved>,
    /// Advice that does not stop anybody.
    pub notes: Vec<String>,
}

/// The exit codes of a script that does what it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proved {
    /// Those of its runs on the input.
    pub input: [i32; 2],
    /// That of its run on an empty input.
    pub empty: i32,
}

impl InitReport {
    /// The command line of the reduction, as a person types it.
    pub fn command_line(&self) -> String {
        self.reduce.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }

    /// The report for programs.
    pub fn json(&self) -> Value {
        json!({
            "command": "init",
            "preset": self.preset,
            "what": self.what,
            "asks_for": self.asks_for,
            "input": self.input.to_string_lossy(),
            "script": self.script.as_ref().map(|path| path.to_string_lossy()),
            "reduce": self.reduce,
            "exit_code": self.exit_code,
            "seconds": self.elapsed.as_secs_f64(),
            "proved": self.proved.map(|proved| json!({ "input": proved.input, "empty": proved.empty })),
            "notes": self.notes,
        })
    }
}

impl Init {
    /// A script for a command: a program and its arguments.
    pub fn of(command: impl IntoIterator<Item = OsString>, options: InitOptions) -> Self {
        Init { command: command.into_iter().collect(), options }
    }

    /// Runs the command, writes the script and proves it.
    pub fn run(self) -> Result<InitReport> {
        Ok(self.written()?)
    }

    fn written(&self) -> anyhow::Result<InitReport> {
        let here = std::env::current_dir().context("the current directory is gone")?;
        let options = &self.options;
        let words = call::as_text(&self.command)?;
        let lab = Lab::new(&here, options.timeout, &options.cancel)?;
        let program = lab.program(&words)?;
        let call = Call::of(&words, &program, options.input.as_deref(), options.stdin.as_deref(), &here)?;
        let call = presets::prepared(call, &lab)?;
        self.check_place(&call)?;
        let wishes = Wishes::of(options, &here, &call, &lab)?;
        let run = lab.first_run(&call)?;
        let seen = Seen::new(&call, &run, &lab);
        let recognised = presets::recognise(&seen, &wishes)?;
        match recognised {
            None => Err(does_not_fail(&call, &run)),
            Some(Recognised::BuiltIn { preset, what, options }) => {
                Ok(self.built_in(preset, what, options, &call, &run))
            }
            Some(Recognised::Draft(draft)) => self.proved(draft, &call, &run, &lab),
        }
    }

    fn proved(&self, draft: Draft, call: &Call, run: &Run, lab: &Lab) -> anyhow::Result<InitReport> {
        let text = script::write(&draft, call);
        let proved = proof::of(&text, &draft, call, lab)?;
        self.save(&text)?;
        Ok(InitReport {
            asks_for: draft.asks_for(),
            script: Some(self.options.out.clone()),
            proved: Some(proved),
            text,
            reduce: words(&[
                "lapidary",
                "reduce",
                &call.input().to_string_lossy(),
                "--",
                &as_program(&self.options.out),
            ]),
            notes: draft.notes,
            ..report(draft.preset, draft.what, call, run)
        })
    }

    fn built_in(&self, preset: &'static str, what: String, options: Vec<String>, call: &Call, run: &Run) -> InitReport {
        let reduce = words(&["lapidary", "reduce", &call.input().to_string_lossy()]);
        InitReport { reduce: [reduce, options].concat(), ..report(preset, what, call, run) }
    }

    /// Makes sure before any run that the script can be written.
    fn check_place(&self, call: &Call) -> anyhow::Result<()> {
        let out = &self.options.out;
        crate::output::must_not_overwrite(out, call.input())?;
        if out.is_dir() {
            bail!("{} is a directory: name a file with --out", out.display());
        }
        if out.symlink_metadata().is_ok() && !self.options.force {
            bail!("{} exists: replace it with --force, or name another file with --out", out.display());
        }
        Ok(())
    }

    /// Writes the script as a whole, or not at all.
    fn save(&self, text: &str) -> anyhow::Result<()> {
        let out = &self.options.out;
        let mut new = out.clone().into_os_string();
        new.push(".new");
        let new = PathBuf::from(new);
        let written = write_executable(&new, text).and_then(|()| fs::rename(&new, out));
        written.inspect_err(|_| drop(fs::remove_file(&new))).with_context(|| format!("cannot write {}", out.display()))
    }
}

/// A report on a run, to which everything else is added.
fn report(preset: &'static str, what: String, call: &Call, run: &Run) -> InitReport {
    InitReport {
        preset,
        what,
        asks_for: Vec::new(),
        input: call.input().to_owned(),
        script: None,
        text: String::new(),
        reduce: Vec::new(),
        exit_code: run.ending.shell_code(),
        elapsed: run.elapsed,
        proved: None,
        notes: Vec::new(),
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn write_executable(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o755).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// A path as a shell takes it for a program.
fn as_program(path: &Path) -> String {
    let text = path.to_string_lossy();
    if text.contains('/') { text.into_owned() } else { format!("./{text}") }
}

fn does_not_fail(call: &Call, run: &Run) -> anyhow::Error {
    let reason = run.ending.to_string();
    let mut explanation = format!(
        "`{}` does not fail: {reason}, and nothing in its output is known as a failure; name a text of the output \
         with --text REGEX, or a command whose output should be the same with --compare",
        call.typed()
    );
    if let Some(printed) = run.last_lines() {
        explanation.push_str(&format!("\n--- output of the command\n{printed}"));
    }
    Error::NotInteresting { reason, explanation }.into()
}
