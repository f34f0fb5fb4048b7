//! Included files that must not be opened: devices, pipes and sockets, which may never end.

use crate::{Compilation, ParseError, SourceFile, Sources};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Returns an error if a source includes something that is neither a regular file nor a directory.
/// Headers on disk are not looked into.
pub(crate) fn require_regular(sources: &Sources, compilation: &Compilation) -> Result<(), ParseError> {
    let found = sources.files.iter().find_map(|file| irregular(file, compilation));
    found.map_or(Ok(()), |name| {
        let reason = format!("#include \"{}\" names no regular file", name.display());
        Err(ParseError::Failed { file: compilation.file.clone(), reason })
    })
}

fn irregular(file: &SourceFile, compilation: &Compilation) -> Option<PathBuf> {
    let lines = file.text.split(|byte| *byte == b'\n');
    let included = lines.filter_map(included).map(|name| Path::new(OsStr::from_bytes(name)));
    included
        .filter(|name| places(name, file, compilation).iter().any(|path| is_irregular(path)))
        .map(Path::to_owned)
        .next()
}

/// The name in an `#include` line.
fn included(line: &[u8]) -> Option<&[u8]> {
    let directive = line.trim_ascii().strip_prefix(b"#")?.trim_ascii_start();
    let rest = directive.strip_prefix(b"include").or_else(|| directive.strip_prefix(b"import"))?;
    let rest = rest.strip_prefix(b"_next").unwrap_or(rest).trim_ascii_start();
    let close = match rest.first()? {
        b'"' => b'"',
        b'<' => b'>',
        _ => return None,
    };
    let length = rest[1..].iter().position(|byte| *byte == close)?;
    Some(&rest[1..=length])
}

/// The paths that a name may stand for.
fn places(name: &Path, file: &SourceFile, compilation: &Compilation) -> Vec<PathBuf> {
    const OPTIONS: [&str; 4] = ["-I", "-iquote", "-isystem", "-idirafter"];
    if name.is_absolute() {
        return vec![name.to_owned()];
    }
    let arguments = &compilation.arguments;
    let apart = arguments.iter().zip(arguments.iter().skip(1));
    let apart = apart.filter(|(option, _)| OPTIONS.contains(&option.as_str())).map(|(_, folder)| folder.as_str());
    let joined =
        arguments.iter().filter_map(|argument| OPTIONS.iter().find_map(|option| argument.strip_prefix(option)));
    let folders = apart.chain(joined.filter(|folder| !folder.is_empty())).map(Path::new);
    folders.chain(file.path.parent()).map(|folder| folder.join(name)).collect()
}

fn is_irregular(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<(), ParseError> {
        let file = SourceFile { path: "/nowhere/a.c".into(), text: text.as_bytes().into() };
        let compilation = Compilation { file: file.path.clone(), arguments: vec!["-I".into(), "/dev".into()] };
        require_regular(&Sources { files: vec![file] }, &compilation)
    }

    #[test]
    fn devices_are_not_included() {
        for line in ["#include \"/dev/zero\"", " # include </dev/zero>", "int x;\n#include \"zero\"\n"] {
            assert!(check(line).unwrap_err().to_string().contains("no regular file"), "{line}");
        }
        for line in ["#include <stdio.h>", "#include \"missing.h\"", "#include NAME", "// #include", "#include \""] {
            assert!(check(line).is_ok(), "{line}");
        }
    }
}
