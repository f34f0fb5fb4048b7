//! How a run ended, described in words for the journal.

use rustix::process::Signal;
use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The process ended by itself with this exit code.
    Exited(i32),
    /// A signal with this number ended the process.
    Signalled(i32),
    /// The run was ended after this time.
    TimedOut(Duration),
}

impl Ending {
    /// The exit code that a shell shows as `$?`: 128 + n for death by signal n.
    pub fn shell_code(&self) -> Option<i32> {
        match self {
            Ending::Exited(code) => Some(*code),
            Ending::Signalled(signal) => Some(128 + signal),
            Ending::TimedOut(_) => None,
        }
    }
}

impl From<ExitStatus> for Ending {
    fn from(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Ending::Exited(code),
            (None, signal) => Ending::Signalled(signal.unwrap_or_default()),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Exited(code) => write!(f, "exit code {code}"),
            Ending::Signalled(signal) => match signal_name(*signal) {
                Some(name) => write!(f, "killed by SIG{name}"),
                None => write!(f, "killed by signal {signal}"),
            },
            Ending::TimedOut(limit) => write!(f, "timed out after {:.1} s", limit.as_secs_f64()),
        }
    }
}

/// Parses a signal such as `SEGV`, `SIGSEGV` or `11`.
pub fn parse_signal(text: &str) -> Option<i32> {
    if let Ok(number) = text.parse() {
        return (1..=64).contains(&number).then_some(number);
    }
    let upper = text.to_ascii_uppercase();
    let name = upper.strip_prefix("SIG").unwrap_or(&upper);
    SIGNALS.iter().find(|(known, _)| *known == name).map(|(_, signal)| signal.as_raw())
}

/// Whether programs die of a signal with this number.
pub fn is_signal(number: i32) -> bool {
    signal_name(number).is_some()
}

fn signal_name(number: i32) -> Option<&'static str> {
    SIGNALS.iter().find(|(_, signal)| signal.as_raw() == number).map(|(name, _)| *name)
}

const SIGNALS: [(&str, Signal); 20] = [
    ("HUP", Signal::HUP),
    ("INT", Signal::INT),
    ("QUIT", Signal::QUIT),
    ("ILL", Signal::ILL),
    ("TRAP", Signal::TRAP),
    ("ABRT", Signal::ABORT),
    ("BUS", Signal::BUS),
    ("FPE", Signal::FPE),
    ("KILL", Signal::KILL),
    ("USR1", Signal::USR1),
    ("SEGV", Signal::SEGV),
    ("USR2", Signal::USR2),
    ("PIPE", Signal::PIPE),
    ("ALRM", Signal::ALARM),
    ("TERM", Signal::TERM),
    ("XCPU", Signal::XCPU),
    ("XFSZ", Signal::XFSZ),
    ("VTALRM", Signal::VTALARM),
    ("IO", Signal::IO),
    ("SYS", Signal::SYS),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_read_as_sentences() {
        assert_eq!(Ending::Exited(3).to_string(), "exit code 3");
        assert_eq!(Ending::Signalled(11).to_string(), "killed by SIGSEGV");
        assert_eq!(Ending::Signalled(40).to_string(), "killed by signal 40");
        assert_eq!(Ending::TimedOut(Duration::from_millis(2049)).to_string(), "timed out after 2.0 s");
    }

    #[test]
    fn signals_have_several_spellings() {
        assert_eq!([parse_signal("SEGV"), parse_signal("sigsegv"), parse_signal("11")], [Some(11); 3]);
        assert_eq!([parse_signal("0"), parse_signal("65"), parse_signal("NOPE")], [None; 3]);
    }
}
