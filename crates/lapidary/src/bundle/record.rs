//! The notes in a journal from which a bundle can be made later, possibly when the
//! files and variables of the run are gone. `docs/reference/journal.md` describes the fields.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// How the failure of a run can be shown again, without Lapidary.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Reproduction {
    /// The command of Lapidary.
    pub command: String,
    /// The input, as the user named it.
    pub input: String,
    /// The name under which the test sees its candidates.
    pub name: String,
    /// The directory in which Lapidary was started.
    pub directory: String,
    /// The variables of the environment that matter to compilers and the like.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// The parts that cannot be shown again, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<String>,
    #[serde(flatten)]
    pub how: How,
}

/// A command to run, and the failure that it must show.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum How {
    /// A command of the user.
    Test(TestRun),
    /// A decompiler, whose output does not compile.
    Decompiler(DecompilerRun),
    /// A program in C or C++ that fails at run time.
    Program(ProgramRun),
    /// An analysis that misses a method.
    Analysis(AnalysisRun),
    /// A method of Java that behaves differently in two versions, or ends as was found.
    Call(CallRun),
    /// Nothing that a shell could run.
    #[default]
    Nothing,
}

/// A command of the user, and when its run is interesting.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct TestRun {
    /// The program and its arguments; `{}` stands for the candidate.
    pub words: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub expect: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub preserve: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub normalise: String,
    /// The preserved texts, normalised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    /// The number of runs that decide.
    pub runs: u32,
    /// Whether one of these runs is enough.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub any: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_size: Option<u64>,
}

/// The preserved aspects of a run on the input.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Baseline {
    /// The exit code, as a shell shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdout: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
}

/// A decompiler under test.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct DecompilerRun {
    /// `NAME=VERSION`.
    pub decompiler: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub expect: Vec<String>,
    /// The compiler's errors, as lines `path: message`, that must stay.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub errors: String,
    /// Further words for the compiler.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub libraries: Vec<String>,
}

/// A program that fails at run time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ProgramRun {
    pub sources: Vec<SourceFile>,
    /// The compiler that links.
    pub linker: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub link: Vec<String>,
    /// The directory of the sources on the machine of the run.
    pub origin: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    #[serde(skip_serializing_if = "Bytes::is_empty")]
    pub stdin: Bytes,
    /// `SIGSEGV`, `assertion`, `exception`, `abort`, `stack-overflow`, or the name of a sanitizer.
    pub kind: String,
    /// The text that tells the failure from others of its kind.
    pub message: String,
    /// The failure in one line.
    pub headline: String,
    /// Whether candidates ran in a sandbox.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sandbox: bool,
}

/// A file to compile.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SourceFile {
    pub path: String,
    pub compiler: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
}

/// An analysis that misses a method which really runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct AnalysisRun {
    pub analysis: String,
    /// The analysis as a command with `{classpath}`, `{main}` and `{out}`; empty for one that
    /// Lapidary calls itself.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// The method: `pkg/Cls.name:(I)V`.
    pub method: String,
    pub finders: Vec<String>,
    pub main: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub libraries: Vec<String>,
    #[serde(skip_serializing_if = "Bytes::is_empty")]
    pub stdin: Bytes,
}

/// A call of a Java method with values, in one version or in two.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct CallRun {
    /// The call as a person would write it.
    pub call: String,
    /// The class, the name and the descriptor.
    pub method: [String; 3],
    /// The inputs in the words of the replay program.
    pub words: Vec<String>,
    /// The finding in one line.
    pub what: String,
    /// The observed behaviour in words: of the old and the new version, or of the only one.
    pub seen: Vec<String>,
    /// The beginning of the report of the replay program about the only version.
    pub report: String,
    /// Aspects that must not differ between two versions: `report`, `stdout`, `stderr`, `calls`.
    pub compared: Vec<String>,
    /// The method whose calls are compared, as `*Cls.method`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub watched: String,
    /// The names of the versions in the input: `old` and `new`, or the only one.
    pub versions: Vec<String>,
    /// Their names in the repository that they were built from, if they were.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    pub libraries: Vec<String>,
}

/// Bytes in a journal: plain text as it is, anything else in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Bytes {
    Text(String),
    Hex(String),
}

impl Default for Bytes {
    fn default() -> Self {
        Bytes::Text(String::new())
    }
}

impl Bytes {
    pub fn of(bytes: &[u8]) -> Bytes {
        let is_plain = |text: &&str| text.chars().all(|c| !c.is_control() || "\n\t\r".contains(c));
        match std::str::from_utf8(bytes).ok().filter(is_plain) {
            Some(text) => Bytes::Text(text.to_owned()),
            None => Bytes::Hex(bytes.iter().map(|byte| format!("{byte:02x}")).collect()),
        }
    }

    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Bytes::Text(text) => text.clone().into_bytes(),
            Bytes::Hex(digits) => digits
                .as_bytes()
                .chunks(2)
                .filter_map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
                .collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        matches!(self, Bytes::Text(text) if text.is_empty())
    }
}

/// The most bytes of standard input that a journal keeps: its first line has to stay short.
pub(crate) const LONGEST_STDIN: usize = 128 << 10;

/// The longest preserved output that a journal keeps.
pub(crate) const LONGEST_BASELINE: usize = 64 << 10;

impl Reproduction {
    /// Notes the surroundings of a run.
    pub fn of(command: &str, input: &Path, name: &str, how: How) -> Reproduction {
        Reproduction {
            command: command.to_owned(),
            input: input.to_string_lossy().into_owned(),
            name: name.to_owned(),
            directory: std::env::current_dir().unwrap_or_default().to_string_lossy().into_owned(),
            environment: super::environment::that_matters(),
            lacks: Vec::new(),
            how,
        }
    }

    /// The form in which a journal holds it.
    pub fn noted(&self) -> Option<serde_json::Value> {
        serde_json::to_value(self).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_any_kind_come_back() {
        for bytes in [&b""[..], b"plain\ttext\n", b"\0\x1b[31m", &[0xff, 0xfe]] {
            assert_eq!(Bytes::of(bytes).bytes(), bytes);
        }
        assert_eq!(Bytes::of(b"a\n"), Bytes::Text("a\n".into()), "readable where it can be");
    }

    #[test]
    fn what_a_later_version_adds_does_not_hinder_reading() {
        let text = r#"{"command":"reduce","name":"a.c","test":{"words":["x"],"later":1},"more":[2]}"#;
        let read: Reproduction = serde_json::from_str(text).unwrap();
        assert!(matches!(read.how, How::Test(TestRun { ref words, .. }) if words == &["x"]), "{read:?}");
    }
}
