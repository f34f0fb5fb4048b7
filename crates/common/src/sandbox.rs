//! Command lines that run a program in a sandbox made by bubblewrap.
//!
//! In the sandbox there is no network and no other process. The file system is read-only, and the
//! directories for everybody's files are private and empty: `/tmp`, `/run` with its sockets, and
//! the home directory. What a run needs from them is put back read-only, at the same path.
//!
//! Invariant: a program in the sandbox writes to the paths given to [`Sandbox::writes`], and nowhere
//! else that outlives it. It ends when the thread that started it does, with all its descendants.

use crate::program::on_path_from;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;
use std::sync::OnceLock;

/// When to run a program in a sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SandboxMode {
    /// Always; it is an error if there is none.
    On,
    /// Never.
    Off,
    /// If bubblewrap works on this machine.
    Auto,
}

impl SandboxMode {
    /// The names of all modes.
    pub const NAMES: [&str; 3] = ["on", "off", "auto"];

    /// The sandbox to use, if any. In mode `Auto`, a machine without bubblewrap is no error.
    pub fn sandbox(self) -> Result<Option<Sandbox>, NoSandbox> {
        match self {
            SandboxMode::On => Sandbox::new().map(Some),
            SandboxMode::Off => Ok(None),
            SandboxMode::Auto => Ok(Sandbox::new().ok()),
        }
    }
}

impl FromStr for SandboxMode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "on" => Ok(SandboxMode::On),
            "off" => Ok(SandboxMode::Off),
            "auto" => Ok(SandboxMode::Auto),
            _ => Err(format!("`{text}` is none of {}", SandboxMode::NAMES.join(", "))),
        }
    }
}

/// Why there is no sandbox, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSandbox(String);

impl fmt::Display for NoSandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoSandbox {}

/// A sandbox that can be made, with the paths that a program in it can see and change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sandbox {
    machine: &'static Machine,
    mounts: Vec<Mount>,
}

/// The parts of a sandbox that are the same for all runs of this process.
#[derive(Debug, PartialEq, Eq)]
struct Machine {
    bubblewrap: PathBuf,
    /// The directories that are private in the sandbox.
    hidden: Vec<PathBuf>,
    /// Tools below the hidden directories.
    tools: Vec<PathBuf>,
}

/// The order is that of mounting at the same path: the last one wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum How {
    Private,
    Readable,
    Writable,
}

/// A path inside the sandbox. The derived order puts a directory before what is in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Mount {
    inside: PathBuf,
    how: How,
    /// The path outside.
    source: PathBuf,
}

/// Options of every sandbox. Without capabilities, not even root can mount a path writable again.
/// Without the terminal's session, a program cannot type for the user.
const OPTIONS: [&str; 14] = [
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-ipc",
    "--new-session",
    "--die-with-parent",
    "--cap-drop",
    "ALL",
];

/// Directories of the home in which package managers put programs.
const TOOLS: [&str; 8] = [".cargo", ".rustup", ".pyenv", ".nvm", ".sdkman", ".jdks", ".m2", ".nix-profile"];

impl Sandbox {
    /// A sandbox in which nothing can be written. Bubblewrap is tried once for each process.
    pub fn new() -> Result<Sandbox, NoSandbox> {
        static MACHINE: OnceLock<Result<Machine, NoSandbox>> = OnceLock::new();
        let machine = MACHINE.get_or_init(Machine::probe).as_ref().map_err(Clone::clone)?;
        Ok(Sandbox { machine, mounts: Vec::new() })
    }

    /// Shows the tools that the user has installed in the home directory, as far as the environment
    /// or their usual names tell.
    #[must_use]
    pub fn reads_installed_tools(self) -> Sandbox {
        let machine = self.machine;
        machine.tools.iter().fold(self, |sandbox, tool| sandbox.reads(tool))
    }

    /// Shows a path that is below a private directory. Of a file, the whole directory is shown,
    /// since programs look for other files beside it.
    #[must_use]
    pub fn reads(mut self, path: &Path) -> Sandbox {
        for name in names_of(path) {
            let beside = name.parent().filter(|parent| name.is_file() && !self.machine.hides(parent));
            let shown = beside.unwrap_or(&name);
            if self.machine.hides_below(shown) {
                self.mount(How::Readable, shown);
            }
        }
        self
    }

    /// Shows a program with the files of its installation: of `X/bin/java`, all of `X`.
    #[must_use]
    pub fn reads_tool(mut self, program: &Path) -> Sandbox {
        let directories = names_of(program).into_iter().filter_map(|name| Some(name.parent()?.to_owned()));
        for installation in directories.map(|directory| self.machine.installation(directory)).collect::<Vec<_>>() {
            if self.machine.hides_below(&installation) && !self.machine.hides(&installation) {
                self.mount(How::Readable, &installation);
            }
        }
        self.reads(program)
    }

    /// Shows all absolute paths in the words of a command line, also in lists such as class paths
    /// and in options such as `--config=FILE`.
    #[must_use]
    pub fn reads_words(self, words: &[OsString]) -> Sandbox {
        let parts = words.iter().flat_map(|word| word.as_bytes().split(|&byte| byte == b':' || byte == b'='));
        let paths = parts.map(|part| Path::new(OsStr::from_bytes(part)));
        let machine = self.machine;
        paths.filter(|path| path.is_absolute() && !machine.hides(path)).fold(self, Sandbox::reads)
    }

    /// Lets the program write to a directory or file.
    #[must_use]
    pub fn writes(mut self, path: &Path) -> Sandbox {
        names_of(path).iter().for_each(|name| self.mount(How::Writable, name));
        self
    }

    /// Hides the files of a directory.
    #[must_use]
    pub fn hides(mut self, path: &Path) -> Sandbox {
        if let Ok(inside) = path.canonicalize()
            && !self.machine.hides_below(&inside)
        {
            self.mounts.push(Mount { inside, how: How::Private, source: PathBuf::new() });
        }
        self
    }

    fn mount(&mut self, how: How, inside: &Path) {
        let Ok(source) = inside.canonicalize() else { return };
        // Where the way to a link is not hidden, the link leads to the mount of what it means.
        if source != inside && !self.machine.hides_below(inside) {
            return;
        }
        let mount = Mount { inside: inside.into(), how, source };
        if !self.mounts.contains(&mount) {
            self.mounts.push(mount);
        }
    }

    /// The program that makes the sandbox.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.machine.bubblewrap
    }

    /// The arguments that come before the command to run, which starts in this directory.
    #[must_use]
    pub fn arguments(&self, directory: &Path) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = OPTIONS.map(OsString::from).to_vec();
        let private = |path: &PathBuf| Mount { inside: path.clone(), how: How::Private, source: PathBuf::new() };
        let mut mounts: Vec<Mount> = self.machine.hidden.iter().map(private).collect();
        mounts.extend(self.mounts.iter().cloned());
        mounts.sort();
        // Every mount takes a tenth of a millisecond, so none is made that changes nothing.
        for mount in without_repetitions(mounts) {
            match mount.how {
                How::Private => arguments.extend(["--tmpfs".into(), mount.inside.into()]),
                How::Readable => arguments.extend(["--ro-bind".into(), mount.source.into(), mount.inside.into()]),
                How::Writable => arguments.extend(["--bind".into(), mount.source.into(), mount.inside.into()]),
            }
        }
        arguments.extend(["--chdir".into(), directory.into(), "--".into()]);
        arguments
    }
}

impl Machine {
    fn probe() -> Result<Machine, NoSandbox> {
        let Some(bubblewrap) = on_path_from("bwrap", Path::new("/")) else {
            return Err(NoSandbox("bubblewrap is not installed (apt install bubblewrap)".into()));
        };
        let output = Command::new(&bubblewrap).args(OPTIONS).args(["--", "/bin/sh", "-c", ":"]).output();
        let reason = match output {
            Ok(output) if output.status.success() => return Ok(Machine::with(bubblewrap)),
            Ok(output) => String::from_utf8_lossy(&output.stderr).trim().replace('\n', "; "),
            Err(error) => error.to_string(),
        };
        Err(NoSandbox(format!(
            "bubblewrap may not make one here ({reason}); allow user namespaces, in a container for example with \
             --security-opt seccomp=unconfined"
        )))
    }

    fn with(bubblewrap: PathBuf) -> Machine {
        let shared = ["/tmp", "/run"].map(PathBuf::from).into_iter();
        let home = std::env::home_dir();
        let real = shared.chain(home.clone()).filter_map(|path| path.canonicalize().ok());
        let hidden: Vec<PathBuf> = real.filter(|path| path.is_dir() && path.parent().is_some()).collect();
        let mut machine = Machine { bubblewrap, hidden, tools: Vec::new() };
        let mut tools: Vec<PathBuf> = home.iter().flat_map(|home| TOOLS.map(|tool| home.join(tool))).collect();
        tools.extend(std::env::vars_os().filter(|(name, _)| names_tools(name)).flat_map(|(_, value)| {
            std::env::split_paths(&value).map(|path| machine.installation(path)).collect::<Vec<_>>()
        }));
        tools.retain(|path| path.is_dir() && machine.hides_below(path) && !machine.hides(path));
        tools.sort();
        tools.dedup();
        machine.tools = tools;
        machine
    }

    /// The directory of a tool: for `X/bin` that is `X`, which also has its libraries.
    fn installation(&self, path: PathBuf) -> PathBuf {
        let is_of_programs = path.file_name().is_some_and(|name| name == "bin" || name == "shims");
        match path.parent() {
            Some(parent) if is_of_programs && !self.hides(parent) => parent.to_owned(),
            _ => path,
        }
    }

    /// Whether this is one of the private directories or contains one.
    fn hides(&self, path: &Path) -> bool {
        self.hidden.iter().any(|hidden| hidden.starts_with(path))
    }

    /// Whether the path is in a private directory.
    fn hides_below(&self, path: &Path) -> bool {
        self.hidden.iter().any(|hidden| path.starts_with(hidden))
    }
}

/// The mounts, in order, without those that show what the mount around them shows already.
fn without_repetitions(mounts: Vec<Mount>) -> Vec<Mount> {
    let mut kept: Vec<Mount> = Vec::with_capacity(mounts.len());
    for mount in mounts {
        let around = kept.iter().rev().find(|around| mount.inside.starts_with(&around.inside));
        let repeats = |around: &Mount| {
            let below = mount.inside.strip_prefix(&around.inside).unwrap_or(Path::new(""));
            around.how == How::Readable && mount.how == How::Readable && around.source.join(below) == mount.source
        };
        if !around.is_some_and(repeats) {
            kept.push(mount);
        }
    }
    kept
}

/// The real path and, if links lead to it, the given one. There is none if nothing is there.
fn names_of(path: &Path) -> Vec<PathBuf> {
    let (Ok(real), Ok(given)) = (path.canonicalize(), std::path::absolute(path)) else { return Vec::new() };
    if real == given { vec![real] } else { vec![real, given] }
}

/// Whether an environment variable says where programs and their libraries are.
fn names_tools(name: &OsStr) -> bool {
    let name = name.as_bytes();
    name.ends_with(b"PATH") || name.ends_with(b"_HOME") && !name.starts_with(b"XDG_")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(hidden: &[&Path]) -> &'static Machine {
        let hidden = hidden.iter().map(|path| path.to_path_buf()).collect();
        Box::leak(Box::new(Machine { bubblewrap: "/usr/bin/bwrap".into(), hidden, tools: Vec::new() }))
    }

    fn words(sandbox: &Sandbox) -> String {
        let words: Vec<String> =
            sandbox.arguments(Path::new("/")).iter().map(|word| word.to_string_lossy().into_owned()).collect();
        words[OPTIONS.len()..].join(" ")
    }

    #[test]
    fn directories_are_mounted_before_what_is_in_them() {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().canonicalize().unwrap();
        let [project, job] = ["project", "project/job"].map(|name| home.join(name));
        std::fs::create_dir_all(&job).unwrap();
        std::fs::write(project.join("test.sh"), "").unwrap();
        let sandbox = Sandbox { machine: machine(&[&home]), mounts: Vec::new() };
        let sandbox = sandbox.writes(&job).reads(&project.join("test.sh"));
        let [home, project, job] = [home, project, job].map(|path| path.display().to_string());
        let expected = format!("--tmpfs {home} --ro-bind {project} {project} --bind {job} {job} --chdir / --");
        assert_eq!(words(&sandbox), expected);
    }

    #[test]
    fn only_what_is_hidden_is_shown_again() {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().canonicalize().unwrap();
        let jar = home.join("lib/a.jar");
        std::fs::create_dir(home.join("lib")).unwrap();
        std::fs::write(&jar, "").unwrap();
        let sandbox = Sandbox { machine: machine(&[&home]), mounts: Vec::new() };
        let list = OsString::from(format!("-cp=/usr/share:{}:{}:/none", jar.display(), home.display()));
        let shown = words(&sandbox.reads(Path::new("/usr")).reads_words(&[list]));
        let home = home.display();
        assert_eq!(shown, format!("--tmpfs {home} --ro-bind {home}/lib {home}/lib --chdir / --"));
    }

    #[test]
    fn what_is_shown_already_is_not_shown_again() {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().canonicalize().unwrap();
        let [outer, job, inner] = ["a", "a/job", "a/job/in"].map(|name| home.join(name));
        std::fs::create_dir_all(&inner).unwrap();
        let sandbox = Sandbox { machine: machine(&[&home]), mounts: Vec::new() };
        let shown = |sandbox: Sandbox| words(&sandbox).matches("bind").count();
        assert_eq!(shown(sandbox.clone().reads(&inner).reads(&outer)), 1);
        assert_eq!(shown(sandbox.reads(&inner).reads(&outer).writes(&job)), 3, "what is writable around it counts");
    }

    #[test]
    fn a_file_of_the_home_is_shown_alone_and_links_keep_their_names() {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().canonicalize().unwrap();
        std::fs::write(home.join("test.sh"), "").unwrap();
        std::os::unix::fs::symlink("test.sh", home.join("link")).unwrap();
        let sandbox = Sandbox { machine: machine(&[&home]), mounts: Vec::new() }.reads(&home.join("link"));
        let home = home.display();
        let script = format!("{home}/test.sh");
        let expected =
            format!("--tmpfs {home} --ro-bind {script} {home}/link --ro-bind {script} {script} --chdir / --");
        assert_eq!(words(&sandbox), expected);
    }

    #[test]
    fn tools_are_named_by_paths_and_homes() {
        let named = ["PATH", "LD_LIBRARY_PATH", "JAVA_HOME", "HOME", "XDG_CONFIG_HOME", "SSH_AUTH_SOCK"]
            .map(|name| names_tools(OsStr::new(name)));
        assert_eq!(named, [true, true, true, false, false, false]);
        let machine = machine(&[Path::new("/home/u")]);
        let installed = |path: &str| machine.installation(path.into()).display().to_string();
        assert_eq!(installed("/home/u/.cargo/bin"), "/home/u/.cargo");
        assert_eq!(installed("/home/u/bin"), "/home/u/bin");
    }
}
