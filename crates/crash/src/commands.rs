//! `compile_commands.json`: how a project's own build compiles each of its files.
//!
//! Only those arguments are kept that affect the meaning of the code: include paths, definitions,
//! the language. Outputs and dependency files are dropped, since Lapidary chooses its own.

use crate::build::normal;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// One entry of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileCommand {
    pub directory: PathBuf,
    pub file: PathBuf,
    /// The compiler and all its arguments.
    pub arguments: Vec<String>,
}

/// The reason for compile commands that cannot be used.
#[derive(Debug, Error)]
pub enum CommandsError {
    #[error(
        "cannot read {path}: {error}; cmake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, other builds through bear"
    )]
    Unreadable { path: PathBuf, error: std::io::Error },
    #[error("{path} is not a list of compile commands: {error}")]
    Malformed { path: PathBuf, error: serde_json::Error },
    #[error("{path}: entry {number} (for {file}) has neither a command nor arguments")]
    NoCommand { path: PathBuf, number: usize, file: String },
    #[error("{path}: the command of entry {number} (for {file}) has an unclosed quote")]
    Unclosed { path: PathBuf, number: usize, file: String },
}

/// Reads compile commands from a file, or from `compile_commands.json` in a directory.
pub fn read_compile_commands(path: &Path) -> Result<Vec<CompileCommand>, CommandsError> {
    let path = if path.is_dir() { path.join("compile_commands.json") } else { path.to_path_buf() };
    let text = std::fs::read(&path).map_err(|error| CommandsError::Unreadable { path: path.clone(), error })?;
    let here = path.parent().map(|parent| parent.canonicalize().unwrap_or_else(|_| parent.to_path_buf()));
    parse(&text, &path, &here.unwrap_or_default())
}

impl CompileCommand {
    /// Returns the compiler. Launchers such as `ccache` before it are skipped.
    pub fn compiler(&self) -> Option<String> {
        let is_compiler = |word: &&String| !matches!(file_name(word), "ccache" | "sccache" | "distcc" | "icecc");
        self.arguments.iter().find(is_compiler).cloned()
    }

    /// Returns the flags that affect the meaning of the code. Each path is made absolute and then
    /// passed through `place`.
    pub fn flags(&self, place: impl Fn(&Path) -> PathBuf) -> Vec<String> {
        let compiler = self.compiler();
        let mut words = self.arguments.iter().skip_while(|word| Some(*word) != compiler.as_ref()).skip(1);
        let put = |path: &str| place(&normal(&self.directory.join(path))).to_string_lossy().into_owned();
        let mut flags = Vec::new();
        while let Some(word) = words.next() {
            match sort(word) {
                Sort::Drop => {}
                Sort::DropWithValue => _ = words.next(),
                Sort::Path(name, Some(path)) => flags.extend([name.to_owned() + &put(path)]),
                Sort::Path(name, None) => {
                    flags.extend(words.next().map(|path| [name.to_owned(), put(path)]).into_iter().flatten());
                }
                Sort::KeepWithValue => flags.extend([Some(word), words.next()].into_iter().flatten().cloned()),
                Sort::Keep if self.is_the_file(word) => {}
                Sort::Keep => flags.push(word.clone()),
            }
        }
        flags
    }

    fn is_the_file(&self, word: &str) -> bool {
        !word.starts_with('-') && normal(&self.directory.join(word)) == normal(&self.directory.join(&self.file))
    }
}

/// The treatment of an argument.
enum Sort<'a> {
    Drop,
    DropWithValue,
    Keep,
    KeepWithValue,
    /// A flag that names a file or directory, with the path if both are one word.
    Path(&'a str, Option<&'a str>),
}

fn sort(word: &str) -> Sort<'_> {
    const PATHS: [&str; 8] = ["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot", "-L"];
    match word {
        "-c" | "-S" | "-E" | "-M" | "-MM" | "-MD" | "-MMD" | "-MG" | "-MP" | "-MV" | "--" => return Sort::Drop,
        "-o" | "-MF" | "-MT" | "-MQ" | "-MJ" | "-dumpbase" | "-dumpdir" => return Sort::DropWithValue,
        "-D" | "-U" | "-x" | "-arch" | "-target" | "-Xclang" | "--param" | "-Xpreprocessor" => {
            return Sort::KeepWithValue;
        }
        "-Werror" | "-pipe" | "-save-temps" => return Sort::Drop,
        _ => {}
    }
    let with_value = ["-o", "-MF", "-MT", "-MQ", "-MJ", "-Wp,-M", "-Werror=", "-fdiagnostics-color"];
    if with_value.iter().any(|flag| word.starts_with(flag)) {
        return Sort::Drop;
    }
    match PATHS.iter().find(|flag| word.starts_with(**flag)) {
        Some(flag) => Sort::Path(flag, Some(&word[flag.len()..]).filter(|rest| !rest.is_empty())),
        None => Sort::Keep,
    }
}

#[derive(Deserialize)]
struct RawCommand {
    #[serde(default)]
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

fn parse(text: &[u8], path: &Path, here: &Path) -> Result<Vec<CompileCommand>, CommandsError> {
    let malformed = |error| CommandsError::Malformed { path: path.to_path_buf(), error };
    let raw: Vec<RawCommand> = serde_json::from_slice(text).map_err(malformed)?;
    let numbered = raw.into_iter().zip(1..);
    numbered.map(|(raw, number)| understand(raw, number, path, here)).collect()
}

fn understand(raw: RawCommand, number: usize, path: &Path, here: &Path) -> Result<CompileCommand, CommandsError> {
    let (path, file) = (path.to_path_buf(), raw.file.display().to_string());
    let arguments = match (raw.arguments, raw.command) {
        (Some(arguments), _) if !arguments.is_empty() => arguments,
        (_, Some(command)) => match split_words(&command) {
            Some(words) => words,
            None => return Err(CommandsError::Unclosed { path, number, file }),
        },
        _ => return Err(CommandsError::NoCommand { path, number, file }),
    };
    let directory = normal(&here.join(raw.directory));
    Ok(CompileCommand { directory, file: raw.file, arguments })
}

/// Splits a command into words as a shell without variables would. `None` if a quote is not closed.
pub fn split_words(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\'' => loop {
                match characters.next()? {
                    '\'' => break,
                    inside => word.get_or_insert_default().push(inside),
                }
            },
            '"' => quoted(&mut characters, word.get_or_insert_default())?,
            '\\' => word.get_or_insert_default().push(characters.next()?),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}

fn quoted(characters: &mut std::str::Chars<'_>, word: &mut String) -> Option<()> {
    loop {
        match characters.next()? {
            '"' => return Some(()),
            '\\' => match characters.next()? {
                escaped @ ('"' | '\\' | '$' | '`') => word.push(escaped),
                other => word.extend(['\\', other]),
            },
            inside => word.push(inside),
        }
    }
}

fn file_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(json: &str) -> Result<CompileCommand, CommandsError> {
        parse(json.as_bytes(), Path::new("cc.json"), Path::new("/p/build")).map(|mut commands| commands.remove(0))
    }

    #[test]
    fn only_flags_that_affect_the_meaning_are_kept() {
        let command = one(
            r#"[{"directory": "/p/build", "file": "../src/a.c", "output": "a.o", "command":
            "ccache gcc -I../include -I /usr/x -DNAME=\"\\\"a b\\\"\" -std=c99 -Wall -Werror -MD -MF a.d -include gen/c.h -o a.o -c ../src/a.c"}]"#,
        )
        .unwrap();
        assert_eq!(command.compiler().as_deref(), Some("gcc"));
        let flags = command.flags(Path::to_path_buf);
        let expected =
            ["-I/p/include", "-I", "/usr/x", "-DNAME=\"a b\"", "-std=c99", "-Wall", "-include", "/p/build/gen/c.h"];
        assert_eq!(flags, expected);
    }

    #[test]
    fn arguments_may_be_a_list_and_the_directory_relative() {
        let command = one(r#"[{"directory": ".", "file": "a.c", "arguments": ["cc", "-D", "A B", "a.c"]}]"#).unwrap();
        assert_eq!(command.directory, Path::new("/p/build"));
        assert_eq!(command.flags(Path::to_path_buf), ["-D", "A B"]);
    }

    #[test]
    fn errors_say_what_is_wrong() {
        assert!(one("{}").unwrap_err().to_string().starts_with("cc.json is not a list of compile commands"));
        let missing = one(r#"[{"directory": ".", "file": "a.c"}]"#).unwrap_err().to_string();
        assert_eq!(missing, "cc.json: entry 1 (for a.c) has neither a command nor arguments");
        let unclosed = one(r#"[{"directory": ".", "file": "a.c", "command": "cc 'a"}]"#).unwrap_err().to_string();
        assert!(unclosed.contains("unclosed quote"));
    }
}
