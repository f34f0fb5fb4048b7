//! The real JVM on which programs run with given inputs.

use lapidary_java_workers::Replay;
use lapidary_predicate::Sandbox;
use lapidary_symbolic::Replayer;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How programs run on the real JVM.
#[derive(Clone, Debug)]
pub struct RealJvm<'a> {
    /// The libraries of the programs.
    pub libraries: &'a [PathBuf],
    /// How long one run may take.
    pub timeout: Duration,
    pub sandbox: &'a Option<Sandbox>,
}

impl RealJvm<'_> {
    /// A replayer for a program, which is a jar or a directory of classes.
    pub fn replayer(&self, replay: &Replay, program: &Path) -> Replayer {
        let mut class_path = vec![replay.classes.clone(), program.to_owned()];
        class_path.extend(self.libraries.iter().cloned());
        Replayer { java: replay.java.clone(), class_path, timeout: self.timeout, sandbox: self.sandbox.clone() }
    }
}
