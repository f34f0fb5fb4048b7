//! The worker that asks the JVM whether classes verify and link.

use crate::InstallError;
use crate::cache::Cache;
use crate::jdk::Jdk;
use crate::sources;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The compiled verifier, ready to run.
#[derive(Clone, Debug)]
pub struct Verifier {
    java: PathBuf,
    classes: PathBuf,
}

impl Verifier {
    /// Compiles the worker unless it is in the cache.
    pub fn install() -> Result<Verifier, InstallError> {
        let jdk = Jdk::find()?;
        let classes = jdk.compile_once("verifier", &sources::VERIFIER, &[], &Cache::of_user()?)?;
        Ok(Verifier { java: jdk.java, classes })
    }

    /// The program and arguments that start a worker. Classes that candidates refer to are also
    /// looked up in `libraries`. Problems of the original are not held against candidates.
    pub fn command(&self, libraries: &[PathBuf], original: &Path) -> (OsString, Vec<OsString>) {
        let mut arguments: Vec<OsString> =
            ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-cp"].map(Into::into).into();
        arguments.extend([self.classes.clone().into(), "lapidary.verifier.VerifyWorker".into(), "--worker".into()]);
        arguments.extend(["--baseline".into(), original.into()]);
        if let Ok(joined) = std::env::join_paths(libraries).map(|joined| joined.to_owned()) {
            arguments.extend((!libraries.is_empty()).then_some(["--classpath".into(), joined]).into_iter().flatten());
        }
        (self.java.clone().into(), arguments)
    }
}
