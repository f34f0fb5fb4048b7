//! `lapidary demo`: reduces bundled examples.

use crate::say::say;
use anyhow::Context;
use clap::Args;
use lapidary_common::program::on_path;
use lapidary_common::shell::quoted;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Show Lapidary at work on bundled examples.
///
/// The examples are written to a temporary directory and reduced there. Every command is shown
/// before it runs.
#[derive(Args)]
pub struct Demo {
    /// Keep the examples and their results in this directory.
    #[arg(long, value_name = "DIR")]
    keep: Option<std::path::PathBuf>,
}

struct Example {
    story: &'static str,
    input: (&'static str, &'static str),
    test: (&'static str, &'static str),
    options: &'static [&'static str],
    /// A program that the example needs.
    needs: Option<&'static str>,
}

const EXAMPLES: &[Example] = &[
    Example {
        story: "A C program makes the compiler warn about a division by zero. Which part of it does?",
        input: ("inventory.c", include_str!("../../demo/inventory.c")),
        test: ("still-warns", include_str!("../../demo/still-warns")),
        options: &[],
        needs: Some("cc"),
    },
    Example {
        story: "The running example of the paper \"Logical Bytecode Reduction\": classes, interfaces, and a bug that needs\n\
                three method bodies. Only programs that type-check are ever tried.",
        input: ("figure1.fji", include_str!("../../demo/figure1.fji")),
        test: ("figure1-test", include_str!("../../demo/figure1-test")),
        options: &["--strategy", "gbr", "--keep", r"^M\.main\(\)!code$"],
        needs: None,
    },
];

impl Demo {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let temporary = tempfile::tempdir().context("cannot make a temporary directory")?;
        let place = self.keep.as_deref().unwrap_or(temporary.path());
        fs::create_dir_all(place).with_context(|| format!("cannot write {}", place.display()))?;
        for example in EXAMPLES {
            match example.needs {
                Some(program) if on_path(program).is_none() => say!("(skipped: {program} is not installed)\n"),
                _ => example.show(place)?,
            }
        }
        say!("Your turn: lapidary reduce INPUT -- TEST {{}}   (see lapidary reduce --help)");
        Ok(ExitCode::SUCCESS)
    }
}

impl Example {
    fn show(&self, place: &Path) -> anyhow::Result<()> {
        for (name, text) in [self.input, self.test] {
            let path = place.join(name);
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        }
        fs::set_permissions(place.join(self.test.0), fs::Permissions::from_mode(0o755))?;
        let test = format!("./{}", self.test.0);
        let mut arguments = vec!["reduce", self.input.0, "--force"];
        arguments.extend(self.options);
        arguments.extend(["--", &test, "{}"]);
        say!("{}\n\n$ lapidary {}", self.story, shell_words(&arguments));
        let lapidary = std::env::current_exe().context("cannot find the lapidary program")?;
        let status = Command::new(lapidary).args(&arguments).current_dir(place).status()?;
        say!("");
        anyhow::ensure!(status.success(), "the example ended with {status}");
        Ok(())
    }
}

fn shell_words(arguments: &[&str]) -> String {
    arguments.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}
