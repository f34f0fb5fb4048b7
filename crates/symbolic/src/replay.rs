//! Replays a path on a real JVM, to check that it ends there as it does here.

mod group;
mod witness;
pub(crate) mod words;

use crate::explore::{Message, Outcome, PathEnd, ReturnValue};
use crate::input::Number;
use crate::method::Method;
pub(crate) use group::Group;
use lapidary_common::sandbox::Sandbox;
use lapidary_java_workers::Replay;
use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
pub use witness::{CallsToWitness, Witness, Witnessed};

/// A real JVM that can replay paths.
#[derive(Clone, Debug)]
pub struct Replayer {
    pub java: PathBuf,
    /// The program, its libraries, and the classes of `crates/java-workers/workers/replay`.
    pub class_path: Vec<PathBuf>,
    pub timeout: Duration,
    /// The sandbox that the JVM runs in.
    pub sandbox: Option<Sandbox>,
}

/// The result of a replay on a real JVM.
#[derive(Clone, Debug, PartialEq)]
pub struct Replayed {
    pub ending: RealEnding,
    pub stdout: String,
    pub stderr: String,
}

/// How a call ended on a real JVM.
#[derive(Clone, Debug, PartialEq)]
pub enum RealEnding {
    /// The value in the format of the replay program; `None` for `void`.
    Returned(Option<String>),
    Threw {
        class: String,
        message: Option<String>,
        /// The call stack where it was created, innermost call first, down to the first call of the
        /// program itself. Empty if unknown.
        places: Vec<String>,
    },
    Exited(i32),
    TimedOut,
    /// The program rejects the inputs of the path.
    Refused,
    /// The replay itself failed, with its error message.
    Failed(String),
}

/// The largest output of a replay in bytes; a replay that prints more is stopped.
const PRINTED: u64 = 64 << 20;

impl Replayer {
    /// Calls the method with the inputs of a path.
    pub fn replay(&self, method: &Method, path: &PathEnd) -> io::Result<Replayed> {
        let place = tempfile::tempdir()?;
        let [report, stdout, stderr] = ["report", "stdout", "stderr"].map(|name| place.path().join(name));
        let mut command = self.command("lapidary.replay.Replay", Some(place.path()))?;
        command.arg(&report);
        command.arg(method.class_name.as_str().replace('/', ".")).arg(&*method.name.as_str());
        command.arg(&*method.type_.descriptor().as_str()).args(words::of_all(&path.inputs));
        command.stdin(Stdio::null()).stdout(File::create(&stdout)?).stderr(File::create(&stderr)?);
        let mut group = Group::spawn(&mut command)?;
        let status = self.wait(&mut group, [&stdout, &stderr])?;
        drop(group);
        let [stdout, stderr] =
            [stdout, stderr].map(|path| String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned());
        let ending = match (fs::read_to_string(report), status) {
            (Ok(report), _) => parsed(&report),
            (Err(_), None) => RealEnding::TimedOut,
            (Err(_), Some(status)) if stderr.contains("lapidary.replay") => {
                RealEnding::Failed(format!("{status}\n{stderr}"))
            }
            (Err(_), Some(status)) => match status.code() {
                // In a sandbox, a JVM that was killed or has crashed seems to exit like this.
                Some(134 | 137 | 139) if self.sandbox.is_some() => RealEnding::Failed(status.to_string()),
                code => code.map_or_else(|| RealEnding::Failed(status.to_string()), RealEnding::Exited),
            },
        };
        Ok(Replayed { ending, stdout, stderr })
    }

    /// A command that runs a program of `crates/java-workers/workers/replay` on the JVM. In a
    /// sandbox, it can write to the directory `written`.
    pub(crate) fn command(&self, program: &str, written: Option<&Path>) -> io::Result<Command> {
        let class_path = std::env::join_paths(&self.class_path).map_err(io::Error::other)?;
        let mut command = self.start_of_command(written)?;
        command.args(Replay::JVM_OPTIONS).arg("-cp").arg(class_path).arg(program);
        command.process_group(0);
        Ok(command)
    }

    /// The command up to the options of the JVM.
    fn start_of_command(&self, written: Option<&Path>) -> io::Result<Command> {
        let Some(sandbox) = &self.sandbox else { return Ok(Command::new(&self.java)) };
        let here = std::env::current_dir()?;
        let sandbox = sandbox.clone().reads(&here).reads_tool(&self.java);
        let sandbox = self.class_path.iter().fold(sandbox, |sandbox, path| sandbox.reads(path));
        let sandbox = written.into_iter().fold(sandbox, Sandbox::writes);
        let mut command = Command::new(sandbox.program());
        command.args(sandbox.arguments(&here)).arg(&self.java);
        Ok(command)
    }

    /// The exit status, or `None` if the process took too long or printed too much.
    fn wait(&self, group: &mut Group, printed: [&PathBuf; 2]) -> io::Result<Option<ExitStatus>> {
        let deadline = Instant::now() + self.timeout;
        loop {
            group.notice_sandbox();
            if let Some(status) = group.leader.try_wait()? {
                return Ok(Some(status));
            }
            let floods = || printed.iter().any(|path| path.metadata().is_ok_and(|file| file.len() > PRINTED));
            if Instant::now() >= deadline || floods() {
                return Ok(None);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Replayed {
    /// How the JVM differs from the path in its ending or output; `None` if they agree.
    pub fn difference(&self, path: &PathEnd) -> Option<String> {
        self.other_ending(path).or_else(|| {
            (path.stdout != self.stdout)
                .then(|| format!("the path prints {:?}, and the real machine {:?}", path.stdout, self.stdout))
        })
    }

    /// How the JVM's ending differs from that of the path; `None` if they agree.
    pub fn other_ending(&self, path: &PathEnd) -> Option<String> {
        let same_ending = match (&path.outcome, &self.ending) {
            (Outcome::Returned(None), RealEnding::Returned(None)) => true,
            (Outcome::Returned(Some(value)), RealEnding::Returned(Some(real))) => same_value(value, real),
            (
                Outcome::Threw { class, message, trace },
                RealEnding::Threw { class: real, message: real_message, places },
            ) => class == real && same_message(message, real_message.as_deref()) && same_place(class, trace, places),
            (Outcome::Exited(code), RealEnding::Exited(real)) => code == real,
            _ => false,
        };
        (!same_ending).then(|| format!("the path {}, and the real machine {}", path.outcome, self.ending))
    }

    /// Adds to a path what only the real JVM knows: the message of an exception.
    pub fn completed(&self, path: &PathEnd) -> PathEnd {
        let mut path = path.clone();
        if let (
            Outcome::Threw { message: ours @ Message::Unknown, .. },
            RealEnding::Threw { message: Some(real), .. },
        ) = (&mut path.outcome, &self.ending)
        {
            *ours = Message::Text(real.clone());
        }
        path
    }
}

/// An unknown message equals any other. For a failed cast, our message may be a prefix of the real
/// one.
fn same_message(ours: &Message, real: Option<&str>) -> bool {
    match ours {
        Message::Unknown => true,
        Message::None => real.is_none(),
        Message::Text(text) => {
            real == Some(text)
                || text.contains(" cannot be cast to ") && real.is_some_and(|real| real.starts_with(text.as_str()))
        }
    }
}

/// Whether the innermost place of our trace occurs in the real one. Library calls that the machine
/// implements itself are missing from our trace. The place of a stack overflow depends on the stack
/// size and is ignored.
fn same_place(class: &str, ours: &[String], real: &[String]) -> bool {
    match ours.first() {
        Some(place) => class == "java.lang.StackOverflowError" || real.is_empty() || real.contains(place),
        None => true,
    }
}

fn same_value(ours: &ReturnValue, real: &str) -> bool {
    match ours {
        ReturnValue::Object(_) | ReturnValue::Shown(..) => real.starts_with("O:"),
        // The predicted text has lost its unpaired surrogates.
        ReturnValue::Text(text) => real.strip_prefix("T:").is_some_and(|digits| text_of_digits(digits) == *text),
        value => returned_word(value) == real,
    }
}

/// A return value in the format of the replay program.
fn returned_word(value: &ReturnValue) -> String {
    match value {
        ReturnValue::Number(Number::Integer(number)) => format!("I:{number}"),
        ReturnValue::Number(Number::Float(number)) => format!("F:{}", canonical(*number).to_bits() as i32),
        ReturnValue::Number(Number::Double(number)) => {
            format!("D:{}", if number.is_nan() { f64::NAN } else { *number }.to_bits() as i64)
        }
        ReturnValue::Null => "N".to_owned(),
        ReturnValue::Text(text) => {
            format!("T:{}", text.encode_utf16().map(|unit| format!("{unit:04x}")).collect::<String>())
        }
        ReturnValue::Array(values) => format!("[{}]", values.iter().map(returned_word).collect::<Vec<_>>().join(",")),
        ReturnValue::Truth(holds) => format!("I:{}", u8::from(*holds)),
        ReturnValue::Character(unit) => format!("I:{unit}"),
        ReturnValue::Object(class) | ReturnValue::Shown(class, _) => format!("O:{class}"),
    }
}

fn canonical(number: f32) -> f32 {
    if number.is_nan() { f32::NAN } else { number }
}

fn parsed(report: &str) -> RealEnding {
    let mut fields = report.split('\t');
    match (fields.next(), fields.next(), fields.next(), fields.next()) {
        (Some("refused"), None, None, None) => RealEnding::Refused,
        (Some("returned"), Some("-"), None, None) => RealEnding::Returned(None),
        (Some("returned"), Some(value), None, None) => RealEnding::Returned(Some(value.to_owned())),
        (Some("threw"), Some(class), Some(message), Some(places)) => {
            let message = message.strip_prefix("T:").map(text_of_digits);
            let places = places.split(' ').filter(|place| *place != "-").map(str::to_owned).collect();
            RealEnding::Threw { class: class.to_owned(), message, places }
        }
        _ => RealEnding::Failed(report.to_owned()),
    }
}

/// A number as Java prints it, where Rust has another name for it.
fn in_java(number: String) -> String {
    number.replace("inf", "Infinity")
}

/// How a call ended, by the beginning of a report of the replay program: `returned\tI:1`, or
/// `threw\tCLASS`.
pub fn ending_of_report(report: &str) -> RealEnding {
    match report.split_once('\t') {
        Some(("threw", class)) if !class.contains('\t') => {
            RealEnding::Threw { class: class.to_owned(), message: None, places: Vec::new() }
        }
        _ => parsed(report),
    }
}

/// A word of the replay program as Java would write it.
pub(crate) fn spoken(word: &str) -> String {
    if let Some(inner) = word.strip_prefix('[').and_then(|word| word.strip_suffix(']')) {
        let parts: Vec<String> = inner.split(',').filter(|part| !part.is_empty()).map(spoken).collect();
        return format!("[{}]", parts.join(", "));
    }
    match word.split_once(':') {
        Some(("I", number)) => number.to_owned(),
        Some(("F", bits)) => {
            bits.parse().map_or(word.to_owned(), |bits: i32| in_java(format!("{:?}", f32::from_bits(bits as u32))))
        }
        Some(("D", bits)) => {
            bits.parse().map_or(word.to_owned(), |bits: i64| in_java(format!("{:?}", f64::from_bits(bits as u64))))
        }
        Some(("T", digits)) => crate::input::quoted(units_of_digits(digits)),
        Some(("O", class)) => format!("an object of {class}"),
        _ if word == "N" => "null".to_owned(),
        _ => word.to_owned(),
    }
}

pub fn text_of_digits(digits: &str) -> String {
    String::from_utf16_lossy(&units_of_digits(digits))
}

fn units_of_digits(digits: &str) -> Vec<u16> {
    let units = digits.as_bytes().chunks(4);
    units.filter_map(|unit| u16::from_str_radix(std::str::from_utf8(unit).ok()?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_in_java() {
        let shown = |report: &str| ending_of_report(report).to_string();
        assert_eq!(shown("returned\tT:00000031"), r#"returns "\u00001""#, "no escape takes a digit with it");
        assert_eq!(shown("returned\tT:000a005c006e0022"), r#"returns "\n\\n\"""#);
        assert_eq!(shown("returned\tT:0001d800"), r#"returns "\u0001\ud800""#);
        assert_eq!(shown("returned\t[I:1,T:0000]"), r#"returns [1, "\u0000"]"#);
        let infinity = f64::NEG_INFINITY.to_bits() as i64;
        assert_eq!(shown(&format!("returned\tD:{infinity}")), "returns -Infinity");
        assert_eq!(shown("threw\tjava.lang.Error"), "throws java.lang.Error");
    }

    #[test]
    fn reports_are_read_back() {
        let threw = parsed("threw\tjava.lang.Error\tT:00610062\tjava.util.List.of:3 A.b:7");
        let places = vec!["java.util.List.of:3".to_owned(), "A.b:7".to_owned()];
        assert_eq!(threw, RealEnding::Threw { class: "java.lang.Error".into(), message: Some("ab".into()), places });
        assert_eq!(parsed("returned\t-"), RealEnding::Returned(None));
        assert_eq!(parsed("returned\tI:1"), RealEnding::Returned(Some("I:1".into())));
        assert!(matches!(parsed("nonsense"), RealEnding::Failed(_)));
    }
}
