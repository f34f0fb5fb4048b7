//! Classes as source: by the decompiler under test if the run had one, otherwise by CFR if it is in
//! the cache, otherwise disassembled by us, which needs no JDK.
//!
//! Of the original, only the classes that are left are looked at. A decompiler gets classes in a jar
//! with a name of our own, never on its class path and never by their names on its command line, so
//! that nothing of the program is executed and no name is taken for an option.

use super::sources::Pair;
use crate::code::Language;
use lapidary_classfile::Class;
use lapidary_common::jdk;
use lapidary_java_workers::{Decompiler, Installed};
use lapidary_jvm::{Compression, Jar, Limits, disassemble, read_jar, write_jar};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// More classes are not decompiled.
const CLASSES: usize = 400;

/// A jar that unpacks to more is not looked at.
const LIMITS: Limits = Limits { entries: 1_000_000, total_bytes: 1 << 30, ratio: 200, ratio_from_bytes: 64 << 20 };

/// A tool that takes longer is ended.
const PATIENCE: Duration = Duration::from_secs(60);

/// Classes as source, and what should be known about that.
#[derive(Default)]
pub(super) struct Made {
    pub pairs: Vec<Pair>,
    pub notes: Vec<String>,
}

type Classes = BTreeMap<String, Vec<u8>>;

/// Whether a path is a jar, a class file, or a directory with class files.
pub(super) fn is_program(path: &Path) -> bool {
    let is_class = |path: &Path| path.extension().is_some_and(|kind| kind == "class" || kind == "jar" || kind == "war");
    match path.is_dir() {
        true => has_classes(path, 0),
        false => is_class(path),
    }
}

fn has_classes(directory: &Path, depth: usize) -> bool {
    const DEEPEST: usize = 24;
    let entries = fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_one = |path: PathBuf| match path.is_dir() && !path.is_symlink() {
        true => depth < DEEPEST && has_classes(&path, depth + 1),
        false => path.extension().is_some_and(|kind| kind == "class"),
    };
    entries.take(5000).any(is_one)
}

/// The classes of a result as source, beside those of the input.
pub(super) fn sources(result: &Path, input: Option<&Path>, tools: &[String]) -> Made {
    let mut left = classes(result);
    if left.len() > CLASSES {
        let note = format!("{} classes are left, too many to be shown as source.", left.len());
        return Made { notes: vec![note], ..Made::default() };
    }
    // Only class files are shown.
    left.retain(|_, content| content.starts_with(&[0xca, 0xfe, 0xba, 0xbe]));
    let mut before = input.map(classes).unwrap_or_default();
    before.retain(|name, _| left.contains_key(name));
    made_by(&Tool::all(tools, &Place::of_user()), &left, &before)
}

/// The classes as the first of the tools shows them that can do both versions.
fn made_by(tools: &[Tool], left: &Classes, before: &Classes) -> Made {
    let mut notes = Vec::new();
    for tool in tools {
        let (Ok(after), Ok(mut original)) = (tool.run(left), tool.run(before)) else {
            notes.push(format!("{} failed on the classes.", tool.name()));
            continue;
        };
        let pair = |(name, after): (String, String)| Pair {
            before: original.remove(&name),
            language: Language::named(if matches!(tool, Tool::Ours) { "bytecode" } else { "java" }),
            was: name.clone(),
            name,
            after,
        };
        notes.push(format!("Classes are shown as {} sees them.", tool.name()));
        return Made { pairs: after.into_iter().map(pair).collect(), notes };
    }
    Made { pairs: Vec::new(), notes }
}

/// The class files of a jar, a directory, or a file.
fn classes(path: &Path) -> Classes {
    let mut found = Classes::new();
    if path.is_dir() {
        collect(path, path, &mut found);
        return found;
    }
    let Ok(content) = fs::read(path) else { return found };
    match read_jar(&content, &LIMITS) {
        Ok(jar) => unpack(&jar, &mut found),
        Err(_) => drop(found.insert(path.file_name().unwrap_or_default().to_string_lossy().into_owned(), content)),
    }
    found
}

fn collect(root: &Path, directory: &Path, found: &mut Classes) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && !path.is_symlink() {
            collect(root, &path, found);
        } else if path.extension().is_some_and(|kind| kind == "class")
            && let (Ok(name), Ok(content)) = (path.strip_prefix(root), fs::read(&path))
        {
            found.insert(name.to_string_lossy().into_owned(), content);
        }
    }
}

fn unpack(jar: &Jar, found: &mut Classes) {
    for entry in &jar.entries {
        let is_inside = Path::new(&entry.name).components().all(|part| matches!(part, Component::Normal(_)));
        if entry.name.ends_with(".class") && is_inside {
            found.insert(entry.name.clone(), entry.bytes.to_vec());
        }
    }
}

/// The places where tools may be.
struct Place {
    java: Option<PathBuf>,
    /// The jars that runs with `--decompiler` fetched.
    jars: Option<PathBuf>,
}

impl Place {
    fn of_user() -> Place {
        let absolute = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let cache = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
        Place { java: jdk::tool("java"), jars: cache.map(|cache| cache.join("lapidary/jars")) }
    }
}

/// A tool that makes source of classes.
enum Tool {
    /// The decompiler that was under test, with its name and version.
    OfRun(Installed, String),
    /// The Java program, and the jar of CFR, which needs no compiler.
    Cfr(PathBuf, PathBuf),
    /// The disassembler of Lapidary, which cannot fail.
    Ours,
}

impl Tool {
    /// The tools that there are, the best first. `tools` are those of the run.
    fn all(tools: &[String], place: &Place) -> Vec<Tool> {
        let of_run = || {
            let tool = tools.iter().find(|tool| is_decompiler(tool) && !tool.starts_with("cfr "))?;
            let installed = Decompiler::parse(&tool.replacen(' ', "=", 1)).ok()?.in_cache()?;
            Some(Tool::OfRun(installed, tool.clone()))
        };
        let java = place.java.as_ref();
        let cfr = java.and_then(|java| Some(Tool::Cfr(java.clone(), cfr(tools, place.jars.as_deref()?)?)));
        java.and_then(|_| of_run()).into_iter().chain(cfr).chain([Tool::Ours]).collect()
    }

    fn name(&self) -> String {
        match self {
            Tool::OfRun(_, name) => name.clone(),
            Tool::Cfr(_, jar) => jar.file_stem().unwrap_or_default().to_string_lossy().replace('-', " "),
            Tool::Ours => "the disassembler of Lapidary".to_owned(),
        }
    }

    /// Sources by name.
    fn run(&self, classes: &Classes) -> std::io::Result<BTreeMap<String, String>> {
        match self {
            _ if classes.is_empty() => Ok(BTreeMap::new()),
            Tool::Ours => Ok(classes.iter().map(|(name, content)| (name.clone(), disassembled(content))).collect()),
            Tool::OfRun(installed, _) => decompiled(classes, |jar, out| {
                let (program, arguments) = installed.command_for_sources(jar, out);
                let mut command = Command::new(program);
                command.args(arguments);
                command
            }),
            Tool::Cfr(java, cfr) => decompiled(classes, |jar, out| {
                let mut command = Command::new(java);
                let options = ["-Xmx1g", "-XX:TieredStopAtLevel=1", "-Duser.language=en", "-Dfile.encoding=UTF-8"];
                command.args(options).arg("-jar").arg(cfr).arg(jar).arg("--outputdir").arg(out);
                command.args(["--silent", "true", "--comments", "false"]);
                command
            }),
        }
    }
}

/// Whether a tool of a run, as `procyon 0.6.0`, is a decompiler.
fn is_decompiler(tool: &str) -> bool {
    tool.split_once(' ').is_some_and(|(name, _)| Decompiler::parse(name).is_ok())
}

fn disassembled(content: &[u8]) -> String {
    Class::read(content)
        .map_or_else(|error| format!("// This class cannot be read: {error}\n"), |class| disassemble(&class))
}

/// The sources that a command makes of a jar in a directory.
fn decompiled(
    classes: &Classes,
    command: impl FnOnce(&Path, &Path) -> Command,
) -> std::io::Result<BTreeMap<String, String>> {
    let place = TempDir::with_prefix("lapidary-report-")?;
    let [jar, out] = ["classes.jar", "out"].map(|name| place.path().join(name));
    fs::write(&jar, packed(classes)?)?;
    fs::create_dir(&out)?;
    end_in_time(&mut command(&jar, &out))?;
    let mut made = BTreeMap::new();
    gather(&out, &out, &mut made);
    match made.is_empty() {
        true => Err(std::io::Error::other("no source was made")),
        false => Ok(made),
    }
}

/// The jar of CFR that a run with `--decompiler` fetched, in the version of this run if it is there.
fn cfr(tools: &[String], jars: &Path) -> Option<PathBuf> {
    let wanted = tools.iter().find_map(|tool| tool.strip_prefix("cfr "));
    let of_run = wanted.map(|version| jars.join(format!("cfr-{version}.jar"))).filter(|jar| jar.is_file());
    let any = || {
        let entries = fs::read_dir(jars).ok()?.flatten().map(|entry| entry.path());
        let is_cfr = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            name.starts_with("cfr-") && name.ends_with(".jar")
        };
        entries.filter(is_cfr).max()
    };
    of_run.or_else(any)
}

fn packed(classes: &Classes) -> std::io::Result<Vec<u8>> {
    let entries = classes.iter().map(|(name, content)| (name.as_str(), content.as_slice()));
    write_jar(entries, Compression::Stored).map_err(std::io::Error::other)
}

/// Runs a tool to its end, or kills it when its time is over. A tool that fails is an error.
fn end_in_time(command: &mut Command) -> std::io::Result<()> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return status.success().then_some(()).ok_or_else(|| std::io::Error::other(status.to_string()));
        }
        if begun.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Err(std::io::ErrorKind::TimedOut.into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn gather(root: &Path, directory: &Path, made: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            gather(root, &path, made);
        } else if path.extension().is_some_and(|kind| kind == "java")
            && let (Ok(name), Ok(content)) = (path.strip_prefix(root), fs::read(&path))
        {
            made.insert(name.to_string_lossy().into_owned(), String::from_utf8_lossy(&content).into_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_classes_inside_of_a_jar_are_taken() {
        let directory = tempfile::tempdir().unwrap();
        let jar = directory.path().join("a.jar");
        let entries = ["A.class", "../B.class", "/C.class", "p/D.class", "p/E.txt"];
        let content: Classes = entries.map(|name| (name.to_owned(), b"x".to_vec())).into();
        fs::write(&jar, packed(&content).unwrap()).unwrap();
        assert_eq!(classes(&jar).into_keys().collect::<Vec<_>>(), ["A.class", "p/D.class"]);
        assert!(is_program(&jar) && !is_program(directory.path()));
    }

    const SOURCE: &str = "package p; public class A { int answer() { return 6 * seven(); } int seven() { return 7; } }";

    /// The sample, under a name that would be an option of a tool that took it by its name.
    fn sample() -> Classes {
        let directory = tempfile::tempdir().unwrap();
        lapidary_testkit::javac_texts(&[], directory.path(), &[("A.java", SOURCE)]);
        let content = fs::read(directory.path().join("p/A.class")).unwrap();
        Classes::from([("-J-javaagent:a.jar.class".to_owned(), content)])
    }

    /// The jars of the user's cache, with this decompiler among them.
    fn installed(decompiler: &str) -> Place {
        let found = Decompiler::parse(decompiler).unwrap().install(&mut |line| eprintln!("{line}"));
        let place = Place::of_user();
        assert_eq!(found.unwrap().jars()[0].parent(), place.jars.as_deref());
        assert!(place.java.is_some(), "tests need a JDK");
        place
    }

    fn names(tools: &[&str], place: &Place) -> Vec<String> {
        let tools: Vec<String> = tools.iter().map(|tool| (*tool).to_owned()).collect();
        Tool::all(&tools, place).iter().map(Tool::name).collect()
    }

    const OURS: &str = "the disassembler of Lapidary";

    #[test]
    fn the_decompiler_of_the_run_is_the_first_choice() {
        let place = installed("cfr=0.152");
        for decompiler in ["procyon 0.6.0", "vineflower 1.11.1", "fernflower 1.0.0.20171018"] {
            installed(&decompiler.replace(' ', "="));
            let tools = ["openjdk 17.0.1".to_owned(), decompiler.to_owned()];
            let found = Tool::all(&tools, &place);
            assert_eq!(found.first().map(Tool::name).as_deref(), Some(decompiler));
            let made = found[0].run(&sample()).unwrap();
            let source = &made["p/A.java"];
            assert!(source.contains("public class A") && source.contains("6 * this.seven()"), "{decompiler}: {source}");
        }
    }

    #[test]
    fn cfr_is_the_choice_of_runs_without_a_decompiler() {
        let place = installed("cfr=0.152");
        assert_eq!(names(&["cfr 0.152"], &place)[0], "cfr 0.152");
        let found = Tool::all(&["openjdk 17.0.1".to_owned()], &place);
        assert!(matches!(found[..], [Tool::Cfr(..), Tool::Ours]));
        let class = sample().into_values().next().unwrap();
        let source = &found[0].run(&Classes::from([("p/A.class".to_owned(), class)])).unwrap()["p/A.java"];
        assert!(source.contains("return 6 * this.seven();"), "{source}");
    }

    #[test]
    fn without_a_jdk_or_a_decompiler_classes_are_disassembled() {
        let without_jdk = Place { java: None, ..installed("cfr=0.152") };
        assert_eq!(names(&["cfr 0.152", "procyon 0.6.0"], &without_jdk), [OURS]);
        let without_cache = Place { jars: None, ..Place::of_user() };
        assert_eq!(names(&["cfr 0.152"], &without_cache), [OURS]);
        let made = Tool::Ours.run(&sample()).unwrap();
        let text = &made["-J-javaagent:a.jar.class"];
        assert!(text.contains("public class p.A {") && text.contains("invokevirtual   seven(): int"), "{text}");
    }

    #[test]
    fn a_version_that_is_not_in_the_cache_is_not_fetched() {
        assert_eq!(names(&["procyon 99.9"], &Place { jars: None, ..Place::of_user() }), [OURS]);
    }

    #[test]
    fn a_class_that_cannot_be_read_says_so() {
        let damaged = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0];
        let text =
            Tool::Ours.run(&Classes::from([("A.class".to_owned(), damaged)])).unwrap().remove("A.class").unwrap();
        assert!(text.starts_with("// This class cannot be read: "), "{text}");
    }

    #[test]
    fn a_tool_that_fails_leaves_the_classes_to_the_next() {
        let cfr = Tool::Cfr("false".into(), "cfr-0.jar".into());
        assert!(cfr.run(&sample()).is_err());
        let made = made_by(&[cfr, Tool::Ours], &sample(), &Classes::new());
        assert_eq!(
            made.notes,
            ["cfr 0 failed on the classes.".to_owned(), format!("Classes are shown as {OURS} sees them.")]
        );
        assert!(made.pairs[0].after.contains("public class p.A"));
    }
}
