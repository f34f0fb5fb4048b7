//! The text that is left of a source when the preprocessor has gone over it.

use crate::build::{Build, Source};
use crate::compilers::find_compiler;
use crate::error::CrashError;
use lapidary_reduce::FileTree;
use std::path::Path;
use std::process::Command;

/// The program as one file without directives, whose lines are its own, and how to build that. The program must have one
/// source; the headers it includes become part of it. `root` is the directory that the tree is a part of.
pub fn preprocessed(build: &Build, tree: &FileTree, root: &Path) -> Result<(FileTree, Build), CrashError> {
    let sources = build.sources_of(tree);
    let [source] = sources.as_slice() else {
        return Err(CrashError::SeveralSources(sources.len()));
    };
    let is_cpp = build.is_cpp(source);
    let compiler = find_compiler(build, is_cpp)?;
    let output = Command::new(&compiler)
        .args(&build.flags)
        .args(&source.flags)
        .args(["-E", "-P"])
        .arg(root.join(&source.path))
        .current_dir(root)
        .env("LC_ALL", "C")
        .output()
        .map_err(|error| CrashError::Write(compiler, error))?;
    if !output.status.success() {
        return Err(CrashError::DoesNotCompile(String::from_utf8_lossy(&output.stderr).trim_end().to_owned()));
    }
    let name = source.path.with_extension(if is_cpp { "ii" } else { "i" });
    let name = name.file_name().map_or_else(|| "program.i".into(), |name| name.to_string_lossy().into_owned());
    let source = Source { path: name.clone().into(), flags: lenient(&source.flags) };
    let build = Build { sources: vec![source], flags: lenient(&build.flags), ..build.clone() };
    Ok((FileTree::file(name, output.stdout), build))
}

/// The flags for a text in which what others wrote is not seen to be theirs any more: it need not obey the user's rules.
pub(crate) fn lenient(flags: &[String]) -> Vec<String> {
    flags.iter().filter(|flag| !flag.starts_with("-pedantic")).cloned().collect()
}
