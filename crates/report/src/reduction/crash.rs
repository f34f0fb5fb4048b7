//! The sections of the page of a crash, from its journal: the stack before and after, and the slice
//! in the listing of the original, with what is left of it.

use super::gathered::Gathered;
use super::sources::{self, Texts};
use crate::code::{Language, Listing, Mark};
use crate::units::counted;
use crate::{Section, fold, text};
use lapidary::{FailureSeen, FileSeen, FrameSeen};
use lapidary_reduce::journal::{Of, OutputRecord};
use maud::{Markup, html};
use std::path::Path;

/// At most so many files of the original are shown, and so many lines of each.
const FILES: usize = 20;
const LINES: usize = 1_500;

/// A crash as its journal and the files of the run tell it.
pub(super) struct Crash {
    before: Option<FailureSeen>,
    after: Option<FailureSeen>,
    is_flaky: bool,
    /// The files of the original of which something is left, that of the failing statement first.
    files: Vec<File>,
    /// The names of its other files.
    gone: Vec<String>,
    /// Whether files of the original are missing or have changed.
    has_changed: bool,
}

/// A file of the original with the lines that matter.
struct File {
    name: String,
    text: String,
    /// Lines of the dynamic slice.
    sliced: Vec<usize>,
    /// Lines of which something is left, with their text in the result if it is another.
    kept: Vec<(usize, Option<String>)>,
    failing: Option<usize>,
}

impl Crash {
    /// The crash of a run; `None` if its journal notes none, as those of earlier versions.
    pub(super) fn of(run: &Gathered) -> Option<Crash> {
        Crash::with(run, |name| sources::texts(run, name))
    }

    /// The crash without the original, for a page that others may see.
    pub(super) fn of_result(run: &Gathered) -> Option<Crash> {
        Crash::with(run, |_| None).map(|crash| Crash { before: None, ..crash })
    }

    fn with(run: &Gathered, texts: impl Fn(&str) -> Option<Texts>) -> Option<Crash> {
        let output = |of: Of| run.outputs.iter().rfind(|output| output.of == of);
        let [before, after] = [Of::Input, Of::Result].map(|of| output(of).and_then(FailureSeen::read));
        let is_flaky = output(Of::Result).is_some_and(|output: &OutputRecord| output.is_uninteresting);
        let place = before.as_ref().or(after.as_ref())?.place.clone();
        let mut crash =
            Crash { before, after: None, is_flaky, files: Vec::new(), gone: Vec::new(), has_changed: false };
        for (name, seen) in after.iter().flat_map(|after| &after.files) {
            let Some(Texts { was, now, .. }) = texts(name).filter(|texts| texts.bytes == seen.bytes) else {
                crash.has_changed = true;
                continue;
            };
            let failing = place.as_ref().filter(|(file, _)| file == name).map(|(_, line)| *line as usize);
            let file = File::new(name, seen, was, &now, failing);
            match file.kept.is_empty() && file.sliced.is_empty() {
                true => crash.gone.push(file.name),
                false => crash.files.push(file),
            }
        }
        crash.files.sort_by_key(|file| file.failing.is_none());
        Some(Crash { after, ..crash })
    }

    /// The sections, as far as there is something to show.
    pub(super) fn sections(&self) -> Vec<Section> {
        let slice =
            self.after.as_ref().map(|after| Section::new("slice", "The slice in the original", self.slice(after)));
        let stacks = Section::new("stacks", "The failure, before and after", self.stacks());
        std::iter::once(stacks).chain(slice).collect()
    }

    /// The failure of the result alone.
    pub(super) fn result(&self) -> Option<Section> {
        let after = self.after.as_ref()?;
        Some(Section::new("stacks", "The failure", stack(after, &|_| None)))
    }

    fn stacks(&self) -> Markup {
        let place_of = |(_, file, line): &FrameSeen| {
            let number = self.files.iter().position(|shown| shown.name == *file)?;
            Some(format!("#original-{number}-{line}"))
        };
        html! {
            div.pair {
                div { h3 { "original" } @if let Some(before) = &self.before { (stack(before, &place_of)) } }
                div { h3 { "result" }
                    @if let Some(after) = &self.after { (stack(after, &|_| None)) }
                    @else { p.why { "The result was not run once more." } }
                }
            }
            @if self.is_flaky { p.why { "Run once more, the result did not fail like this." } }
        }
    }

    fn slice(&self, after: &FailureSeen) -> Markup {
        let lines: usize = self.files.iter().map(|file| file.text.lines().count()).sum();
        let kept: usize = self.files.iter().map(|file| file.kept.len()).sum();
        let sliced: usize = self.files.iter().map(|file| file.sliced.len()).sum();
        html! {
            @if self.has_changed {
                p.why { "Files of the original are no longer there or have changed; they are not shown." }
            }
            @if !self.files.is_empty() {
                p {
                    (counted(lines as u64, "line")) ", "
                    @if after.has_slice { (sliced) " of them in the slice, " }
                    (kept) " of them left."
                }
                ul.legend {
                    @if after.has_slice { li.tone-unsure { "had an influence on the failing statement in this run" } }
                    li.tone-0 { "left in the result" }
                    li.tone-bad { "fails" }
                }
            }
            @for (number, file) in self.files.iter().take(FILES).enumerate() { (file.listing(number)) }
            @if self.files.len() > FILES {
                p.cut { "… and " (counted((self.files.len() - FILES) as u64, "more file")) }
            }
            @if !self.gone.is_empty() {
                (fold(html! { (counted(self.gone.len() as u64, "file")) " of which nothing is left" }, html! {
                    ul.plain { @for name in self.gone.iter().take(200) { li { code { (text::shown(name)) } } } }
                }))
            }
        }
    }
}

/// A failure with its stack; `place_of` is the address of a frame's line in the page.
fn stack(failure: &FailureSeen, place_of: &dyn Fn(&FrameSeen) -> Option<String>) -> Markup {
    html! {
        p { strong.verdict.different { (text::short(&failure.headline, 600)) } }
        @if !failure.detail.is_empty() { p.why { (text::short(&failure.detail, 600)) } }
        @for event in &failure.history { p.why { (text::shown(event)) } }
        ol.stack {
            @for (number, (frames, count)) in failure.stack.iter().enumerate() {
                @for (depth, frame) in frames.iter().enumerate() {
                    li.fails[number == 0 && depth == 0] {
                        code { (text::short(&frame.0, 300)) }
                        span.place { (place(frame, place_of)) }
                    }
                }
                @if *count > 1 { li.repeated { "… " (count - 1) " more of the same" } }
            }
        }
        @if failure.more > 0 { p.cut { "… and " (counted(failure.more as u64, "more frame")) } }
    }
}

fn place(frame: &FrameSeen, place_of: &dyn Fn(&FrameSeen) -> Option<String>) -> Markup {
    let name = format!("{}:{}", frame.1, frame.2);
    match place_of(frame) {
        Some(address) => html! { a href=(address) { (text::shown(&name)) } },
        None => text::shown(&name),
    }
}

impl File {
    fn new(name: &str, seen: &FileSeen, text: String, now: &str, failing: Option<usize>) -> File {
        let now: Vec<&str> = now.lines().collect();
        let was: Vec<&str> = text.lines().collect();
        let line = |lines: &[&str], number: u32| -> Option<String> {
            let text = lines.get((number as usize).checked_sub(1)?)?.trim();
            (!text.is_empty()).then(|| text.to_owned())
        };
        // A journal may say anything: no line is looked for beyond the end of a file.
        let pairs = seen.left.iter().flat_map(|&(first, place, count)| {
            (0..count.min(was.len() as u32)).map(move |at| (first.saturating_add(at), place.saturating_add(at)))
        });
        let left = |(number, place): (u32, u32)| {
            let (before, after) = (line(&was, number)?, line(&now, place)?);
            Some((number as usize, (before != after).then_some(after)))
        };
        let kept = pairs.filter_map(left).collect();
        let last = was.len();
        let sliced = seen.slice.iter().flat_map(|&(first, end)| first as usize..=(end as usize).min(last)).collect();
        File { name: name.to_owned(), sliced, kept, failing, text }
    }

    fn listing(&self, number: usize) -> Markup {
        let listing = Listing::new(&self.text)
            .name(self.name.clone())
            .language(Language::of(Path::new(&self.name)))
            .id(format!("original-{number}"))
            .at_most(LINES)
            .marks(self.sliced.iter().copied(), Mark::Cause)
            .marks(self.kept.iter().map(|(line, _)| *line), Mark::Kept);
        let listing = self.failing.into_iter().fold(listing, |listing, line| listing.mark(line, Mark::Fault));
        let listing = self.kept.iter().fold(listing, |listing, (line, now)| match now {
            Some(now) => listing.remark(*line, html! { "now " code { (text::short(now, 300)) } }),
            None => listing,
        });
        // A short program is shown as a whole: what is gone is part of the picture.
        let is_short = self.text.lines().count() <= 200;
        if is_short {
            html! { (listing) }
        } else {
            html! { (listing.around_marks(3)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    const ORIGINAL: &str =
        "int noise;\nint f(int n) {\n  noise = 1;\n  return 10 / n;\n}\nint main() { return f(0); }\n";
    const RESULT: &str = "int f(int n) {\n  return 1 / n;\n}\nint main() { return f(0); }\n";

    fn failure(line: u32) -> FailureSeen {
        let frame = |function: &str, line| (function.to_owned(), "a.c".to_owned(), line);
        FailureSeen {
            headline: format!("arithmetic error (SIGFPE) at a.c:{line} in f"),
            detail: "<b>division</b>".into(),
            stack: vec![(vec![frame("f", line)], 50), (vec![frame("<main>", 6)], 1)],
            place: Some(("a.c".into(), line)),
            ..FailureSeen::default()
        }
    }

    fn crash(has_slice: bool) -> Crash {
        let slice = if has_slice { vec![(1, 6)] } else { Vec::new() };
        let seen = FileSeen { bytes: ORIGINAL.len() as u64, slice, left: vec![(2, 1, 1), (4, 2, 3)] };
        let after = FailureSeen { files: BTreeMap::from([("a.c".into(), seen.clone())]), has_slice, ..failure(2) };
        let file = File::new("a.c", &seen, ORIGINAL.to_owned(), RESULT, Some(4));
        let (before, after) = (Some(failure(4)), Some(after));
        Crash { before, after, is_flaky: false, files: vec![file], gone: Vec::new(), has_changed: false }
    }

    #[test]
    fn the_listing_of_the_original_shows_the_slice_and_what_is_left() {
        let crash = crash(true);
        let text = crash.slice(crash.after.as_ref().unwrap()).into_string();
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
        let text = crash(true).stacks().into_string();
        assert_eq!(text.matches("… 49 more of the same").count(), 2, "{text}");
        assert!(text.contains("href=\"#original-0-4\"") && text.contains("a.c:2"), "{text}");
        assert!(text.contains("&lt;b&gt;division") && text.contains("&lt;main&gt;") && !text.contains("<b>div"));
    }

    #[test]
    fn nothing_is_known_of_a_result_that_did_not_run() {
        let stopped = Crash { after: None, ..crash(true) };
        assert!(stopped.stacks().into_string().contains("was not run once more"));
        assert_eq!(stopped.sections().len(), 1);
        let without = crash(false);
        let text = without.slice(without.after.as_ref().unwrap()).into_string();
        assert!(text.contains("6 lines, 4 of them left.") && !text.contains("had an influence"), "{text}");
    }

    #[test]
    fn notes_that_say_nonsense_do_no_harm() {
        let seen = FileSeen { bytes: 3, slice: vec![(0, u32::MAX)], left: vec![(0, 0, u32::MAX), (u32::MAX, 1, 9)] };
        let file = File::new("a.c", &seen, "a\nb".to_owned(), "a\n", None);
        assert_eq!(file.kept, [(1, None)]);
        assert!(file.sliced.len() <= 3, "{:?}", file.sliced);
    }
}
