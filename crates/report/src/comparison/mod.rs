//! The page of a comparison: the verdict with its restrictions, the input that shows a difference,
//! both traces and both sources side by side, and the classes that may change.

mod classes;
mod graph;
mod side_by_side;
mod trace;

use crate::sources::Sources;
use crate::units::{counted, percent, seconds, thousands};
use crate::{Figure, Notice, Page, Section, text};
use lapidary::{ComparisonReport, FoundAtRandom, assembled_classes, call_in_words, difference_in_words, path_outcome};
use lapidary_compare::{Candidate, Observed};
use maud::{Markup, html};

/// So many lines of an output are shown.
const LINES: usize = 60;

/// The page of a comparison, with the sources of the old and the new version.
#[must_use]
pub fn page(report: &ComparisonReport, sources: &[Sources; 2]) -> Page {
    let [old, new] = &report.names;
    let page =
        Page::new("compare", format!("{old} → {new}: {}", report.method)).lead(lead(report)).notice(notice(report));
    let page = figures(page, report);
    let page = match (&report.comparison.difference, report.found_at_random()) {
        (Some(candidate), _) => {
            let scenario = Section::new("scenario", "The input that shows it", scenario(report, candidate));
            let has_trace = !candidate.old_trace.is_empty() || !candidate.new_trace.is_empty();
            let page = page.section(scenario);
            match has_trace {
                true => page.section(Section::new("trace", "Step by step", trace::table(report, candidate, sources))),
                false => page,
            }
        }
        (None, Some(found)) => {
            page.section(Section::new("scenario", "The input that shows it", found_at_random(report, &found)))
        }
        (None, None) => page,
    };
    let page = match side_by_side::sources(report, sources) {
        Some(sources) => page.section(Section::new("sources", "Sources side by side", sources)),
        None => page,
    };
    page.section(Section::new("classes", "What may change", classes::lists(report))).section(Section::new(
        "reach",
        "How far was looked",
        reach(report),
    ))
}

/// The page for somebody else, such as readers of a bug tracker: without the sources of the program,
/// and without paths of this machine, which the versions may be called by.
#[must_use]
pub fn page_to_send(mut report: ComparisonReport) -> Page {
    if report.built_from().is_none() {
        report.names = ["old", "new"].map(str::to_owned);
    }
    report.paths = Default::default();
    page(&report, &[Sources::withheld(), Sources::withheld()])
}

fn lead(report: &ComparisonReport) -> Markup {
    let [old, new] = &report.names;
    let rule = match (report.scope.is_inferred, report.changes.classes.len()) {
        (_, 0) => "No class differs.".to_owned(),
        (true, 1) => "The one class that differs may change; everything else must not.".to_owned(),
        (true, count) => format!("The {count} classes that differ may change; everything else must not."),
        (false, _) => "The specification says what may change; everything else must not.".to_owned(),
    };
    html! {
        code { (text::shown(&report.method.to_string())) } " in " b { (text::shown(old)) } " and "
        b { (text::shown(new)) } ". " (rule)
    }
}

/// The verdict first, with all that limits it.
fn notice(report: &ComparisonReport) -> Notice {
    let verdict = report.verdict();
    let class = verdict.split(' ').next().unwrap_or_default();
    let says = match verdict {
        "different" => "an input was run on the real JVM, where the versions differ although they must not.",
        "equivalent" => "they do the same on every input.",
        "no difference found" => "they do the same on every input that was tried.",
        _ => "something was left out, or a limit ended the comparison.",
    };
    let limits = [report.restrictions(), report.reservations()].concat();
    let content = html! {
        p { strong.verdict.(class) { (verdict) } ": " (says) }
        @if !limits.is_empty() { ul { @for limit in &limits { li { (text::shown(limit)) } } } }
    };
    match verdict {
        "different" => Notice::bad(content),
        "equivalent" => Notice::good(content),
        "no difference found" => Notice::note(content),
        _ => Notice::warning(content),
    }
}

fn figures(page: Page, report: &ComparisonReport) -> Page {
    let comparison = &report.comparison;
    let paths = Figure::new("paths of the old version", thousands(comparison.old_paths));
    let page = page.figure(paths.note(counted(comparison.pairs, "pair")));
    let lines = report.changed_lines;
    let page = match lines.total {
        0 => page,
        total => {
            let share = lines.reached as f64 / total as f64;
            page.figure(Figure::new("changed lines that ran", percent(share)).share(share).note(lines.to_string()))
        }
    };
    let time = Figure::new("time", seconds(comparison.elapsed.as_secs_f64()));
    page.figure(time.note(format!("of {}", seconds(report.time.as_secs_f64()))))
}

fn scenario(report: &ComparisonReport, candidate: &Candidate) -> Markup {
    let assembled: Vec<String> = assembled_classes(&candidate.new.inputs).into_iter().collect();
    let sides = [(&candidate.old, 0), (&candidate.new, 1)].map(|(path, side)| {
        let seen = report.seen.get(side);
        html! {
            dl {
                dt { "predicted" }
                dd { code { (text::short(&path_outcome(&report.method, &path.outcome), 2_000)) } }
                (printed("predicted to print", &path.stdout))
                @if let Some(seen) = seen {
                    dt { "on the real JVM" }
                    dd.real { code { (text::short(&report.real_ending(&seen.ending), 2_000)) } }
                    (printed("printed there", &seen.stdout))
                    (printed("printed there to standard error", &seen.stderr))
                }
            }
        }
    });
    html! {
        (call(&call_in_words(&report.method, &candidate.new.inputs)))
        p { (text::shown(&difference_in_words(candidate))) }
        @if !assembled.is_empty() {
            p.why { "The fields of " (text::shown(&assembled.join(", ")))
                " were set one by one, without the checks of a constructor." }
        }
        (pair(report, sides))
    }
}

fn found_at_random(report: &ComparisonReport, found: &FoundAtRandom<'_>) -> Markup {
    let sides = [found.old, found.new].map(|observed| {
        html! {
            dl {
                dt { "on the real JVM" }
                dd.real { code { (text::short(&observed.to_string(), 2_000)) } }
                @if let Observed::Seen { stdout, stderr, .. } = observed {
                    (printed("printed there", stdout))
                    (printed("printed there to standard error", stderr))
                }
            }
        }
    });
    html! {
        (call(&call_in_words(&report.method, found.inputs)))
        p { (found.what()) }
        (pair(report, sides))
        p.why { "Random testing found this on the real JVM; there is no trace." }
    }
}

fn call(call: &str) -> Markup {
    html! { pre.output.call { code { (text::short(call, 10_000)) } } }
}

fn printed(what: &str, output: &str) -> Markup {
    html! { @if !output.is_empty() { dt { (what) } dd { (text::block(output, LINES)) } } }
}

/// Remarks about each version, side by side.
fn pair(report: &ComparisonReport, sides: [Markup; 2]) -> Markup {
    html! {
        div.pair { @for (name, side) in report.names.iter().zip(sides) { div { h3 { (text::shown(name)) } (side) } } }
    }
}

fn reach(report: &ComparisonReport) -> Markup {
    let comparison = &report.comparison;
    let limits = [report.restrictions(), report.reservations()].concat();
    let [old, new] = &report.names;
    html! {
        ul {
            @if comparison.instructions > 0 {
                li { (counted(comparison.old_paths, "path")) " of " (text::shown(old)) ", "
                    (counted(comparison.pairs, "pair")) ", " (thousands(comparison.identical)) " of them the same terms" }
                li { (counted(comparison.instructions, "instruction")) ", "
                    (counted(comparison.queries, "question")) " to the solver, "
                    (seconds(comparison.elapsed.as_secs_f64())) }
            } @else { li { "The symbolic machine had nothing to run." } }
            @if comparison.common + comparison.taken_over > 0 {
                li { (counted(comparison.common, "path")) " of " (text::shown(old)) " never reached code that differs; "
                    (counted(comparison.taken_over, "path")) " of " (text::shown(new)) " began there" }
            }
            @if comparison.is_inductive { li { "Loops were matched iteration by iteration." } }
            @if report.changed_lines.total > 0 { li { (thousands(report.changed_lines.reached as u64)) " of " (counted(report.changed_lines.total as u64, "line")) " of changed methods ran" } }
            @if let Some(random) = report.random.as_ref().ok().filter(|random| random.calls > 0) {
                li { "Random testing alone: " (if random.found.is_some() { "a difference" } else { "no difference" })
                    " in " (counted(random.calls, "call")) }
            }
            @for limit in &limits { li { (text::shown(limit)) } }
        }
        @if report.paths.iter().all(|path| !path.as_os_str().is_empty()) {
            p.why { (text::shown(&format!("{old}: {}; {new}: {}", report.paths[0].display(), report.paths[1].display()))) }
        }
    }
}
