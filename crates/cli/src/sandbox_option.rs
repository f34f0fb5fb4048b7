//! The option `--sandbox`, which means the same in every command that runs foreign code.

use crate::say::complain;
use anyhow::bail;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use lapidary::{Sandbox, SandboxMode};

#[derive(Args, Clone, Copy)]
pub struct SandboxOption {
    /// Run foreign code in a sandbox: without a network, with a private /tmp and home, and with the
    /// rest read-only. WHEN is on, off, or auto for a sandbox if bubblewrap works here [default:
    /// auto for crash, explore and compare, else off].
    #[arg(
        long,
        value_name = "WHEN",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "on",
        hide_possible_values = true,
        value_parser = modes()
    )]
    sandbox: Option<SandboxMode>,
}

fn modes() -> impl TypedValueParser<Value = SandboxMode> {
    PossibleValuesParser::new(SandboxMode::NAMES).try_map(|name| name.parse::<SandboxMode>())
}

/// The foreign code that a command runs.
#[derive(Clone, Copy)]
pub struct Foreign {
    /// The code in words, as in "the test".
    pub code: &'static str,
    /// The mode without the option.
    pub default: SandboxMode,
    /// Whether to say nothing about it.
    pub quiet: bool,
    /// Whether its limits can hold for all processes together.
    pub is_limited: bool,
}

impl SandboxOption {
    pub fn is_given(self) -> bool {
        self.sandbox.is_some()
    }

    /// The sandbox to use, announced in one line.
    pub fn choose(self, foreign: Foreign) -> anyhow::Result<Option<Sandbox>> {
        let Foreign { code, default, quiet, is_limited } = foreign;
        let mode = self.sandbox.unwrap_or(default);
        let tell = |text: String| {
            if !quiet {
                complain!("lapidary: {code} {text}");
            }
        };
        match mode.sandbox() {
            Err(reason) => bail!("no sandbox for {code}: {reason}, or use --sandbox=auto to go on without"),
            Ok(Some(sandbox)) => {
                let limits = match is_limited && lapidary::limits_are_shared() {
                    true => "limits for all processes together",
                    false => "limits for each process",
                };
                tell(format!("runs in a sandbox (no network, {limits}); --sandbox=off turns it off"));
                Ok(Some(sandbox))
            }
            Ok(None) => {
                let missing = Sandbox::new().err().filter(|_| mode == SandboxMode::Auto);
                missing.into_iter().for_each(|reason| tell(format!("runs without a sandbox: {reason}")));
                Ok(None)
            }
        }
    }
}
