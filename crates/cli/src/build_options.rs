//! Options for building a C or C++ program, and its standard input.

use anyhow::Context;
use clap::Args;
use lapidary::Building;
use std::io::{self, IsTerminal, Read};

/// How the program is built.
#[derive(Args)]
pub struct BuildOptions {
    /// Flags for the compiler, as one argument, in addition to -g -O0.
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    flags: Vec<String>,

    /// Libraries and other flags for the linker, as one argument.
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    link: Vec<String>,

    /// The compiler [default: that of the compile commands; else $CC, or $CXX for C++; else gcc, or
    /// g++ for C++].
    #[arg(long, value_name = "COMMAND")]
    compiler: Option<String>,
}

impl BuildOptions {
    pub fn building(&self) -> Building {
        Building { flags: self.flags.clone(), link: self.link.clone(), compiler: self.compiler.clone() }
    }
}

/// Reads standard input to its end, unless it is a terminal.
pub fn recorded_stdin() -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if !io::stdin().is_terminal() {
        io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
    }
    Ok(bytes)
}
