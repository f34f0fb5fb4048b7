//! `versions.txt`: the versions of everything involved, as the journal noted them, and as they are
//! now.

use lapidary_common::program::on_path;
use lapidary_common::sandbox::SandboxMode;
use lapidary_predicate::{Launch, Limits, Scratch, Task, run};
use lapidary_reduce::Cancel;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Programs that tell their version when asked with `--version`, by the beginnings of their names.
const KNOWN: [&str; 49] = [
    "gcc", "g++", "cc", "c++", "cpp", "clang", "clang++", "tcc", "icx", "ld", "lld", "mold", "gold", "as", "rustc",
    "cargo", "javac", "java", "jar", "mvn", "gradle", "kotlinc", "scalac", "python", "pypy", "perl", "ruby", "node",
    "deno", "bun", "php", "lua", "ghc", "ocaml", "gfortran", "gnat", "swiftc", "zig", "nim", "sqlite3", "psql",
    "duckdb", "jq", "qemu", "valgrind", "gdb", "cmake", "make", "tsc",
];

/// The text of the file. `noted` are the versions of the journal; `tools` the programs to ask; `by`
/// says what Lapidary has done: `reduced` or `found`.
pub(crate) fn text(noted: &[String], tools: &BTreeSet<String>, by: &str, lapidary: &str) -> String {
    let mut text = String::new();
    if !noted.is_empty() {
        text.push_str("during the run:\n");
        noted.iter().for_each(|tool| text.push_str(&format!("  {}\n", super::plain::one_line(tool))));
    }
    text.push_str("when this was packed:\n");
    for tool in tools {
        let told = ask(tool).unwrap_or_else(|| "does not tell its version".to_owned());
        text.push_str(&format!("  {}: {}\n", super::plain::one_line(tool), super::plain::one_line(&told)));
    }
    text.push_str(&format!("  system: {}\n", system()));
    text.push_str(&format!("  kernel: {}\n", kernel()));
    ask("ldd").iter().for_each(|libc| text.push_str(&format!("  C library: {}\n", super::plain::one_line(libc))));
    text.push_str(&format!("  {by} with: Lapidary {}\n", super::plain::one_line(lapidary)));
    text
}

/// The known tools on PATH that a script mentions outside of its comments.
pub(crate) fn mentioned(script: &str) -> BTreeSet<String> {
    let code: String = script.lines().flat_map(|line| [without_comment(line), "\n"]).collect();
    let words = code.split(|c: char| !(c.is_alphanumeric() || "_-+.".contains(c))).filter(|word| word.len() < 40);
    let words: BTreeSet<&str> = words.filter(|word| is_known(word)).collect();
    words.into_iter().filter(|word| on_path(word).is_some()).map(str::to_owned).collect()
}

fn without_comment(line: &str) -> &str {
    match line.trim_start().starts_with("#!") {
        true => line,
        false => line.strip_prefix('#').map_or_else(|| line.split(" #").next().unwrap_or(line), |_| ""),
    }
}

/// Whether a program can be asked for its version without harm: `gcc`, `gcc-14`, `python3.12`.
pub(crate) fn is_known(name: &str) -> bool {
    KNOWN.iter().any(|known| {
        name.strip_prefix(known).is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || ".-".contains(c)))
    })
}

/// The first line that says something about the version.
fn ask(tool: &str) -> Option<String> {
    let program = if tool.contains('/') { Path::new(tool).to_owned() } else { on_path(tool)? };
    let scratch = Arc::new(Scratch::new().ok()?);
    let job = scratch.empty_job().ok()?;
    let arguments: [OsString; 1] = ["--version".into()];
    let sandbox = SandboxMode::Auto.sandbox().ok().flatten();
    let sandbox = sandbox.map(|sandbox| sandbox.reads_installed_tools().reads_tool(&program).writes(job.directory()));
    let limits = Limits::default();
    let launch = Launch {
        program: &program,
        arguments: &arguments,
        directory: job.directory(),
        temporary: job.temporary(),
        environment: &[("LC_ALL".into(), "C".into())],
        marker: &job.marker,
        limits: &limits,
        sandbox: sandbox.as_ref(),
    };
    let task = Task { launch, stdin: None, timeout: Duration::from_secs(20), keep: 1 << 14 };
    let finished = run(&task, &Cancel::default()).ok()?;
    let text = [finished.stdout.head, finished.stderr.head].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    let line = text.lines().map(str::trim).find(|line| line.chars().any(|c| c.is_ascii_digit()))?;
    Some(super::plain::without_home(&line.chars().take(200).collect::<String>()))
}

fn system() -> String {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    name.map_or_else(|| std::env::consts::OS.to_owned(), |name| super::plain::one_line(name.trim_matches('"')))
}

/// The kernel and the processor, without the name of the machine.
fn kernel() -> String {
    let known = rustix::system::uname();
    let parts = [known.sysname(), known.release(), known.machine()];
    super::plain::one_line(&parts.map(|part| part.to_string_lossy().into_owned()).join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_are_recognised_by_their_names() {
        assert!(
            is_known("gcc")
                && is_known("gcc-14")
                && is_known("python3.12")
                && is_known("clang++")
                && is_known("clang++-19")
        );
        assert!(!is_known("rm") && !is_known("gccc") && !is_known("asset") && !is_known("make-trouble"));
        let script = "#!/usr/bin/env python3\n# cargo as it was\nexec gcc -c $1 # make it, no-such\n";
        assert_eq!(mentioned(script), BTreeSet::from(["gcc".to_owned(), "python3".to_owned()]));
    }

    #[test]
    fn the_versions_say_what_the_machine_is_and_not_what_it_is_called() {
        let text = text(&["JDK 21".into()], &BTreeSet::from(["gcc".into()]), "reduced", "0.1.0");
        for words in ["during the run:\n  JDK 21\n", "gcc: ", "kernel: Linux", "C library: ", "Lapidary 0.1.0"] {
            assert!(text.contains(words), "{words} in {text}");
        }
        let known = rustix::system::uname();
        let parts = [known.sysname(), known.release(), known.machine()];
        assert_eq!(kernel().split(' ').collect::<Vec<_>>(), parts.map(|part| part.to_str().unwrap()));
    }
}
