//! The sections of the page of a crash: the fault, the stack before and after, and the slice in
//! the listing of the original, with what is left of it.

use crate::code::{Language, Listing, Mark};
use crate::units::counted;
use crate::{Section, fold, text};
use lapidary::CrashReport;
use lapidary_crash::{Failure, Frame};
use lapidary_reduce::{Entry, FileTree};
use maud::{Markup, html};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// At most so many files of the original are shown, and so many lines of each.
const FILES: usize = 20;
const LINES: usize = 1_500;

/// So many frames of a stack are shown.
const FRAMES: usize = 60;

/// The sections for the page of a crash.
#[must_use]
pub fn sections(report: &CrashReport) -> Vec<Section> {
    vec![
        Section::new("stacks", "The failure, before and after", stacks(report)),
        Section::new("slice", "The slice in the original", slice(report)),
    ]
}

fn stacks(report: &CrashReport) -> Markup {
    let files = shown_files(report);
    let before = stack(&report.failure, &|frame| {
        let number = files.iter().position(|file| file.name == frame.file)?;
        Some(format!("#original-{number}-{}", frame.line))
    });
    let after = match &report.failure_of_result {
        Some(failure) => stack(failure, &|_| None),
        None => html! { p.why { "The result was not run once more." } },
    };
    html! {
        div.pair {
            div { h3 { "original" } (before) }
            div { h3 { "result" } (after) }
        }
        @if report.is_flaky { p.why { "Run once more, the result did not fail like this." } }
    }
}

/// A failure with its stack; `place_of` is the address of a frame's line in the page.
fn stack(failure: &Failure, place_of: &dyn Fn(&Frame) -> Option<String>) -> Markup {
    let pieces = failure.repetitions();
    html! {
        p { strong.verdict.different { (text::short(&failure.headline(), 600)) } }
        @if !failure.detail.is_empty() { p.why { (text::short(&failure.detail, 600)) } }
        @for site in &failure.sites { p.why { (site.done) " at " (text::shown(&site.frame.place())) } }
        ol.stack {
            @for (number, (frames, count)) in pieces.iter().take(FRAMES).enumerate() {
                @for (depth, frame) in frames.iter().enumerate() {
                    li.fails[number == 0 && depth == 0] {
                        code { (text::short(&frame.function, 300)) }
                        span.place { (place(frame, place_of)) }
                    }
                }
                @if *count > 1 { li.repeated { "… " (count - 1) " more of the same" } }
            }
        }
        @if pieces.len() > FRAMES { p.cut { "… and " (counted((pieces.len() - FRAMES) as u64, "more frame")) } }
    }
}

fn place(frame: &Frame, place_of: &dyn Fn(&Frame) -> Option<String>) -> Markup {
    let name = format!("{}:{}", frame.file.display(), frame.line);
    match place_of(frame) {
        Some(address) => html! { a href=(address) { (text::shown(&name)) } },
        None => text::shown(&name),
    }
}

/// A file of the original with the lines that matter.
struct File {
    name: PathBuf,
    text: String,
    /// Lines of the dynamic slice.
    sliced: BTreeSet<usize>,
    /// Lines of which something is left, with their text in the result if it is another.
    kept: Vec<(usize, Option<String>)>,
    failing: Option<usize>,
}

fn slice(report: &CrashReport) -> Markup {
    let files = shown_files(report);
    let more = report.original.entries().count() - files.len();
    let lines: usize = files.iter().map(|file| file.text.lines().count()).sum();
    let kept: usize = files.iter().map(|file| file.kept.len()).sum();
    let sliced: usize = files.iter().map(|file| file.sliced.len()).sum();
    html! {
        p {
            (counted(lines as u64, "line")) ", "
            @if report.sliced.is_some() { (sliced) " of them in the slice, " }
            (kept) " of them left."
        }
        ul.legend {
            @if report.sliced.is_some() { li.tone-unsure { "had an influence on the failing statement in this run" } }
            li.tone-0 { "left in the result" }
            li.tone-bad { "fails" }
        }
        @for (number, file) in files.iter().enumerate() {
            @if number < FILES { (listing(number, file)) }
        }
        @if files.len() > FILES { p.cut { "… and " (counted((files.len() - FILES) as u64, "more file")) } }
        @if more > 0 { (fold(html! { (counted(more as u64, "file")) " of which nothing is left" }, gone(report, &files))) }
    }
}

fn listing(number: usize, file: &File) -> Markup {
    let listing = Listing::new(&file.text)
        .name(file.name.to_string_lossy())
        .language(Language::of(&file.name))
        .id(format!("original-{number}"))
        .at_most(LINES)
        .marks(file.sliced.iter().copied(), Mark::Cause)
        .marks(file.kept.iter().map(|(line, _)| *line), Mark::Kept);
    let listing = file.failing.into_iter().fold(listing, |listing, line| listing.mark(line, Mark::Fault));
    let listing = file.kept.iter().fold(listing, |listing, (line, now)| match now {
        Some(now) => listing.remark(*line, html! { "now " code { (text::short(now, 300)) } }),
        None => listing,
    });
    // A short program is shown as a whole: what is gone is part of the picture.
    let is_short = file.text.lines().count() <= 200;
    if is_short {
        html! { (listing) }
    } else {
        html! { (listing.around_marks(3)) }
    }
}

/// The names of the files that are not shown.
fn gone(report: &CrashReport, files: &[File]) -> Markup {
    let others = report.original.entries().map(|(path, _)| name_of(&report.original, path));
    let others = others.filter(|name| !files.iter().any(|file| file.name == *name));
    html! { ul.plain { @for name in others.take(200) { li { code { (text::shown(&name.to_string_lossy())) } } } } }
}

/// The files of the original of which something is left, that of the failing statement first.
fn shown_files(report: &CrashReport) -> Vec<File> {
    let place = report.failure.place_in(&report.original);
    let mut files: Vec<File> = report.original.entries().filter_map(|(path, _)| file(report, path)).collect();
    files.retain(|file| !file.kept.is_empty() || !file.sliced.is_empty());
    files.sort_by_key(|file| place.is_none_or(|place| place.file != file.name));
    files
}

fn file(report: &CrashReport, path: &Path) -> Option<File> {
    let text = text_of(&report.original, path)?;
    let name = name_of(&report.original, path);
    let now = text_of(&report.result, path).unwrap_or_default();
    let now: Vec<&str> = now.lines().collect();
    let sliced = report.sliced.as_ref().and_then(|sliced| sliced.get(&name));
    let sliced = sliced.into_iter().flatten().map(|line| *line as usize).collect();
    let failing = report.failure.place_in(&report.original).filter(|place| place.file == name);
    let failing = failing.map(|place| place.line as usize);
    let left = |(line, was): (usize, &str)| {
        let place = report.lines.get(&name, u32::try_from(line).ok()?)?;
        let now = now.get((place as usize).checked_sub(1)?).map(|now| now.trim())?;
        let is_left = !now.is_empty() && !was.trim().is_empty();
        is_left.then(|| (line, (now != was.trim()).then(|| now.to_owned())))
    };
    let kept = (1..).zip(text.lines()).filter_map(left).collect();
    Some(File { name, sliced, kept, failing, text })
}

/// The name of a file as frames have it: its path in the tree, or the name of the only file.
fn name_of(tree: &FileTree, path: &Path) -> PathBuf {
    if tree.is_directory() { path.to_owned() } else { tree.name().into() }
}

fn text_of(tree: &FileTree, path: &Path) -> Option<String> {
    match tree.entry(path)? {
        Entry::File { content, .. } => Some(String::from_utf8_lossy(content).into_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary::Approach;
    use lapidary_crash::{Kind, LineMap};
    use lapidary_reduce::Counts;
    use std::collections::BTreeMap;
    use std::time::Duration;

    const ORIGINAL: &str =
        "int noise;\nint f(int n) {\n  noise = 1;\n  return 10 / n;\n}\nint main() { return f(0); }\n";

    fn failure(line: u32) -> Failure {
        let frame = |function: &str, line| Frame { function: function.into(), file: "a.c".into(), line, column: None };
        Failure {
            kind: Kind::Signal("SIGFPE".into()),
            message: String::new(),
            detail: "<b>division</b>".into(),
            frames: [vec![frame("f", line); 50], vec![frame("<main>", 6)]].concat(),
            address: None,
            sites: Vec::new(),
        }
    }

    fn report() -> CrashReport {
        let mut lines = LineMap::new();
        [(2, 1), (4, 2), (5, 3), (6, 4)].into_iter().for_each(|(original, now)| lines.insert("a.c", original, now));
        CrashReport {
            input: "a.c".into(),
            failure: failure(4),
            failure_of_result: Some(failure(2)),
            original: FileTree::file("a.c", ORIGINAL),
            sliced: Some(BTreeMap::from([("a.c".into(), BTreeSet::from([1, 2, 3, 4, 5, 6]))])),
            lines,
            result: FileTree::file("a.c", "int f(int n) {\n  return 1 / n;\n}\nint main() { return f(0); }\n"),
            saved: None,
            failing: Some(("a.c".into(), 2)),
            tried: None,
            approach: Approach::Default,
            keeps_reason: true,
            bytes_before: 80,
            bytes_after: 50,
            counts: Counts::default(),
            runs: 3,
            total: Duration::from_secs(1),
            stop: None,
            is_flaky: false,
        }
    }

    #[test]
    fn the_listing_of_the_original_shows_the_slice_and_what_is_left() {
        let text = slice(&report()).into_string();
        assert!(text.contains("6 lines, 6 of them in the slice, 4 of them left."), "{text}");
        let class = |line: usize| {
            let (before, _) = text.split_once(&format!("<b data-n=\"{line}\">")).unwrap();
            before.rsplit_once("class=\"").unwrap().1.split('"').next().unwrap().to_owned()
        };
        assert_eq!((class(1), class(3)), ("l cause".into(), "l cause".into()), "{text}");
        assert_eq!((class(2), class(4), class(6)), ("l kept".into(), "l fault".into(), "l kept".into()), "{text}");
        assert!(text.contains("now <code>return 1 / n;</code>"), "{text}");
    }

    #[test]
    fn stacks_stand_side_by_side_and_repetitions_are_counted() {
        let text = stacks(&report()).into_string();
        assert_eq!(text.matches("… 49 more of the same").count(), 2, "{text}");
        assert!(text.contains("href=\"#original-0-4\"") && text.contains("a.c:2"), "{text}");
        assert!(text.contains("&lt;b&gt;division") && text.contains("&lt;main&gt;") && !text.contains("<b>div"));
    }

    #[test]
    fn nothing_is_known_of_a_result_that_did_not_run() {
        let report = CrashReport { failure_of_result: None, sliced: None, ..report() };
        assert!(stacks(&report).into_string().contains("was not run once more"));
        let text = slice(&report).into_string();
        assert!(text.contains("6 lines, 4 of them left.") && !text.contains("had an influence"), "{text}");
    }
}
