//! The result and the original as text, as far as their files are still there.

use super::gathered::Gathered;
use super::java;
use crate::code::{Language, Listing};
use crate::diff::SideBySide;
use crate::text;
use crate::units::{bytes, counted};
use maud::{Markup, html};
use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// A larger file is not read.
const LARGEST: u64 = 200 << 20;

/// More files of a directory are only counted.
const FILES: usize = 40;

/// So many lines are shown of all listings together, and of all comparisons.
const LINES: usize = 3_000;

/// A file of the result, with what it was.
pub(super) struct Pair {
    pub name: String,
    /// The name of the original.
    pub was: String,
    pub language: Language,
    pub before: Option<String>,
    pub after: String,
}

/// The texts that can be shown.
pub(super) struct Sources {
    pairs: Vec<Pair>,
    /// Files that are left and not shown.
    more: usize,
    notes: Vec<String>,
}

impl Sources {
    /// Reads the result beside the journal, and the input where it was.
    pub(super) fn of(run: &Gathered) -> Sources {
        let mut sources = Sources { pairs: Vec::new(), more: 0, notes: Vec::new() };
        let Some(result) = run.result().filter(|path| path.exists()) else {
            if !run.stages.is_empty() {
                sources.notes.push("The result is not beside the journal, so it is not shown.".to_owned());
            }
            return sources;
        };
        let inputs = run.inputs();
        sources.note_missing(run, &inputs);
        sources.load(run, &result, &inputs);
        sources
    }

    /// Reads the result beside the journal, and nothing of the input.
    pub(super) fn of_result(run: &Gathered) -> Sources {
        let mut sources = Sources { pairs: Vec::new(), more: 0, notes: Vec::new() };
        if let Some(result) = run.result().filter(|path| path.exists()) {
            sources.load(run, &result, &[]);
        }
        sources
    }

    fn load(&mut self, run: &Gathered, result: &Path, inputs: &[PathBuf]) {
        if java::is_program(result) {
            let made = java::sources(result, inputs.first().map(PathBuf::as_path), &run.header.tools);
            self.notes.extend(made.notes);
            self.add(made.pairs);
        } else {
            self.read(result, inputs);
        }
    }

    fn note_missing(&mut self, run: &Gathered, inputs: &[PathBuf]) {
        match inputs {
            [] => {
                self.notes.push("The journal does not say where the input is, so the result is shown alone.".to_owned())
            }
            [input] if !input.exists() => {
                self.notes.push(format!("{} is no longer there, so the result is shown alone.", input.display()));
            }
            [input] => {
                let length = fs::metadata(input).ok().filter(fs::Metadata::is_file).map(|file| file.len());
                let is_packed = java::is_program(input) || input.extension().is_some_and(|kind| kind == "zip");
                if length.is_some_and(|length| length != run.bytes_before) && !is_packed && run.bytes_before > 0 {
                    self.notes.push(format!("{} has changed since this run.", input.display()));
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, mut pairs: Vec<Pair>) {
        self.more += pairs.len().saturating_sub(FILES);
        pairs.truncate(FILES);
        self.pairs.append(&mut pairs);
    }

    fn read(&mut self, result: &Path, inputs: &[PathBuf]) {
        let mut files = Vec::new();
        list(result, Path::new(""), &mut files);
        self.more = files.len().saturating_sub(FILES);
        for inside in files.iter().take(FILES) {
            let original = original(inside, inputs);
            let place = if inside.as_os_str().is_empty() { result.to_owned() } else { result.join(inside) };
            let named = if inside.as_os_str().is_empty() {
                result.file_name().map(Path::new).unwrap_or(result)
            } else {
                inside
            };
            let language = original.as_deref().map(Language::of).filter(|found| *found != Language::default());
            let Some(after) = load(&place) else {
                self.notes.push(format!("{} is too large to be shown.", place.display()));
                continue;
            };
            let was = match (&original, inside.as_os_str().is_empty()) {
                (Some(path), true) => path.file_name().map(Path::new).unwrap_or(named),
                _ => named,
            };
            self.pairs.push(Pair {
                was: was.to_string_lossy().into_owned(),
                name: named.to_string_lossy().into_owned(),
                language: language.unwrap_or_else(|| Language::of(named)),
                before: original.and_then(|path| load(&path)),
                after,
            });
        }
    }

    /// Remarks about the texts.
    pub(super) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The result as listings.
    pub(super) fn result(&self) -> Option<Markup> {
        let mut room = LINES;
        let mut listing = |pair: &Pair| {
            let lines = pair.after.lines().count().min(room);
            room -= lines;
            let listing = Listing::new(&pair.after).language(pair.language).name(pair.name.clone()).at_most(lines);
            html! { @if pair.after.trim().is_empty() { p { "Nothing is left." } } @else { (listing) } }
        };
        (!self.pairs.is_empty()).then(|| html! {
            @if self.pairs.len() == 1 { (listing(&self.pairs[0])) }
            @else { @for (index, pair) in self.pairs.iter().enumerate() {
                details open[index < 3] { summary { code { (text::shown(&pair.name)) } " " span.count { (bytes(pair.after.len() as u64)) } } (listing(pair)) }
            } }
            @if self.more > 0 { p.cut { "… and " (counted(self.more as u64, "more file")) } }
        })
    }

    /// Each file side by side with its original.
    pub(super) fn diff(&self) -> Option<Markup> {
        let pairs: Vec<(&Pair, &String)> =
            self.pairs.iter().filter_map(|pair| Some((pair, pair.before.as_ref()?))).collect();
        let rows = LINES / pairs.len().max(1);
        let diff = |pair: &Pair, before: &str| {
            let sides = SideBySide::new(
                (format!("{} (original)", pair.was), before),
                (format!("{} (result)", pair.name), &pair.after),
            );
            html! { (sides.language(pair.language).at_most(rows.max(100))) }
        };
        (!pairs.is_empty()).then(|| html! { @for (pair, before) in pairs { (diff(pair, before)) } })
    }
}

/// A file of the input, and what is left of it, as text.
pub(super) struct Texts {
    /// The size of the file of the input. Its text is longer if it is not UTF-8.
    pub bytes: u64,
    pub was: String,
    pub now: String,
}

/// A file of the input by its name in the program, and what is left of it.
pub(super) fn texts(run: &Gathered, name: &str) -> Option<Texts> {
    let (inputs, result) = (run.inputs(), run.result()?);
    let is_inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let is_file = result.is_file();
    let inside = if is_file { Path::new("") } else { Path::new(name) };
    let was = original(inside, &inputs).filter(|_| is_file || is_inside)?;
    let now = if is_file { load(&result)? } else { load(&result.join(name)).unwrap_or_default() };
    Some(Texts { bytes: fs::metadata(&was).ok()?.len(), was: load(&was)?, now })
}

/// The files below a path, by their path inside of it; the empty path for a file itself.
fn list(root: &Path, inside: &Path, files: &mut Vec<PathBuf>) {
    const MOST: usize = 10_000;
    let place = root.join(inside);
    // A link may lead anywhere, and a pipe would never end.
    let Ok(kind) = fs::symlink_metadata(if inside.as_os_str().is_empty() { root } else { &place }) else { return };
    if kind.is_file() {
        files.push(inside.to_owned());
    }
    let Some(entries) = kind.is_dir().then(|| fs::read_dir(&place).ok()).flatten() else { return };
    let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    for name in names {
        if files.len() < MOST {
            list(root, &inside.join(name), files);
        }
    }
}

/// The file that a file of the result was made of.
fn original(inside: &Path, inputs: &[PathBuf]) -> Option<PathBuf> {
    match inputs {
        [only] if inside.as_os_str().is_empty() => Some(only.clone()),
        [only] if only.is_dir() => Some(only.join(inside)),
        _ => inputs.iter().find(|input| input.ends_with(inside)).cloned(),
    }
    .filter(|path| path.is_file())
}

/// A file as text, whatever its bytes are; one with zeros as a dump of its beginning.
fn load(path: &Path) -> Option<String> {
    let mut content = Vec::new();
    fs::File::open(path).ok()?.take(LARGEST + 1).read_to_end(&mut content).ok()?;
    match content.len() as u64 {
        length if length > LARGEST => None,
        _ if content[..content.len().min(8192)].contains(&0) => Some(dump(&content)),
        _ => Some(
            String::from_utf8(content).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
        ),
    }
}

/// The first kilobytes as hexadecimal numbers, with the letters among them.
fn dump(content: &[u8]) -> String {
    const SHOWN: usize = 16 << 10;
    let mut out = String::new();
    for (row, chunk) in content.chunks(16).enumerate().take(SHOWN / 16) {
        let numbers: Vec<String> = chunk.iter().map(|byte| format!("{byte:02x}")).collect();
        let letters: String =
            chunk.iter().map(|byte| if (32..127).contains(byte) { char::from(*byte) } else { '.' }).collect();
        out.push_str(&format!("{:06x}  {:47}  {letters}\n", row * 16, numbers.join(" ")));
    }
    if content.len() > SHOWN {
        out.push_str(&format!("… {} more\n", bytes((content.len() - SHOWN) as u64)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_file_becomes_text() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x");
        fs::write(&path, b"a\xffb\n").unwrap();
        assert_eq!(load(&path).unwrap(), "a\u{fffd}b\n");
        fs::write(&path, b"AB\0").unwrap();
        assert_eq!(load(&path).unwrap(), format!("000000  {:47}  AB.\n", "41 42 00"));
    }

    #[test]
    fn files_of_a_result_find_their_originals() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        fs::create_dir_all(root.join("in/src")).unwrap();
        fs::write(root.join("in/src/a.c"), "").unwrap();
        assert_eq!(original(Path::new("src/a.c"), &[root.join("in")]), Some(root.join("in/src/a.c")));
        assert_eq!(original(Path::new("src/b.c"), &[root.join("in")]), None);
        let several = [root.join("in/src/a.c"), root.join("other")];
        assert_eq!(original(Path::new("src/a.c"), &several), Some(root.join("in/src/a.c")));
        assert_eq!(original(Path::new(""), &several[..1]), Some(several[0].clone()));
    }
}
