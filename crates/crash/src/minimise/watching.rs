//! A program that traces itself, built while the failure of the original is still being examined.
//!
//! Compiling the program for the dynamic slice takes as long as everything else before the search.
//! It is run only once the failing statement is known, since two simultaneous runs may disturb each
//! other.

use super::target::Target;
use crate::build::Build;
use crate::execution::Execution;
use crate::slicing::{Slicer, Traced};
use lapidary_clang_model::{Project, Readers};
use lapidary_predicate::Timeout;
use lapidary_reduce::{Cancel, FileTree, Key};
use lapidary_slice::{Criterion, KnownValue, Slice};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The maximum duration of a watched run.
const LONGEST_RUN: Duration = Duration::from_secs(60);

/// The program to watch. Dropping it cancels the work in progress.
pub struct Watching {
    tree: Key,
    cancel: Cancel,
    thread: Mutex<Option<Thread>>,
}

struct Thread {
    criterion: Sender<Criterion>,
    seen: JoinHandle<Option<Seen>>,
}

/// The findings of a watched run.
pub(super) struct Seen {
    /// The statements that influenced the failure.
    pub slice: Option<Slice>,
    /// The values that expressions had.
    pub values: Vec<KnownValue>,
}

impl Seen {
    fn of(run: &Traced<'_>, criterion: &Criterion) -> Seen {
        Seen { slice: run.slice(criterion).ok(), values: run.values() }
    }
}

impl Watching {
    /// Starts building the program. `cancel` fires when the user wants to stop.
    pub fn start(
        project: Project,
        readers: Arc<Readers>,
        build: Build,
        execution: Execution,
        tree: FileTree,
        deadline: Option<Instant>,
        cancel: &Cancel,
    ) -> Self {
        let (cancel, key) = (cancel.child(), tree.key());
        let (criterion, asked) = channel();
        let until = cancel.clone();
        let seen = std::thread::Builder::new().spawn(move || {
            let execution = in_time(&execution, deadline)?;
            let slicer = Slicer { project: &project, build: &build, execution: &execution };
            let units = readers.units(&project, &tree).ok()?;
            let program = slicer.traced_program(&tree, &units, &until).ok()?;
            // The channel closes without a message if there is no failure.
            let criterion = asked.recv().ok()?;
            Some(Seen::of(&program.run(&until).ok()?, &criterion))
        });
        // If the system has no thread to spare, the program is not watched.
        let thread = seen.ok().map(|seen| Thread { criterion, seen });
        Watching { tree: key, cancel, thread: Mutex::new(thread) }
    }

    /// Returns whether the watched program is this one.
    pub(super) fn is_of(&self, tree: &FileTree) -> bool {
        tree.key() == self.tree
    }

    /// Runs the program. Later calls return `None`.
    pub(super) fn run(&self, criterion: &Criterion) -> Option<Seen> {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        // The thread may have given up already.
        let _ = thread.criterion.send(criterion.clone());
        thread.seen.join().ok()?
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.cancel.cancel();
        if let Some(Thread { criterion, seen }) = self.thread.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            drop(criterion);
            let _ = seen.join();
        }
    }
}

/// Builds and runs a program that was not being watched.
pub(super) fn run_now(target: &Target, tree: &FileTree, criterion: &Criterion) -> Option<Seen> {
    let execution = in_time(&target.execution, target.deadline)?;
    let slicer = Slicer { project: &target.project, build: &target.build, execution: &execution };
    let units = target.units(tree)?;
    let program = slicer.traced_program(tree, &units, &target.cancel).ok()?;
    Some(Seen::of(&program.run(&target.cancel).ok()?, criterion))
}

/// Returns the execution with a time limit for a watched run that ends before the deadline. `None`
/// if no time is left.
fn in_time(execution: &Execution, deadline: Option<Instant>) -> Option<Execution> {
    let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let timeout = match (left, execution.timeout) {
        (Some(Duration::ZERO), _) => return None,
        (Some(left), Timeout::Fixed(timeout)) => Timeout::Fixed(left.min(timeout)),
        (Some(left), Timeout::Adaptive) => Timeout::Fixed(left.min(LONGEST_RUN)),
        (None, given) => given,
    };
    Some(Execution { timeout, ..execution.clone() })
}
