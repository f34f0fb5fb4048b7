//! A program that traces itself, made while it is still being found out how the original fails.
//!
//! What the dynamic slice needs takes as long to compile as all else that comes before the search. It is run only when the
//! failing statement is known: two runs at once may disturb each other.

use super::stages::Target;
use crate::build::Build;
use crate::execution::Execution;
use crate::slicing::Slicer;
use lapidary_clang_model::{Project, Readers};
use lapidary_predicate::Timeout;
use lapidary_reduce::{Cancel, FileTree, Key};
use lapidary_slice::{Criterion, Slice};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a run may take that is watched.
const LONGEST_RUN: Duration = Duration::from_secs(60);

/// The program to be watched. Dropping it ends what is being done.
pub struct Watching {
    tree: Key,
    cancel: Cancel,
    thread: Mutex<Option<Thread>>,
}

struct Thread {
    criterion: Sender<Criterion>,
    slice: JoinHandle<Option<Slice>>,
}

impl Watching {
    /// Begins with it. `cancel` fires when the user wants to stop.
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
        let slice = std::thread::spawn(move || {
            let execution = in_time(&execution, deadline)?;
            let slicer = Slicer { project: &project, build: &build, execution: &execution };
            let units = readers.units(&project, &tree).ok()?;
            let program = slicer.traced_program(&tree, &units, &until).ok()?;
            // Nobody asks if there is no failure.
            program.slice(&asked.recv().ok()?, &until).ok()
        });
        Watching { tree: key, cancel, thread: Mutex::new(Some(Thread { criterion, slice })) }
    }

    /// Whether it is about this program.
    pub(super) fn is_of(&self, tree: &FileTree) -> bool {
        tree.key() == self.tree
    }

    /// The slice of the program. It is given once.
    pub(super) fn slice(&self, criterion: &Criterion) -> Option<Slice> {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        // It may have given up already.
        let _ = thread.criterion.send(criterion.clone());
        thread.slice.join().ok()?
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.cancel.cancel();
        if let Some(Thread { criterion, slice }) = self.thread.get_mut().unwrap_or_else(PoisonError::into_inner).take()
        {
            drop(criterion);
            let _ = slice.join();
        }
    }
}

/// The dynamic slice of a program that was not watched before.
pub(super) fn slice_now(target: &Target, tree: &FileTree, criterion: &Criterion) -> Option<Slice> {
    let execution = in_time(&target.execution, target.deadline)?;
    let slicer = Slicer { project: &target.project, build: &target.build, execution: &execution };
    let units = target.units(tree)?;
    slicer.dynamic_slice(tree, &units, criterion, &target.cancel).ok()
}

/// The same execution for a watched run that is to end before the time is up. None if there is hardly any.
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
