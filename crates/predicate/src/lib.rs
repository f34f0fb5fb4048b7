//! The outside world: candidate directories, command runs, limits, expectations.
//!
//! [`CommandPredicate`] answers "does it still fail?" by running a command on the candidate. Whatever the command does
//! (hang, fork daemons, print without end, delete its directory), the answer is a verdict, nothing stays running and
//! nothing outside the candidate's directory is touched by us.
//!
//! [`WorkerPredicate`] asks a process that stays alive instead. [`TestPredicate`] is what the two have in common.
//! A [`Conversation`] is with a process that stays alive for other reasons.
//!
//! One thing cannot be survived: a test that kills its parent with SIGKILL kills us. Then the [`warden`] ends what is
//! left and removes the scratch directory, and the journal of the run allows to resume.

mod blobs;
mod candidate;
mod capture;
mod channel;
mod command;
mod conversation;
mod criteria;
mod ending;
mod expect;
mod kept_text;
mod limits;
mod normalise;
mod proc;
mod process;
mod program;
mod reaper;
mod scratch;
mod test_predicate;
mod trash;
pub mod warden;
mod worker;

pub use command::{CommandConfig, CommandError, CommandPredicate, Workplace};
pub use conversation::{Conversation, Heard};
pub use criteria::{Observation, Timeout};
pub use ending::Ending;
pub use expect::{Aspect, Expectation, Preserve};
pub use kept_text::KeptText;
pub use limits::Limits;
pub use normalise::Normaliser;
pub use process::{Captured, Finished, Launch, Task, run};
pub use program::{ProgramError, resolve};
pub use reaper::protect;
pub use scratch::{Job, Scratch};
pub use test_predicate::TestPredicate;
pub use worker::{WorkerConfig, WorkerPredicate, WorkerStatistics};
