//! The lines of a journal in their JSON form.

use crate::{Judgment, Key, Verdict};
use lapidary_logic::{Var, VarSet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Not;
use std::time::Duration;

/// Any line of a journal except the header.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Line {
    Test(TestLine),
    Stage(StageLine),
    End(EndLine),
    Skip(SkipLine),
    Done(DoneLine),
    Output(OutputLine),
}

impl Line {
    /// A whole line of a file, by the name of its first field.
    pub fn parse(line: &[u8]) -> Option<Line> {
        let body = unsealed(line)?;
        let name = body.strip_prefix(b"{\"")?.split(|&byte| byte == b'"').next()?;
        match name {
            b"test" => serde_json::from_slice(body).map(Line::Test).ok(),
            b"stage" => serde_json::from_slice(body).map(Line::Stage).ok(),
            b"end" => serde_json::from_slice(body).map(Line::End).ok(),
            b"skip" => serde_json::from_slice(body).map(Line::Skip).ok(),
            b"done" => serde_json::from_slice(body).map(Line::Done).ok(),
            b"output" => serde_json::from_slice(body).map(Line::Output).ok(),
            _ => None,
        }
    }

    /// When it was written.
    pub fn at(&self) -> f64 {
        match self {
            Line::Test(test) => test.at,
            Line::Stage(stage) => stage.at,
            Line::End(end) => end.at,
            Line::Skip(skip) => skip.at,
            Line::Done(done) => done.at,
            Line::Output(output) => output.at,
        }
    }
}

/// A stage begins.
#[derive(Serialize, Deserialize)]
pub struct StageLine {
    pub stage: String,
    pub round: u32,
    pub strategy: String,
    pub items: usize,
    pub clauses: usize,
    pub bytes: u64,
    /// The label and kind of every item, if there are few.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<(String, String)>,
    pub at: f64,
}

/// A test is settled.
#[derive(Serialize, Deserialize)]
pub struct TestLine {
    pub test: u64,
    pub key: String,
    #[serde(default, skip_serializing_if = "Judged::is_uninteresting")]
    pub verdict: Judged,
    /// Omitted if it repeats the reason of the last test with the same verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(default, skip_serializing_if = "Not::not")]
    pub timed_out: bool,
    #[serde(default, skip_serializing_if = "Not::not")]
    pub disturbed: bool,
    pub bytes: u64,
    /// The variables removed from the last interesting candidate of the stage, as ranges.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub removed: String,
    /// The variables added to the last interesting candidate of the stage, as ranges.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub added: String,
    #[serde(default, skip_serializing_if = "Not::not")]
    pub improved: bool,
    pub seconds: f64,
    pub at: f64,
}

/// A stage has ended.
#[derive(Serialize, Deserialize)]
pub struct EndLine {
    pub end: String,
    pub round: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<RemovedLine>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_removed: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<KeptLine>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_kept: usize,
    pub at: f64,
}

/// An item that a stage removed: its label and kind, the bytes that went with it, and the label of
/// the item around it.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub enum RemovedLine {
    Inside(String, String, u64, String),
    Alone(String, String, u64),
    /// As the first programs with this format wrote it.
    Named(String, String),
}

/// An item that a stage kept, with the reason if known.
#[derive(Serialize, Deserialize)]
pub struct KeptLine {
    pub item: usize,
    pub label: String,
    pub kind: String,
    /// The reason the test gave for rejecting a candidate without the item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// How many other items were missing from that candidate.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub with: usize,
    /// The items that need it because of a clause. Empty if it must always stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needed_by: Option<Vec<String>>,
}

/// The user skipped the stage in progress.
#[derive(Serialize, Deserialize)]
pub struct SkipLine {
    pub skip: String,
    pub round: u32,
    /// How many answers the stage had got, those from the cache included.
    pub answers: u64,
    pub at: f64,
}

/// The search has finished without being stopped.
#[derive(Serialize, Deserialize)]
pub struct DoneLine {
    pub done: bool,
    pub bytes: u64,
    /// Answers from the cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<u64>,
    pub at: f64,
}

/// The output of the test about the input or the result.
#[derive(Serialize, Deserialize)]
pub struct OutputLine {
    pub output: Of,
    pub reason: String,
    #[serde(default, skip_serializing_if = "Not::not")]
    pub is_uninteresting: bool,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stdout: String,
    #[serde(default, skip_serializing_if = "is_none")]
    pub more_stdout: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    #[serde(default, skip_serializing_if = "is_none")]
    pub more_stderr: u64,
    /// How a program failed. The engine does not look at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<serde_json::Value>,
    pub at: f64,
}

/// The candidate that an output is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Of {
    /// The input of the run.
    Input,
    /// The result of the run.
    Result,
}

fn is_none(number: &u64) -> bool {
    *number == 0
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A verdict in the journal's spelling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Judged {
    Interesting,
    /// The default for lines without a verdict, since most candidates are uninteresting.
    #[default]
    Uninteresting,
    Unresolved,
}

impl Judged {
    fn is_uninteresting(&self) -> bool {
        *self == Judged::Uninteresting
    }
}

impl From<Verdict> for Judged {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Interesting => Judged::Interesting,
            Verdict::Uninteresting => Judged::Uninteresting,
            Verdict::Unresolved => Judged::Unresolved,
        }
    }
}

impl From<Judged> for Verdict {
    fn from(judged: Judged) -> Self {
        match judged {
            Judged::Interesting => Verdict::Interesting,
            Judged::Uninteresting => Verdict::Uninteresting,
            Judged::Unresolved => Verdict::Unresolved,
        }
    }
}

/// The last reason for each verdict. A line that would repeat it omits it.
#[derive(Default)]
pub struct Reasons(BTreeMap<Judged, String>);

impl Reasons {
    /// The reason of a judgment, or `None` if it repeats the last one.
    pub fn shorten(&mut self, judgment: &Judgment) -> Option<String> {
        let verdict = Judged::from(judgment.verdict);
        if self.0.get(&verdict) == Some(&judgment.reason) {
            return None;
        }
        self.0.insert(verdict, judgment.reason.clone());
        Some(judgment.reason.clone())
    }

    /// The reason of a line, whether it is written or omitted.
    pub fn restore(&mut self, line: &TestLine) -> String {
        match &line.reason {
            Some(reason) => {
                self.0.insert(line.verdict, reason.clone());
                reason.clone()
            }
            None => self.0.get(&line.verdict).cloned().unwrap_or_default(),
        }
    }
}

impl TestLine {
    /// The judgment with the key of its candidate.
    pub fn judgment(&self, reasons: &mut Reasons) -> Option<(Key, Judgment)> {
        let reason = reasons.restore(self);
        let elapsed = Duration::try_from_secs_f64(self.seconds).ok()?;
        let Self { verdict, timed_out, disturbed, .. } = *self;
        let judgment = Judgment { verdict: verdict.into(), reason, timed_out, disturbed, elapsed };
        Some((Key::parse(&self.key)?, judgment))
    }
}

/// A line of the file: an object whose last field, `sum`, is a checksum of everything before it.
pub fn sealed(line: &impl Serialize) -> String {
    let mut text = serde_json::to_string(line).expect("a line is plain data");
    text.pop();
    let sum = checksum(text.as_bytes());
    text + &format!("{SUM}{sum}\"}}\n")
}

/// A line without its end, if it is whole and as it was written.
pub fn unsealed(line: &[u8]) -> Option<&[u8]> {
    let line = line.strip_suffix(b"\n")?;
    let (body, seal) = line.split_at_checked(line.len().checked_sub(SUM.len() + 10)?)?;
    let seal = seal.strip_prefix(SUM.as_bytes())?.strip_suffix(b"\"}")?;
    (seal == checksum(body).as_bytes()).then_some(line)
}

const SUM: &str = ",\"sum\":\"";

fn checksum(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..8].to_owned()
}

/// The version of the format that the first line of a journal names.
pub fn version(first: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct First {
        journal: u64,
    }
    serde_json::from_slice::<First>(first).ok().map(|first| first.journal)
}

/// Formats a set as ranges: `3-7,9` for the variables 3, 4, 5, 6, 7, 9.
pub fn ranges(vars: &VarSet) -> String {
    let mut text = String::new();
    let vars: Vec<Var> = vars.iter().collect();
    let mut rest = &vars[..];
    while let Some(first) = rest.first() {
        let length = rest.iter().enumerate().take_while(|(offset, var)| var.index() == first.index() + offset).count();
        if !text.is_empty() {
            text.push(',');
        }
        match length {
            1 => text.push_str(&first.index().to_string()),
            _ => text.push_str(&format!("{}-{}", first.index(), first.index() + length - 1)),
        }
        rest = &rest[length..];
    }
    text
}

/// Parses a text like `3-7,9` into the first and last variable of each range.
pub fn parse_ranges(text: &str) -> Option<Vec<(usize, usize)>> {
    let range = |part: &str| match part.split_once('-') {
        Some((first, last)) => Some((first.parse().ok()?, last.parse().ok()?)),
        None => part.parse().ok().map(|only| (only, only)),
    };
    text.split(',').filter(|part| !part.is_empty()).map(range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_short_and_can_be_read_back() {
        let vars = [1, 2, 3, 5, 8, 9].into_iter().map(Var::new);
        assert_eq!(ranges(&VarSet::of(10, vars)), "1-3,5,8-9");
        assert_eq!(ranges(&VarSet::empty(10)), "");
        assert_eq!(parse_ranges("1-3,5,8-9"), Some(vec![(1, 3), (5, 5), (8, 9)]));
        assert_eq!(parse_ranges(""), Some(Vec::new()));
        assert_eq!(parse_ranges("1-x"), None);
    }

    #[test]
    fn a_usual_test_takes_little_more_than_two_hundred_bytes() {
        let line = TestLine {
            test: 999_999,
            key: "0".repeat(64),
            verdict: Judged::Uninteresting,
            reason: Some("exit code 1".into()),
            timed_out: false,
            disturbed: false,
            bytes: 1_234_567,
            removed: "12345-12399".into(),
            added: String::new(),
            improved: false,
            seconds: 0.123456,
            at: 12345.678901,
        };
        let text = sealed(&Line::Test(line));
        assert!(text.len() < 220, "{} bytes: {text}", text.len());
    }

    #[test]
    fn a_line_that_was_changed_or_cut_is_not_taken_for_whole() {
        let line = sealed(&DoneLine { done: true, bytes: 12, cached: Some(3), at: 0.5 });
        assert!(matches!(Line::parse(line.as_bytes()), Some(Line::Done(_))));
        for at in 0..line.len() {
            let mut changed = line.clone().into_bytes();
            changed[at] ^= 1;
            assert!(unsealed(&changed).is_none(), "byte {at}");
            assert!(unsealed(&line.as_bytes()[..at]).is_none(), "cut at {at}");
        }
    }

    #[test]
    fn a_reason_is_written_once_for_each_verdict() {
        let (mut writing, mut reading) = (Reasons::default(), Reasons::default());
        let judgments = [
            Judgment::new(Verdict::Uninteresting, "exit code 1"),
            Judgment::new(Verdict::Interesting, "exit code 0"),
            Judgment::new(Verdict::Uninteresting, "exit code 1"),
            Judgment::new(Verdict::Uninteresting, "exit code 2"),
        ];
        let written: Vec<Option<String>> = judgments.iter().map(|judgment| writing.shorten(judgment)).collect();
        assert!(written[2].is_none() && written[3].is_some());
        for (judgment, reason) in judgments.iter().zip(written) {
            let line = TestLine {
                test: 1,
                key: String::new(),
                verdict: judgment.verdict.into(),
                reason,
                timed_out: false,
                disturbed: false,
                bytes: 0,
                removed: String::new(),
                added: String::new(),
                improved: false,
                seconds: 0.0,
                at: 0.0,
            };
            assert_eq!(reading.restore(&line), judgment.reason);
        }
    }
}
