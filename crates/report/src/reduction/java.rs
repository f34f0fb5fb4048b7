//! Classes as source: decompiled by CFR if the user has it, otherwise disassembled by the JDK.
//!
//! Of the original, only the classes that are left are looked at. A tool gets classes as files with
//! names of our own, never on its class path and never by their names on its command line, so that
//! nothing of the program is executed and no name is taken for an option.

use super::sources::Pair;
use crate::code::Language;
use lapidary_common::jdk;
use lapidary_jvm::{Compression, Jar, Limits, read_jar, write_jar};
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
    let Some(tool) = Tool::find(tools) else {
        let note = "The classes are not shown as source: there is no JDK, and CFR was never used here.";
        return Made { notes: vec![note.to_owned()], ..Made::default() };
    };
    let (Ok(after), Ok(mut original)) = (tool.run(&left), tool.run(&before)) else {
        let note = format!("The classes are not shown as source: {} failed on them.", tool.name());
        return Made { notes: vec![note], ..Made::default() };
    };
    let pair = |(name, after): (String, String)| Pair {
        before: original.remove(&name),
        language: Language::named(if matches!(tool, Tool::Cfr(..)) { "java" } else { "bytecode" }),
        was: name.clone(),
        name,
        after,
    };
    let pairs = after.into_iter().map(pair).collect();
    Made { pairs, notes: vec![format!("Classes are shown as {} sees them.", tool.name())] }
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

/// A tool that makes source of classes.
enum Tool {
    /// The Java program, and the jar of CFR.
    Cfr(PathBuf, PathBuf),
    /// The disassembler of the JDK.
    Javap(PathBuf),
}

impl Tool {
    fn find(tools: &[String]) -> Option<Tool> {
        let cfr = jdk::tool("java").and_then(|java| Some(Tool::Cfr(java, cfr(tools)?)));
        cfr.or_else(|| jdk::tool("javap").map(Tool::Javap))
    }

    fn name(&self) -> String {
        match self {
            Tool::Cfr(_, jar) => jar.file_stem().unwrap_or_default().to_string_lossy().replace('-', " "),
            Tool::Javap(_) => "javap".to_owned(),
        }
    }

    /// Sources by name.
    fn run(&self, classes: &Classes) -> std::io::Result<BTreeMap<String, String>> {
        if classes.is_empty() {
            return Ok(BTreeMap::new());
        }
        let place = TempDir::with_prefix("lapidary-report-")?;
        let jar = place.path().join("classes.jar");
        fs::write(&jar, packed(classes)?)?;
        let out = place.path().join("out");
        fs::create_dir(&out)?;
        match self {
            Tool::Cfr(java, cfr) => {
                let mut command = Command::new(java);
                command.args([
                    "-Xmx1g",
                    "-XX:TieredStopAtLevel=1",
                    "-Duser.language=en",
                    "-Dfile.encoding=UTF-8",
                    "-jar",
                ]);
                command.arg(cfr).arg(&jar).arg("--outputdir").arg(&out).args([
                    "--silent",
                    "true",
                    "--comments",
                    "false",
                ]);
                end_in_time(&mut command)?;
                let mut made = BTreeMap::new();
                gather(&out, &out, &mut made);
                Ok(made)
            }
            Tool::Javap(javap) => {
                let text = place.path().join("text");
                let mut command = Command::new(javap);
                command.args(["-J-Duser.language=en", "-p", "-c"]).current_dir(&out);
                for (number, content) in classes.values().enumerate() {
                    let name = format!("{number}.class");
                    fs::write(out.join(&name), content)?;
                    command.arg(name);
                }
                command.stdout(fs::File::create(&text)?);
                end_in_time(&mut command)?;
                let text = String::from_utf8_lossy(&fs::read(&text)?).into_owned();
                Ok(BTreeMap::from([("classes".to_owned(), text)]))
            }
        }
    }
}

/// The jar of CFR that a run with `--decompiler` fetched, in the version of this run if it is there.
fn cfr(tools: &[String]) -> Option<PathBuf> {
    let absolute = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")))?;
    let jars = cache.join("lapidary/jars");
    let wanted = tools.iter().find_map(|tool| tool.strip_prefix("cfr "));
    let of_run = wanted.map(|version| jars.join(format!("cfr-{version}.jar"))).filter(|jar| jar.is_file());
    let any = || {
        let entries = fs::read_dir(&jars).ok()?.flatten().map(|entry| entry.path());
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
    let mut child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn()?;
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

    /// As bare names, these would be options of `javap`, one of which loads an agent.
    #[test]
    fn names_of_classes_are_no_options() {
        let directory = tempfile::tempdir().unwrap();
        let source = "class A { int answer() { return 42; } }";
        lapidary_testkit::javac_texts(&[], directory.path(), &[("A.java", source)]);
        let content = fs::read(directory.path().join("A.class")).unwrap();
        let classes = Classes::from([("-J-javaagent:a.jar.class".to_owned(), content)]);
        let javap = Tool::Javap(jdk::tool("javap").expect("tests need a JDK"));
        let text = javap.run(&classes).unwrap().remove("classes").unwrap();
        assert!(text.contains("bipush        42"), "{text}");
    }

    #[test]
    fn a_tool_that_fails_is_an_error() {
        let javap = Tool::Javap(jdk::tool("javap").expect("tests need a JDK"));
        let damaged = Classes::from([("A.class".to_owned(), vec![0xca, 0xfe, 0xba, 0xbe, 0, 0])]);
        assert!(javap.run(&damaged).is_err());
    }
}
