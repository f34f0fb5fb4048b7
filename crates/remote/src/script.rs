//! The script that runs the test where an action is executed, and the directories around it.
//!
//! An action has these directories: `lapidary-job` with the candidate, where the test runs;
//! `lapidary-tmp`, its TMPDIR; `lapidary-test` with the files of the test. Nobody knows their
//! absolute paths before the action runs, so a script puts them in. Their names are unusual, so that
//! they are found in what the test prints.

use lapidary_common::shell::quoted;
use lapidary_predicate::Limits;
use lapidary_reduce::Entry;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The directory with the candidate.
pub const JOB: &str = "lapidary-job";
/// The directory for temporary files.
pub const TEMPORARY: &str = "lapidary-tmp";
/// The directory with the files of the test.
pub const TEST: &str = "lapidary-test";
/// The file name of the script.
pub const SCRIPT: &str = "lapidary-run";

/// The words of the script before the name of a program that is not there.
const NO_PROGRAM: &str = "lapidary: no such program: ";

/// The command of a test, with the files that go along.
#[derive(Clone, Debug, Default)]
pub struct TestFiles {
    /// The test's program and its arguments, each in pieces.
    pub words: Vec<Vec<Word>>,
    /// The files that go along, by their paths below the directory of the test.
    pub files: BTreeMap<PathBuf, Entry>,
    /// The scripts among the files in which [`TestFiles::mark`] stands for the directory of the test.
    pub marked: Vec<PathBuf>,
    /// The text that stands for the directory of the test.
    pub mark: String,
}

/// A part of a word of the test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// Literal text.
    Text(String),
    /// The path of the candidate.
    Candidate,
    /// A file that goes along.
    File(PathBuf),
}

impl TestFiles {
    /// Returns the script that runs the test on a candidate of this name.
    pub fn script(&self, candidate: &str, limits: &Limits) -> String {
        let mut lines = vec![
            "#!/bin/sh".to_owned(),
            "cd -P . && root=${PWD%/*} || exit 126".to_owned(),
            format!("TMPDIR=$root/{TEMPORARY}; : \"${{HOME:=$TMPDIR}}\" \"${{PATH:=/usr/local/bin:/usr/bin:/bin}}\""),
            "export TMPDIR HOME PATH".to_owned(),
            format!("test=$root/{TEST}"),
        ];
        lines.extend(self.put_in_directory());
        lines.extend(limits_of(limits));
        let words: Vec<String> = self.words.iter().map(|word| self.shell_word(word, candidate)).collect();
        if let Some([Word::Text(program)]) = self.words.first().map(Vec::as_slice) {
            let (program, message) = (quoted(program), quoted(&format!("{NO_PROGRAM}{program}")));
            lines.push(format!("command -v {program} >/dev/null 2>&1 || {{ echo {message} >&2; exit 127; }}"));
        }
        lines.push(format!("exec {} </dev/null", words.join(" ")));
        lines.join("\n") + "\n"
    }

    fn shell_word(&self, word: &[Word], candidate: &str) -> String {
        let piece = |piece: &Word| match piece {
            Word::Text(text) => quoted(text),
            Word::Candidate => format!("\"$root\"/{JOB}/{}", quoted(candidate)),
            Word::File(path) => format!("\"$test\"/{}", quoted(&path.to_string_lossy())),
        };
        word.iter().map(piece).collect()
    }

    /// Replaces the mark, in copies: inputs of an action may be shared with other actions.
    fn put_in_directory(&self) -> Vec<String> {
        if self.marked.is_empty() {
            return Vec::new();
        }
        let copy = format!("cp -R \"$test\" \"$TMPDIR/{TEST}\" && chmod -R u+w \"$TMPDIR/{TEST}\" || exit 126");
        let mut lines = vec![copy, format!("given=$test; test=$TMPDIR/{TEST}")];
        for path in &self.marked {
            let path = quoted(&path.to_string_lossy());
            lines.push(format!("sed \"s|{}|$test|g\" \"$given\"/{path} >\"$test\"/{path} || exit 126", self.mark));
        }
        lines
    }
}

/// Returns the name of the program that the worker lacks, if that is why a run ended.
pub fn lacking(stderr: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    text.lines().find_map(|line| line.strip_prefix(NO_PROGRAM)).map(str::to_owned)
}

/// Returns the lines that set resource limits. Lower limits of the machine stay in force.
fn limits_of(limits: &Limits) -> Vec<String> {
    let set = |option: char, limit: Option<u64>, unit: u64| {
        limit.map(|limit| format!("ulimit -S -{option} {} 2>/dev/null", limit.div_ceil(unit)))
    };
    let lines = [set('t', limits.cpu_seconds, 1), set('f', limits.file_size, 512), set('v', limits.memory, 1024)];
    lines.into_iter().flatten().collect()
}

/// Finds the directory of an action in the output of its test.
pub fn root_in(outputs: [&[u8]; 2]) -> Option<PathBuf> {
    let found = |output: &[u8], name: &str| {
        let name = format!("/{name}");
        let at = output.windows(name.len()).position(|part| part == name.as_bytes())?;
        let is_end =
            |byte: &u8| byte.is_ascii_whitespace() || byte.is_ascii_control() || b"'\"`=:,;()[]<>".contains(byte);
        let start = output[..at].iter().rposition(is_end).map_or(0, |end| end + 1);
        // The path may follow an option, as in -I/path.
        let start = start + output[start..at].iter().position(|byte| *byte == b'/')?;
        let path = std::str::from_utf8(&output[start..at]).ok()?;
        Some(Path::new(&format!("/{}", path.trim_start_matches('/'))).to_owned())
    };
    outputs.iter().find_map(|output| [JOB, TEMPORARY, TEST].iter().find_map(|name| found(output, name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::process::Command;

    fn text(text: &str) -> Vec<Word> {
        vec![Word::Text(text.to_owned())]
    }

    /// Lays out an action as a worker does and runs the script.
    fn run(test: &TestFiles, limits: &Limits) -> (std::process::Output, tempfile::TempDir) {
        let place = tempfile::tempdir().unwrap();
        for name in [JOB, TEMPORARY, TEST] {
            fs::create_dir(place.path().join(name)).unwrap();
        }
        fs::write(place.path().join(JOB).join("it's.c"), "int x;").unwrap();
        for (path, entry) in &test.files {
            let Entry::File { content, .. } = entry else { panic!() };
            fs::write(place.path().join(TEST).join(path), &content[..]).unwrap();
        }
        fs::write(place.path().join(SCRIPT), test.script("it's.c", limits)).unwrap();
        let mut command = Command::new("/bin/sh");
        // Some workers have a standard input, which is none of the test's business.
        let noise = fs::File::open(place.path().join(SCRIPT)).unwrap();
        command.arg(format!("../{SCRIPT}")).current_dir(place.path().join(JOB)).stdin(noise);
        let output = command.output().unwrap();
        (output, place)
    }

    #[test]
    fn words_arrive_as_they_are_and_paths_are_absolute() {
        let words = vec![
            text("printf"),
            text("%s\\n"),
            text("$HOME 'x'"),
            vec![Word::Text("--in=".into()), Word::Candidate],
            vec![Word::File("a b.sh".into())],
            text(""),
        ];
        let (output, place) = run(&TestFiles { words, ..TestFiles::default() }, &Limits::default());
        let root = place.path().canonicalize().unwrap();
        let root = root.display();
        let expected = format!("$HOME 'x'\n--in={root}/{JOB}/it's.c\n{root}/{TEST}/a b.sh\n\n");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{output:?}");
    }

    #[test]
    fn marks_become_the_directory_of_the_test() {
        let files = [("t.sh", "echo @DIR@/data; cat @DIR@/data"), ("data", "hello")];
        let files = files.map(|(name, content)| (name.into(), Entry::file(content))).into();
        let words = vec![text("sh"), vec![Word::File("t.sh".into())]];
        let test = TestFiles { words, files, marked: vec!["t.sh".into()], mark: "@DIR@".into() };
        let (output, place) = run(&test, &Limits::default());
        let root = place.path().canonicalize().unwrap();
        let expected = format!("{}/{TEMPORARY}/{TEST}/data\nhello", root.display());
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{output:?}");
        let given = fs::read_to_string(place.path().join(TEST).join("t.sh")).unwrap();
        assert!(given.contains("@DIR@"), "the input of the action is not changed");
    }

    #[test]
    fn a_missing_program_is_named() {
        let (output, _) =
            run(&TestFiles { words: vec![text("no such tool")], ..Default::default() }, &Limits::default());
        assert_eq!(output.status.code(), Some(127));
        assert_eq!(lacking(&output.stderr).as_deref(), Some("no such tool"));
        assert_eq!(lacking(b"sh: gcc: not found\n"), None);
    }

    #[test]
    fn standard_input_is_empty() {
        let (output, _) = run(&TestFiles { words: vec![text("cat")], ..Default::default() }, &Limits::default());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    }

    #[test]
    fn limits_hold() {
        let words = vec![text("sh"), text("-c"), text("ulimit -f; ulimit -t; ulimit -v")];
        let limits = Limits { cpu_seconds: Some(7), memory: Some(4_000_000 << 10), file_size: Some(1 << 20) };
        let (output, _) = run(&TestFiles { words, ..Default::default() }, &limits);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "2048\n7\n4000000\n");
    }

    #[test]
    fn the_directory_is_found_in_what_a_test_prints() {
        let found = |text: &str| root_in([text.as_bytes(), b""]).map(|path| path.display().to_string());
        assert_eq!(found("error in '/w/1/lapidary-job/x.c':3"), Some("/w/1".into()));
        assert_eq!(found("gcc -I/w/2/lapidary-test/include"), Some("/w/2".into()));
        assert_eq!(found("file:///w/lapidary-tmp/x"), Some("/w".into()));
        assert_eq!(found("lapidary-job/x.c: no"), None);
        assert_eq!(root_in([b"", b"/w/lapidary-job"]), Some("/w".into()));
    }
}
