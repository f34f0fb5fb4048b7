//! Writing the test for a failing command: the command runs once, a preset says what of its failure
//! must stay, and the script that asks for it is proved on the input before anybody gets it.
//!
//! Invariant: a script that is left on disk has said yes to the input twice and no to an empty one.

mod call;
mod draft;
mod lab;
mod options;
mod presets;
mod proof;
mod report;
mod roles;
mod script;
mod seen;
mod shell;
mod steady;

use crate::apart::{self, Written};
use crate::aside::directory_of;
use crate::error::{Error, Result};
use anyhow::{Context, bail};
use call::Call;
use draft::Draft;
use lab::{Lab, Run};
pub use options::InitOptions;
pub use presets::names as preset_names;
use presets::{Recognised, Wishes};
pub use report::{InitReport, Proved};
use seen::Seen;
use std::ffi::OsString;
use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

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
        apart::check(&[Written::other("the script", out)], &[call.input().to_owned()])?;
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
        write_executable(out, text)
            .with_context(|| format!("cannot write {}; name another file with --out", out.display()))
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
    let executable = Permissions::from_mode(0o755);
    let mut file = tempfile::Builder::new().permissions(executable).tempfile_in(directory_of(path))?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_script_replaces_one_file_and_touches_no_other() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::write(path("test.sh"), "before").unwrap();
        fs::write(path("test.sh.new"), "mine").unwrap();
        write_executable(&path("test.sh"), "after").unwrap();
        assert_eq!(["test.sh", "test.sh.new"].map(|name| fs::read_to_string(path(name)).unwrap()), ["after", "mine"]);
        assert_eq!(path("test.sh").metadata().unwrap().permissions().mode() & 0o700, 0o700);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 2);
    }
}
