//! Tests as predicates: candidate directories, command runs, limits, expectations.
//!
//! [`CommandPredicate`] answers "does it still fail?" by running a command on the candidate.
//! Whatever the command does (hang, fork daemons, print without end, delete its directory), the
//! answer is a verdict, no process stays running, and we touch nothing outside the candidate's
//! directory.
//!
//! [`Judge`] turns its runs, and those of every other [`Runner`], into verdicts. A test that runs
//! in a container or on a cluster brings back an [`Observation`] and is judged by the same
//! [`Rules`].
//!
//! [`WorkerPredicate`] asks a process that stays alive instead. [`TestPredicate`] is the interface
//! that both share. A [`Conversation`] talks to a long-lived process that is not a test.
//!
//! ```
//! use lapidary_predicate::{CommandConfig, CommandPredicate};
//! use lapidary_reduce::{Cancel, FileTree, Predicate, Verdict};
//!
//! // Interesting: the command complains about a semicolon.
//! let complain = "grep -q ';' \"$1\" && echo 'stray semicolon' >&2; exit 1";
//! let test = CommandPredicate::new(CommandConfig {
//!     arguments: ["-c", complain, "sh", "{}"].map(Into::into).to_vec(),
//!     expectations: vec!["exit=1".parse()?, "stderr~stray semicolon".parse()?],
//!     ..CommandConfig::new("sh")
//! })?;
//! let judged = |text: &str| test.judge(&FileTree::file("input.txt", text), &Cancel::new());
//! assert_eq!(judged("a ; b")?.verdict, Verdict::Interesting);
//! assert_eq!(judged("a b")?.reason.to_string(), "stderr does not match /stray semicolon/");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Sandbox`] keeps a test from the network and from writing outside its directories.
//!
//! A test that kills its parent with SIGKILL does end the run. Then the [`warden`] ends the
//! remaining processes and removes the scratch directory, and the journal allows the run to be
//! resumed.

#![warn(missing_docs)]

mod blobs;
mod candidate;
mod capture;
mod cgroup;
mod channel;
mod command;
mod conversation;
mod criteria;
mod disturbance;
mod enclosure;
mod ending;
mod expect;
mod inside;
mod kept_text;
mod limits;
mod normalise;
mod proc;
mod process;
mod program;
mod reaper;
mod runner;
mod scratch;
mod test_predicate;
mod trash;
pub mod warden;
mod worker;

pub use cgroup::limits_are_shared;
pub use command::{CommandConfig, CommandError, CommandPredicate, LocalCommand, Workplace};
pub use conversation::{Conversation, Heard};
pub use criteria::{Agreement, Assessed, Criteria, Observation, Rules, Timeout};
pub use disturbance::{Disturbance, Kills};
pub use ending::{Ending, parse_signal as signal_number};
pub use expect::{Aspect, Expectation, Preserve};
pub use kept_text::KeptText;
pub use lapidary_common::sandbox::{NoSandbox, Sandbox, SandboxMode};
pub use limits::Limits;
pub use normalise::Normaliser;
pub use process::{Captured, Finished, Launch, Task, run};
pub use program::{ProgramError, resolve};
pub use reaper::protect;
pub use runner::{Judge, Runner};
pub use scratch::{Job, Scratch, ScratchError};
pub use test_predicate::TestPredicate;
pub use worker::{WorkerAnswer, WorkerConfig, WorkerHello, WorkerPredicate, WorkerStatistics};
