//! The classes of an archive one by one, and classes that no decompiler of the run has decompiled,
//! as `javap` prints them and as CFR decompiles them.

use lapidary_common::jdk;
use lapidary_java_model::Jar;
use lapidary_java_workers::Decompiler;
use lapidary_jvm::{Compression, write_jar};
use lapidary_reduce::{Entry, FileTree};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The most classes for which that is done.
const MANY: usize = 200;

/// The files by their paths in the bundle; none for other inputs. The classes are listed if `lists`
/// says so.
pub(crate) fn of(input: &FileTree, lists: bool) -> BTreeMap<PathBuf, Entry> {
    let jar = (!input.is_directory()).then(|| Jar::open(input).ok()).flatten();
    let tree = jar.as_ref().map_or(input, Jar::tree);
    let classes: Vec<(&Path, &Entry)> = tree.entries().filter(|(path, entry)| is_class(path, input, entry)).collect();
    if classes.is_empty() || classes.len() > MANY {
        return BTreeMap::new();
    }
    let mut files = BTreeMap::new();
    if jar.is_some() {
        files.extend(classes.iter().map(|(path, entry)| (Path::new("classes").join(path), (*entry).clone())));
    }
    if lists {
        files.extend(listed(&classes).unwrap_or_default());
    }
    files
}

/// The sources that CFR writes for the classes of an input; none if CFR is not in the cache, or finds
/// nothing that it can decompile in time.
pub(crate) fn decompiled(input: &FileTree) -> BTreeMap<PathBuf, Entry> {
    let jar = (!input.is_directory()).then(|| Jar::open(input).ok()).flatten();
    let tree = jar.as_ref().map_or(input, Jar::tree);
    let classes: Vec<(&Path, &Entry)> = tree.entries().filter(|(path, entry)| is_class(path, input, entry)).collect();
    match classes.len() {
        1..=MANY => by_cfr(&classes).unwrap_or_default(),
        _ => BTreeMap::new(),
    }
}

fn by_cfr(classes: &[(&Path, &Entry)]) -> Option<BTreeMap<PathBuf, Entry>> {
    const PATIENCE: Duration = Duration::from_secs(60);
    let cfr = Decompiler::parse("cfr").ok()?;
    let (jars, java) = (cfr.cached()?, jdk::tool("java")?);
    let place = tempfile::tempdir().ok()?;
    let entries = classes.iter().filter_map(|(path, entry)| match entry {
        Entry::File { content, .. } if path.as_os_str().is_empty() => Some(("Input.class".to_owned(), &**content)),
        Entry::File { content, .. } => Some((path.to_string_lossy().into_owned(), &**content)),
        _ => None,
    });
    let entries: Vec<(String, &[u8])> = entries.collect();
    let archive = write_jar(entries.iter().map(|(name, bytes)| (name.as_str(), *bytes)), Compression::Stored).ok()?;
    let (input, output) = (place.path().join("classes.jar"), place.path().join("decompiled"));
    fs::write(&input, archive).ok()?;
    let mut command = Command::new(java);
    command.args(["-Duser.language=en", "-cp"]).arg(std::env::join_paths(jars).ok()?).arg(cfr.main_class()?);
    command.arg(&input).arg("--outputdir").arg(&output).current_dir(place.path());
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
    let since = Instant::now();
    // Classes that nobody has written may keep a decompiler busy for ever.
    while child.try_wait().ok()?.is_none() {
        if since.elapsed() > PATIENCE {
            child.kill().and_then(|()| child.wait()).ok()?;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let sources = crate::input::read(&output).ok()?;
    let is_source = |path: &Path| path.extension().is_some_and(|extension| extension == "java");
    let sources = sources.entries().filter(|(path, _)| is_source(path));
    Some(sources.map(|(path, entry)| (Path::new("decompiled").join(path), entry.clone())).collect())
}

/// Whether an entry is a class file with a path that can be written to disk.
fn is_class(path: &Path, input: &FileTree, entry: &Entry) -> bool {
    let name = if path.as_os_str().is_empty() { Path::new(input.name()) } else { path };
    let is_plain = name.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    let Entry::File { content, .. } = entry else { return false };
    is_plain
        && name.extension().is_some_and(|extension| extension == "class")
        && content.starts_with(&[0xca, 0xfe, 0xba, 0xbe])
}

/// Each class as `javap` prints it.
fn listed(classes: &[(&Path, &Entry)]) -> Option<BTreeMap<PathBuf, Entry>> {
    let javap = jdk::tool("javap")?;
    let place = tempfile::tempdir().ok()?;
    let mut files = BTreeMap::new();
    for (path, entry) in classes {
        let Entry::File { content, .. } = entry else { continue };
        let file = place.path().join("Listed.class");
        fs::write(&file, &**content).ok()?;
        let mut command = Command::new(&javap);
        command.args(["-J-Duser.language=en", "-p", "-c", "-constants"]).arg(&file);
        let output = command.current_dir(place.path()).stdin(Stdio::null()).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let place = place.path().display().to_string();
        let mut lines = text.lines().filter(|line| !line.contains(&place)).collect::<Vec<_>>().join("\n");
        lines.push('\n');
        if output.status.success() && !text.is_empty() {
            let path = if path.as_os_str().is_empty() { Path::new("class") } else { path };
            let name = format!("{}.txt", path.with_extension("").display());
            files.insert(Path::new("disassembled").join(name), Entry::file(lines.into_bytes()));
        }
    }
    Some(files)
}
