//! The commands with which a user would build a program, without anything that Lapidary adds to
//! observe it.

use crate::build::Build;
use crate::compilers::name_of_compiler;
use crate::flags::{is_for_linking, is_ours, is_sanitizing};
use lapidary_reduce::FileTree;
use std::path::PathBuf;

/// The commands that build a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainCommands {
    /// One for each source.
    pub sources: Vec<PlainCompilation>,
    /// The compiler that links the objects.
    pub linker: String,
    /// Its arguments after the objects.
    pub link: Vec<String>,
}

/// The compilation of one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainCompilation {
    /// The file, by its path in the program.
    pub path: PathBuf,
    /// The compiler, as the user named it.
    pub compiler: String,
    /// The flags that decide how the program behaves.
    pub flags: Vec<String>,
}

impl Build {
    /// Returns the commands that build this program. Warnings and debug information are left out.
    pub fn plain_commands(&self, tree: &FileTree) -> PlainCommands {
        let sources = self.sources_of(tree);
        let language = sources.iter().map(|source| self.language(source)).max().unwrap_or_default();
        let compilation = |source: &crate::build::Source| {
            let given = self.flags.iter().chain(&source.flags).filter(|flag| !is_ours(flag)).cloned();
            let strict = self.all_flags().any(is_sanitizing).then(|| "-fno-sanitize-recover=all".to_owned());
            let compiler = name_of_compiler(self, self.language(source));
            PlainCompilation { path: source.path.clone(), compiler, flags: given.chain(strict).collect() }
        };
        let compilations: Vec<PlainCompilation> = sources.iter().map(compilation).collect();
        let own = self.sources.iter().flat_map(|source| &source.flags);
        let given = self.flags.iter().chain(own).filter(|flag| is_for_linking(flag));
        // One command that compiles and links has the flags of the source already.
        let given = given.filter(|flag| compilations.len() != 1 || flag.starts_with("-l") || flag.starts_with("-L"));
        let link = given.chain(self.link_flags.iter()).cloned().collect();
        PlainCommands { sources: compilations, linker: name_of_compiler(self, language), link }
    }
}
