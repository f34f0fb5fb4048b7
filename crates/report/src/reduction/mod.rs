//! The page of a reduction: what happened, from the journal alone, and the result with the original
//! where these files still are. `to_send.rs` makes the page that a stranger may see.

mod crash;
mod gathered;
mod java;
mod kept;
mod removed;
mod sizes;
mod sources;
mod thin;
mod to_send;

pub use gathered::{Gathered, StageSeen, Tally};
pub use to_send::page_to_send;

use crate::page::{Figure, Notice, Page, Section};
use crate::text;
use crate::units::{bytes, counted, percent, seconds, thousands};
use crash::Crash;
use lapidary_reduce::journal::{Damaged, Of, OutputRecord};
use maud::{Markup, html};
use sources::Sources;
use std::path::Path;

/// The page of the run that this journal is of.
#[must_use]
pub fn page(run: &Gathered) -> Page {
    let sources = Sources::of(run);
    let mut page = head(run);
    for notice in notices(run, &sources) {
        page = page.notice(notice);
    }
    page = page.section(Section::new("test", "The test", test(run)));
    if let Some(listing) = sources.result() {
        page = page.section(Section::new("result", "The result", listing));
    }
    for section in Crash::of(run).iter().flat_map(Crash::sections) {
        page = page.section(section);
    }
    page = page.section(Section::new("size", "Size", sizes::section(run)));
    if let Some(kept) = kept::section(run) {
        page = page.section(Section::new("left", "What is left and why", kept));
    }
    if let Some(removed) = removed::section(run) {
        page = page.section(Section::new("removed", "What was removed", removed));
    }
    page = page.section(Section::new("tests", "Candidates", sizes::tests(run)));
    if let Some(diff) = sources.diff() {
        page = page.section(Section::new("diff", "Side by side", diff));
    }
    page.section(Section::new("run", "The run", about(run)))
}

/// The title with what happened in numbers.
fn head(run: &Gathered) -> Page {
    let command = if run.header.command.is_empty() { "reduce" } else { &run.header.command };
    let page = Page::new(command, title(run)).lead(lead(run));
    figures(run).into_iter().fold(page, Page::figure)
}

fn title(run: &Gathered) -> String {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    match &run.header.paths[..] {
        [] => run.result().and_then(|path| name(&path)).or_else(|| name(&run.path)).unwrap_or_default(),
        [only] => name(Path::new(only)).unwrap_or_else(|| only.clone()),
        [first, more @ ..] => {
            let first = name(Path::new(first)).unwrap_or_else(|| first.clone());
            format!("{first} and {}", counted(more.len() as u64, "more file"))
        }
    }
}

fn share(run: &Gathered) -> f64 {
    run.bytes_after as f64 / run.bytes_before.max(1) as f64
}

fn lead(run: &Gathered) -> Markup {
    if run.stages.is_empty() {
        return html! { "The search has not begun." };
    }
    html! {
        "From " strong { (bytes(run.bytes_before)) } " to " strong { (bytes(run.bytes_after)) }
        ", " (counted(run.tests(), "candidate")) " judged, in " (seconds(run.seconds)) "."
    }
}

fn notices(run: &Gathered, sources: &Sources) -> Vec<Notice> {
    let mut notices = vec![state(run)];
    notices.extend(gaps(run).iter().map(|gap| Notice::warning(html! { p { (gap) } })));
    notices.extend(sources.notes().iter().map(|note| Notice::note(html! { p { (text::shown(note)) } })));
    notices
}

/// Sentences about the parts of a journal that are missing from what is shown of it.
#[must_use]
pub fn gaps(run: &Gathered) -> Vec<String> {
    let damage = (!run.damaged.is_empty()).then(|| damage(&run.damaged));
    let is_cut_short = run.is_cut_short && !run.is_running;
    let cut = || "The last line of the journal is incomplete and is left out.".to_owned();
    damage.into_iter().chain(is_cut_short.then(cut)).collect()
}

/// Which lines of a journal are missing from what is shown of it.
pub(crate) fn damage(lines: &Damaged) -> String {
    let shown: Vec<String> = lines.first.iter().map(usize::to_string).collect();
    let more = if lines.count > shown.len() { ", …" } else { "" };
    format!(
        "{} of the journal cannot be read and {} left out: {}{more}.",
        counted(lines.count as u64, "line"),
        if lines.count == 1 { "is" } else { "are" },
        shown.join(", ")
    )
}

/// Whether the search came to its end, and whether the result was tested once more.
fn state(run: &Gathered) -> Notice {
    let on_result = run.outputs.iter().rfind(|output| output.of == Of::Result);
    match (&run.done, run.is_running) {
        (None, true) => {
            Notice::warning(html! { p { "This run is still going on. The page shows what there is so far." } })
        }
        (None, false) => Notice::warning(html! { p {
            "This run was stopped before the search came to its end. The same command with " code { "--resume" } " goes on."
        } }),
        (Some(_), _) => match on_result {
            Some(output) if output.is_uninteresting => Notice::warning(html! { p {
                "The test is flaky: tested once more, the result is not interesting ("
                (text::short(&output.reason, 200)) "). Other answers may have been wrong, too."
            } }),
            Some(output) => Notice::good(html! { p {
                "The search came to its end. Tested once more, the result: " (text::short(&output.reason, 200)) "."
            } }),
            None => Notice::good(html! { p { "The search came to its end." } }),
        },
    }
}

fn figures(run: &Gathered) -> Vec<Figure> {
    let mut notes = vec![format!("{} interesting", thousands(run.tally.interesting))];
    if run.invalid > 0 {
        notes.push(format!("{} did not compile", thousands(run.invalid)));
    }
    if let Some(cached) = run.done.and_then(|done| done.cached) {
        notes.push(format!("{} more answers from the cache", thousands(cached)));
    }
    let tests = Figure::new("candidates judged", thousands(run.tests())).note(notes.join(", "));
    // On the terminal, a crash is counted without white space, which candidates keep until the end.
    let counted = if run.header.command == "crash" { ", with white space" } else { "" };
    let sizes = || format!("{} of {} bytes{counted}", thousands(run.bytes_after), thousands(run.bytes_before));
    let size = match run.stages.is_empty() {
        true => Figure::new("left", "?").note("the journal has no stage of the search"),
        false => Figure::new("left", percent(share(run))).share(share(run)).note(sizes()),
    };
    vec![
        size,
        tests,
        Figure::new("time", seconds(run.seconds))
            .note(format!("{} in tests, all jobs together", seconds(run.in_tests))),
        left(run),
    ]
}

/// How many items of the first model are left.
fn left(run: &Gathered) -> Figure {
    let first = run.stages.first().map_or("", |first| &first.stage.name);
    let of_first = || run.stages.iter().filter(|seen| seen.stage.name == first);
    let Some(end) = of_first().rev().find_map(StageSeen::end) else {
        return Figure::new("stages", thousands(run.stages.len() as u64));
    };
    let kept = end.kept.len() + end.more_kept;
    let before = of_first().next().map_or(0, |seen| seen.stage.items);
    Figure::new("items left", thousands(kept as u64)).note(format!(
        "of {} in “{}”, the first stage",
        thousands(before as u64),
        first
    ))
}

fn test(run: &Gathered) -> Markup {
    let about = |of: Of| run.outputs.iter().rfind(|output| output.of == of);
    let is_crash = run.header.command == "crash";
    html! {
        @if is_crash { p { "A candidate has to fail as the program does when it is run like this:" } }
        @if run.header.test.is_empty() { p { "The journal does not name the test." } }
        @else { (text::block(&run.header.test, 20)) }
        @if let Some(output) = about(Of::Result) { h3 { "On the result" } (printed(output, is_crash)) }
        @if let Some(output) = about(Of::Input) { h3 { "On the input" } (printed(output, is_crash)) }
        @if run.outputs.is_empty() { p.cut { "What it printed is not in this journal." } }
    }
}

/// The words of a test about a candidate. A crash is told in our words instead of the program's.
fn printed(output: &OutputRecord, is_crash: bool) -> Markup {
    let streams = [
        ("standard output", &output.stdout, output.more_stdout),
        (if is_crash { "the failure" } else { "standard error" }, &output.stderr, output.more_stderr),
    ];
    let is_silent = !is_crash && streams.iter().all(|(_, text, _)| text.trim().is_empty());
    html! {
        p { (text::short(&output.reason, 300)) @if is_silent { ", without any output" } "." }
        @for (name, stream, more) in streams {
            @if !stream.trim().is_empty() {
                p.kind { (name) }
                (text::block(stream, 200))
                @if more > 0 { p.cut { "… and " (bytes(more)) " more" } }
            }
        }
    }
}

fn about(run: &Gathered) -> Markup {
    let header = &run.header;
    html! {
        dl.facts {
            div { dt { "Journal" } dd { code { (text::shown(&run.path.display().to_string())) } } }
            @if let Some(result) = run.result() { div { dt { "Result" } dd { code { (text::shown(&result.display().to_string())) } } } }
            @for path in header.paths.iter().take(20) { div { dt { "Input" } dd { code { (text::shown(path)) } } } }
            @for tool in &header.tools { div { dt { "Tool" } dd { (text::short(tool, 200)) } } }
            div { dt { "Lapidary" } dd { (text::short(&header.lapidary, 40)) } }
        }
        p { "What decides which candidates are tried, and how they are judged:" }
        ul { @for part in header.run.iter().take(60) { li { code { (text::short(part, 400)) } } } }
    }
}
