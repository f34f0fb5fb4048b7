//! The two versions to compare, as a user names them.

use std::path::PathBuf;
use std::time::Duration;

/// Where the two versions come from.
#[derive(Clone, Debug)]
pub enum Versions {
    /// Jars, or directories of classes.
    Given {
        /// The old version.
        old: PathBuf,
        /// The new version.
        new: PathBuf,
    },
    /// Versions of the git repository in the current directory, built in work trees of their own.
    Git {
        /// Two versions, as in `v1.2..HEAD`, or one to compare with the working tree.
        range: String,
        /// The shell command that builds a version.
        build: String,
        /// Where the build puts its classes or its jar, relative to the top of the repository.
        classes: PathBuf,
        /// How long the build of one version may take.
        time: Duration,
    },
}
