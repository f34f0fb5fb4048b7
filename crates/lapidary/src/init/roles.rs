//! The roles of the words of a command: which file is the input, which are written, which are
//! places to search.

use anyhow::bail;
use std::path::{Path, PathBuf};

/// Options whose value is written, not read.
const WRITES: [&str; 7] = ["-o", "--output", "--out", "-MF", "-MT", "--json", "--log"];

/// Options whose value is a list of places where files are found.
const SEARCHES: [&str; 8] =
    ["-cp", "-classpath", "--class-path", "--module-path", "-sourcepath", "--source-path", "--processor-path", "-L"];

/// Whether the value of the option is written by the tool.
pub fn writes(tool: &str, option: &str) -> bool {
    WRITES.contains(&option) || tool == "javac" && option == "-d"
}

/// Whether the value of the option is a list of places where the tool finds files.
pub fn searches(tool: &str, option: &str) -> bool {
    SEARCHES.contains(&option) || tool.starts_with("java") && option == "-p"
}

/// Options whose value is a file that is needed, but rarely the input.
const AUXILIARY: [&str; 7] = ["-f", "--from-file", "-jar", "-include", "-imacros", "-T", "--config"];

/// Tools that run the program that `-f` names on other files. Either may be what fails.
const INTERPRETERS_OF_FILES: [&str; 6] = ["awk", "gawk", "mawk", "nawk", "sed", "jq"];

/// Tools whose first file is a program and whose further files are its input.
const RUNNERS: [&str; 12] =
    ["python", "pypy", "node", "nodejs", "deno", "ruby", "perl", "php", "lua", "sh", "bash", "java"];

const SOURCES: [&str; 32] = [
    "c", "i", "cc", "cpp", "cxx", "C", "ii", "h", "hpp", "m", "s", "S", "rs", "java", "py", "js", "mjs", "ts", "rb",
    "pl", "php", "lua", "go", "json", "sql", "class", "jar", "f90", "ml", "hs", "kt", "ll",
];

/// The argument that is the input: a file that is not the program, is not written, and has no other
/// role.
pub fn found_input(words: &[String], tool_at: usize, tool: &str, here: &Path) -> anyhow::Result<PathBuf> {
    let (mut likely, mut possible): (Vec<PathBuf>, Vec<PathBuf>) = (Vec::new(), Vec::new());
    for at in tool_at + 1..words.len() {
        let (word, before) = (&words[at], words[at - 1].as_str());
        let is_file = |text: &str| !text.is_empty() && here.join(text).is_file();
        if writes(tool, before) || searches(tool, before) {
            continue;
        }
        match word.split_once('=').filter(|(option, _)| option.starts_with('-')) {
            Some((_, value)) if is_file(value) => possible.push(value.into()),
            _ if !is_file(word) => {}
            _ if AUXILIARY.contains(&before) => possible.push(word.into()),
            _ => likely.push(word.into()),
        }
    }
    if RUNNERS.contains(&tool) && likely.len() > 1 {
        likely.remove(0);
    }
    if INTERPRETERS_OF_FILES.contains(&tool) {
        likely.splice(..0, possible.drain(..));
    }
    let is_source = |path: &&PathBuf| path.extension().is_some_and(|found| SOURCES.iter().any(|known| found == *known));
    let sources: Vec<&PathBuf> = likely.iter().filter(is_source).collect();
    match (likely.as_slice(), sources.as_slice(), possible.as_slice()) {
        ([only], ..) | ([], _, [only]) => Ok(only.clone()),
        (_, [only], _) => Ok((*only).clone()),
        ([], _, []) => bail!(
            "no argument of the command names a file: say which file is the input with --input FILE, or give it on \
             standard input with < FILE, not through a pipe"
        ),
        ([], _, several) | (several, ..) => {
            let names: Vec<String> = several.iter().map(|path| path.display().to_string()).collect();
            bail!("{} are files: say which one is the input with --input FILE", names.join(" and "))
        }
    }
}
