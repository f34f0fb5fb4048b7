//! Preprocesses a source.

use crate::build::{Build, Source};
use crate::compilers::find_compiler;
use crate::disturbance::output;
use crate::error::CrashError;
use lapidary_reduce::FileTree;
use std::path::Path;
use std::process::Command;

/// Returns the program as one file without directives, and the build for it. Line numbers refer to
/// this file. The program must have one source; its headers become part of it. `root` is the
/// directory that contains the tree.
pub fn preprocessed(build: &Build, tree: &FileTree, root: &Path) -> Result<(FileTree, Build), CrashError> {
    let sources = build.sources_of(tree);
    let [source] = sources.as_slice() else {
        return Err(CrashError::SeveralSources(sources.len()));
    };
    let language = build.language(source);
    let compiler = find_compiler(build, language)?;
    let mut command = Command::new(&compiler);
    command.args(&build.flags).args(&source.flags).args(["-E", "-P"]).arg(root.join(&source.path));
    command.current_dir(root).env("LC_ALL", "C");
    let output = output(&mut command, |error| CrashError::Write(compiler.clone(), error))?;
    if !output.status.success() {
        return Err(CrashError::DoesNotCompile(String::from_utf8_lossy(&output.stderr).trim_end().to_owned()));
    }
    let name = source.path.with_extension(if language.is_cpp() { "ii" } else { "i" });
    let name = name.file_name().map_or_else(|| "program.i".into(), |name| name.to_string_lossy().into_owned());
    let source = Source { path: name.clone().into(), flags: lenient(&source.flags) };
    let build = Build { sources: vec![source], flags: lenient(&build.flags), ..build.clone() };
    Ok((FileTree::file(name, output.stdout), build))
}

/// Returns the flags for a preprocessed text. System headers cannot be recognised in it any more,
/// and they need not obey the user's pedantic rules.
pub(crate) fn lenient(flags: &[String]) -> Vec<String> {
    flags.iter().filter(|flag| !flag.starts_with("-pedantic")).cloned().collect()
}
