//! The JDK that compiles and runs the worker.

use crate::InstallError;
use crate::cache::Cache;
use crate::sources::{self, Source};
use lapidary_common::{jdk, program::on_path};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub struct Jdk {
    pub java: PathBuf,
    javac: PathBuf,
}

impl Jdk {
    /// Finds the JDK of JAVA_HOME, or the one whose compiler is on PATH.
    pub fn find() -> Result<Self, InstallError> {
        let javac = jdk::tool("javac").ok_or(InstallError::NoJdk("javac"))?;
        // The compiler is part of the worker, so the worker must run on the JDK that contains it,
        // not on any java.
        let real = javac.canonicalize().unwrap_or_else(|_| javac.clone());
        let beside = real.with_file_name("java");
        let java = if beside.is_file() { Some(beside) } else { on_path("java") };
        Ok(Jdk { java: java.ok_or(InstallError::NoJdk("java"))?, javac })
    }

    /// Returns the compiled sources, from the cache if they are there.
    pub fn compile_once(
        &self,
        name: &str,
        sources: &[Source],
        jars: &[PathBuf],
        cache: &Cache,
    ) -> Result<PathBuf, InstallError> {
        let place = cache.place(format!("workers/{name}-{}", sources::key(sources)));
        if !place.is_dir() {
            let workshop = cache.workshop()?;
            let made = workshop.path().join("classes");
            self.compile(sources, jars, &made)?;
            cache.keep(&made, &place)?;
        }
        Ok(place)
    }

    /// Compiles sources against jars into a directory, which is created.
    fn compile(&self, sources: &[Source], jars: &[PathBuf], directory: &Path) -> Result<(), InstallError> {
        let failed = |error| InstallError::Write(directory.to_path_buf(), error);
        fs::create_dir_all(directory).map_err(failed)?;
        let mut command = Command::new(&self.javac);
        command.args(["--release", "17", "-encoding", "UTF-8", "-nowarn", "-proc:none", "-d"]).arg(directory);
        let class_path = std::env::join_paths(jars).unwrap_or_default();
        command.arg("-cp").arg(class_path);
        for (name, text) in sources {
            let path = directory.join(name);
            path.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
            fs::write(&path, text).map_err(failed)?;
            command.arg(path);
        }
        let output = output_of(&mut command);
        output.map(|_| ()).map_err(|output| InstallError::Compile { javac: self.javac.clone(), output })
    }
}

/// The output of a command, as `Err` if it failed.
pub fn output_of(command: &mut Command) -> Result<String, String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).trim().to_owned();
    if output.status.success() { Ok(text) } else { Err(text) }
}
