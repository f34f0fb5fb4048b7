//! The passes that make an object: the compiler proper, then the assembler.
//!
//! Asking the driver for them (`-###`) takes a few milliseconds, so it is done once for all
//! candidates.

use crate::commands::split_words;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The two programs that gcc's driver would connect by a pipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passes {
    pub compiler: PathBuf,
    /// The arguments of the compiler, which writes the assembly to standard output.
    pub compiler_arguments: Vec<OsString>,
    pub assembler: PathBuf,
    assembler_arguments: Vec<OsString>,
    /// The index in `assembler_arguments` of the word that names the object.
    object: usize,
}

impl Passes {
    /// Parses what a driver says it would do to make `object`. `None` if it would do anything else.
    pub fn of(said: &str, object: &Path) -> Option<Passes> {
        let commands = said.lines().filter(|line| line.starts_with(' ')).map(split_words);
        let commands: Vec<Vec<String>> = commands.collect::<Option<_>>()?;
        let [compiling, assembling] = commands.as_slice() else { return None };
        let (compiler, compiler_arguments) = compiling.split_first()?;
        let (pipe, compiler_arguments) = compiler_arguments.split_last()?;
        let (assembler, assembler_arguments) = assembling.split_first()?;
        let is_known = matches!(Path::new(compiler).file_name()?.to_str()?, "cc1" | "cc1plus");
        let prints = compiler_arguments.windows(2).any(|words| words == ["-o", "-"]);
        if pipe != "|" || !is_known || !prints || Path::new(assembler).file_name()? != "as" {
            return None;
        }
        let find = |name: &str| lapidary_predicate::resolve(name.as_ref(), Path::new("/")).ok();
        let words = |words: &[String]| words.iter().map(OsString::from).collect::<Vec<_>>();
        Some(Passes {
            compiler: find(compiler)?,
            compiler_arguments: words(compiler_arguments),
            assembler: find(assembler)?,
            assembler_arguments: words(assembler_arguments),
            object: assembler_arguments.iter().position(|word| Path::new(word) == object)?,
        })
    }

    /// Returns the arguments for the assembler.
    pub fn assembling(&self, assembly: &Path, object: &Path) -> Vec<OsString> {
        let mut words = self.assembler_arguments.clone();
        words[self.object] = object.into();
        words.push(assembly.into());
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "Using built-in specs.\nCOLLECT_GCC=gcc\nTarget: x86_64-linux-gnu\nCOLLECT_GCC_OPTIONS='-c'\n \
                        /bin/../bin/sh/cc1 -quiet a.c \"-g1\" -o - |\n as --64 -o /t/a.o\nCOMPILER_PATH=/usr/\n";

    fn passes(said: &str) -> Option<Passes> {
        Passes::of(said, Path::new("/t/a.o"))
    }

    #[test]
    fn the_output_of_the_installed_gcc_is_parsed() {
        let gcc = std::process::Command::new("gcc").args(["-###", "-pipe", "-c", "a.c", "-o", "/t/a.o"]).output();
        let found = passes(&String::from_utf8(gcc.unwrap().stderr).unwrap()).unwrap();
        assert!(found.compiler.ends_with("cc1") && found.assembler.ends_with("as"));
        let words = found.assembling(Path::new("/u/b.s"), Path::new("/u/b.o"));
        assert!(words.ends_with(&["/u/b.s".into()]) && words.contains(&"/u/b.o".into()));
        assert!(!words.contains(&"/t/a.o".into()));
    }

    #[test]
    fn anything_else_is_left_to_the_driver() {
        assert_eq!(passes(SAID), None, "there is no such compiler");
        assert_eq!(passes(&SAID.replace("cc1", "clang")), None);
        assert_eq!(passes(&SAID.replace(" |", "")), None);
        assert_eq!(passes("gcc: error: no such option\n"), None);
        assert_eq!(passes(&format!("{SAID} collect2 -o a\n")), None);
    }
}
