//! The supported decompilers, and the installation of one as a worker.

use crate::InstallError;
use crate::cache::Cache;
use crate::jdk::Jdk;
use crate::maven::Artifact;
use crate::sources::{self, Source};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A decompiler in one of its versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decompiler {
    kind: &'static Kind,
    version: String,
}

/// An installed decompiler, ready to run.
#[derive(Clone, Debug)]
pub struct Installed {
    java: PathBuf,
    classes: PathBuf,
    jars: Vec<PathBuf>,
    adapter: &'static str,
}

#[derive(Debug)]
struct Kind {
    name: &'static str,
    /// The worker class that drives this decompiler.
    adapter: &'static str,
    artifacts: &'static [Artifact],
    /// The class with `main`, if the artifacts have one.
    main: Option<&'static str>,
    /// The default version.
    version: &'static str,
    sources: &'static [Source],
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Kind {}

static KINDS: [Kind; 4] = [
    Kind {
        name: "cfr",
        adapter: "Cfr",
        artifacts: &[Artifact { group: "org.benf", name: "cfr" }],
        main: Some("org.benf.cfr.reader.Main"),
        version: "0.152",
        sources: &sources::CFR,
    },
    Kind {
        name: "procyon",
        adapter: "Procyon",
        artifacts: &[
            Artifact { group: "org.bitbucket.mstrobel", name: "procyon-compilertools" },
            Artifact { group: "org.bitbucket.mstrobel", name: "procyon-core" },
        ],
        main: None,
        version: "0.6.0",
        sources: &sources::PROCYON,
    },
    Kind {
        name: "vineflower",
        adapter: "Vineflower",
        artifacts: &[Artifact { group: "org.vineflower", name: "vineflower" }],
        main: Some("org.jetbrains.java.decompiler.main.decompiler.ConsoleDecompiler"),
        version: "1.11.1",
        sources: &sources::VINEFLOWER,
    },
    Kind {
        name: "fernflower",
        adapter: "Fernflower",
        artifacts: &[Artifact { group: "org.jboss.windup.decompiler.fernflower", name: "windup-fernflower" }],
        main: Some("org.jetbrains.java.decompiler.main.decompiler.ConsoleDecompiler"),
        version: "1.0.0.20171018",
        sources: &sources::FERNFLOWER,
    },
];

/// The names of all decompilers, for messages.
fn known() -> String {
    KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}

impl Decompiler {
    /// Parses `NAME` or `NAME=VERSION`.
    pub fn parse(text: &str) -> Result<Self, InstallError> {
        let (name, version) = text.split_once('=').map_or((text, None), |(name, version)| (name, Some(version)));
        let kind = KINDS.iter().find(|kind| kind.name.eq_ignore_ascii_case(name.trim()));
        let kind = kind.ok_or_else(|| InstallError::Unknown { name: name.into(), known: known() })?;
        let version = version.map_or(kind.version, str::trim);
        // The version becomes part of file names and of Maven's command line.
        let allowed = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
        match !version.is_empty() && version.chars().all(allowed) && !version.starts_with(['.', '-']) {
            true => Ok(Decompiler { kind, version: version.into() }),
            false => Err(InstallError::Version(version.into())),
        }
    }

    pub fn name(&self) -> &'static str {
        self.kind.name
    }

    pub fn version(&self) -> &str {
        &self.version
    }

    /// The jars that make the decompiler, as Maven names them.
    pub fn artifacts(&self) -> &'static [Artifact] {
        self.kind.artifacts
    }

    /// The class with `main` for use without Lapidary, if the artifacts have one.
    pub fn main_class(&self) -> Option<&'static str> {
        self.kind.main
    }

    /// The jars of the decompiler, if all are in the cache: nothing is fetched.
    pub fn cached(&self) -> Option<Vec<PathBuf>> {
        let cache = Cache::of_user().ok()?;
        self.kind.artifacts.iter().map(|artifact| artifact.cached(&self.version, &cache)).collect()
    }

    /// Fetches the decompiler and compiles the worker, unless both are in the cache. Slow steps are
    /// announced through `say`.
    pub fn install(&self, say: &mut dyn FnMut(&str)) -> Result<Installed, InstallError> {
        let cache = Cache::of_user()?;
        let jdk = Jdk::find()?;
        let fetch = |artifact: &Artifact| artifact.fetch(&self.version, &cache, say);
        let jars = self.kind.artifacts.iter().map(fetch).collect::<Result<Vec<_>, _>>()?;
        let name = format!("{}-{}", self.name(), self.version);
        let classes = jdk.compile_once(&name, &self.sources(), &jars, &cache);
        let classes = classes.map_err(|error| self.blame_version(error))?;
        Ok(Installed { java: jdk.java, classes, jars, adapter: self.kind.adapter })
    }

    /// The decompiler, if that needs no network: all of its jars are in the cache.
    pub fn in_cache(&self) -> Option<Installed> {
        let cache = Cache::of_user().ok()?;
        let is_there = |artifact: &Artifact| artifact.place(&self.version, &cache).is_file();
        self.artifacts().iter().all(is_there).then(|| self.install(&mut |_| {}).ok()).flatten()
    }

    /// Blames a compile error of the worker on the version, because the worker compiles with the
    /// version it was tested with.
    fn blame_version(&self, error: InstallError) -> InstallError {
        let (name, tried) = (self.name(), self.kind.version);
        match error {
            InstallError::Compile { output, .. } if self.version != tried => {
                InstallError::OtherInterface { name, version: self.version.clone(), tried, output }
            }
            error => error,
        }
    }

    fn sources(&self) -> Vec<Source> {
        [&sources::COMMON[..], self.kind.sources].concat()
    }
}

impl FromStr for Decompiler {
    type Err = InstallError;

    fn from_str(text: &str) -> Result<Self, InstallError> {
        Decompiler::parse(text)
    }
}

impl Installed {
    /// The jars of the decompiler, in the order of [`Decompiler::artifacts`].
    pub fn jars(&self) -> &[PathBuf] {
        &self.jars
    }

    /// The program and arguments that start a worker. The compiler sees `libraries`; the decompiler
    /// sees only the candidate and the JDK, as it does when run without options.
    pub fn command(&self, libraries: &[PathBuf]) -> (OsString, Vec<OsString>) {
        let mut arguments = self.arguments("lapidary.Main");
        arguments.extend(libraries.iter().map(|library| {
            let mut argument = OsString::from("--library=");
            argument.push(std::path::absolute(library).unwrap_or_else(|_| library.clone()));
            argument
        }));
        (self.java.clone().into(), arguments)
    }

    /// The program and arguments that decompile a jar once and write the sources into a directory,
    /// which exists. Nothing of the jar is executed.
    pub fn command_for_sources(&self, jar: &Path, into: &Path) -> (OsString, Vec<OsString>) {
        let mut arguments = self.arguments("lapidary.Show");
        arguments.extend([jar.into(), into.into()]);
        (self.java.clone().into(), arguments)
    }

    fn arguments(&self, main: &str) -> Vec<OsString> {
        let class_path = std::iter::once(&self.classes).chain(&self.jars);
        let class_path = std::env::join_paths(class_path).unwrap_or_default();
        let mut arguments: Vec<OsString> = JVM_OPTIONS.map(Into::into).into();
        arguments.extend(["-cp".into(), class_path, main.into(), self.adapter.into()]);
        arguments
    }
}

/// Options of the JVM. The first compiler alone is faster, because candidates differ and jobs share
/// the cores. Messages must not depend on the user's language.
const JVM_OPTIONS: [&str; 7] = [
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-Xshare:auto",
    "-Xmx2g",
    "-Duser.language=en",
    "-Duser.country=US",
    "-Dfile.encoding=UTF-8",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decompiler_has_a_name_and_perhaps_a_version() {
        let parsed = |text| Decompiler::parse(text).map(|found| (found.name(), found.version().to_owned()));
        assert_eq!(parsed("cfr").unwrap(), ("cfr", "0.152".to_owned()));
        assert_eq!(parsed("Vineflower=1.10.1").unwrap(), ("vineflower", "1.10.1".to_owned()));
        for wrong in ["", "jd", "cfr=", "cfr=../x", "cfr=1 2", "cfr=-Dx"] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
        let message = Decompiler::parse("jad").unwrap_err().to_string();
        assert!(message.contains("cfr, procyon, vineflower, fernflower"), "{message}");
    }

    #[test]
    fn a_worker_that_does_not_compile_is_blamed_on_the_version() {
        let blamed = |text| {
            let failed = InstallError::Compile { javac: "javac".into(), output: "cannot find symbol".into() };
            Decompiler::parse(text).unwrap().blame_version(failed).to_string()
        };
        let message = blamed("vineflower=1.8.1");
        let words = ["vineflower 1.8.1", "vineflower=1.11.1 is known to work", "cannot find symbol"];
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
        assert!(blamed("vineflower").contains("a JDK 17 or newer is needed"));
    }

    #[test]
    fn workers_of_different_sources_do_not_share_a_place() {
        let keys =
            ["cfr", "procyon", "vineflower"].map(|name| sources::key(&Decompiler::parse(name).unwrap().sources()));
        assert_eq!(keys.iter().collect::<std::collections::BTreeSet<_>>().len(), 3);
    }

    #[test]
    fn the_command_starts_the_adapter_with_all_libraries() {
        let installed = Installed {
            java: "/jdk/bin/java".into(),
            classes: "/cache/worker".into(),
            jars: vec!["/cache/cfr.jar".into()],
            adapter: "Cfr",
        };
        let (program, arguments) = installed.command(&["/lib/a.jar".into(), "/lib/b.jar".into()]);
        let arguments: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
        assert_eq!(program, "/jdk/bin/java");
        let (_, tail) = arguments.split_at(JVM_OPTIONS.len());
        let expected = ["-cp", "/cache/worker:/cache/cfr.jar", "lapidary.Main", "Cfr"];
        assert_eq!(tail[..4], expected);
        assert_eq!(tail[4..], ["--library=/lib/a.jar", "--library=/lib/b.jar"]);
    }
}
