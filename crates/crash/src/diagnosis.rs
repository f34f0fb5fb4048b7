//! Turns the recorded end of a run into a [`Failure`].

use crate::failure::{Failure, Kind, NULL_POINTER, Site};
use crate::report::{Event, Report, What};
use crate::sanitizer::Finding;
use crate::symbols::{Stack, Symbols, type_name};
use lapidary_predicate::Ending;

const ABORT: i32 = 6;

/// Returns the last event that explains why the program ended, if it ended by a failure. An event
/// that the program's own handler processed counts only if the program ended in that handler.
pub(crate) fn decisive(report: &Report, ending: Ending) -> Option<&Event> {
    let last = report.events.last()?;
    match (ending, last.what) {
        (Ending::Signalled(signal), What::Signal { number, .. }) => {
            (signal == number || last.ended_inside).then_some(last)
        }
        (Ending::Signalled(_), What::Finding { .. }) => None,
        (Ending::Signalled(_), _) => Some(last),
        (Ending::Exited(0), _) | (Ending::TimedOut(_), _) => None,
        (Ending::Exited(_), What::Signal { .. }) => Some(last).filter(|event| event.ended_inside),
        (Ending::Exited(_), _) => None,
    }
}

/// Returns the event with the stack of a failure. If the program aborts because of an exception,
/// that is the exception's.
pub(crate) fn told_by<'r>(last: &'r Event, report: &'r Report) -> &'r Event {
    let before = report.events.iter().rev().nth(1).filter(|event| event.what == What::Exception);
    let is_abort = matches!(last.what, What::Signal { number: ABORT, .. });
    before.filter(|_| is_abort).unwrap_or(last)
}

/// Returns the failure that the decisive event of a report describes.
pub(crate) fn failure_of_event(event: &Event, report: &Report, symbols: Option<&Symbols>) -> Failure {
    let stack_of = |event: &Event| symbols.map(|symbols| symbols.stack(&event.frames, &event.mappings));
    let stack = stack_of(event).unwrap_or_default();
    match event.what {
        What::Signal { overflow: true, .. } => Failure::new(Kind::StackOverflow, "", stack.frames),
        What::Signal { number: ABORT, .. } => {
            let before = report.events.iter().rev().nth(1);
            match before.filter(|cause| !matches!(cause.what, What::Signal { .. })) {
                Some(cause) if cause.what == What::Exception => {
                    failure_of_exception(cause, stack_of(cause).unwrap_or_default())
                }
                cause => failure_of_abort(event, cause, stack),
            }
        }
        What::Signal { number, code, address, .. } => failure_of_fault(number, code, address, stack),
        _ => Failure::new(Kind::Abort, "", stack.frames),
    }
}

/// Returns the failure of a program that aborts. `cause` is the event before, if it is no signal.
fn failure_of_abort(event: &Event, cause: Option<&Event>, stack: Stack) -> Failure {
    let (kind, message) = match cause.filter(|cause| cause.what == What::Assertion) {
        Some(cause) => (Kind::Assertion, cause.texts.get("assertion").cloned()),
        None => (Kind::Abort, event.texts.get("abort").map(|text| text.trim().to_owned())),
    };
    Failure::new(kind, message.unwrap_or_default(), stack.frames)
}

fn failure_of_fault(number: i32, code: i32, address: u64, stack: Stack) -> Failure {
    let (nature, detail) = nature_of_fault(number, code, address);
    let failure = death(number, stack);
    let message = [nature, &failure.message].join(" ").trim().to_owned();
    // With these codes, the kernel reports the address of the fault.
    let address = matches!((number, code), (11, 1 | 2) | (7, 1..=3)).then_some(address);
    Failure { message, detail, address, ..failure }
}

fn failure_of_exception(event: &Event, stack: Stack) -> Failure {
    let (kind, message) = match (event.texts.get("type"), event.texts.get("what")) {
        (Some(name), Some(what)) => (Kind::Exception, format!("{}: {what}", type_name(name))),
        (Some(name), None) => (Kind::Exception, type_name(name)),
        (None, _) => {
            let reason = event.texts.get("reason").cloned();
            (Kind::Abort, reason.unwrap_or_else(|| "terminate without an exception".into()))
        }
    };
    Failure::new(kind, message, stack.frames)
}

/// Returns the failure that a sanitizer has found.
pub(crate) fn failure_of_finding(finding: &Finding, symbols: Option<&Symbols>) -> Failure {
    let stack = symbols.map(|symbols| symbols.stack_in_modules(&finding.frames)).unwrap_or_default();
    let detail = finding.detail.clone();
    if finding.is_stack_overflow() {
        return Failure { detail, ..Failure::new(Kind::StackOverflow, "", stack.frames) };
    }
    let inside = stack.inside.map_or_else(String::new, |function| format!(" in {function}"));
    let message = format!("{}{inside}", finding.message);
    let site = |(done, frames): &(&'static str, Vec<(String, u64)>)| {
        let mut frames = symbols?.stack_in_modules(frames).frames.into_iter();
        Some(Site { done, frame: frames.next()?, callers: frames.collect() })
    };
    let sites = finding.sites.iter().filter_map(site).collect();
    Failure { detail, sites, ..Failure::new(Kind::Sanitizer(finding.tool.clone()), message, stack.frames) }
}

/// Returns the failure of a program that a signal ended.
pub(crate) fn death(number: i32, stack: Stack) -> Failure {
    let ending = Ending::Signalled(number).to_string();
    let name = ending.trim_start_matches("killed by ").to_owned();
    let message = stack.inside.map_or_else(String::new, |function| format!("in {function}"));
    Failure::new(Kind::Signal(name), message, stack.frames)
}

/// Describes a fault from the kernel's information. The first part belongs to the failure; the
/// second changes from run to run. A null pointer differs from a pointer that was never set.
fn nature_of_fault(number: i32, code: i32, address: u64) -> (&'static str, String) {
    match (number, code) {
        (8, 1) => ("integer division by zero", String::new()),
        (8, 2) => ("integer overflow in a division", String::new()),
        (11, 1) if address < 4096 => (NULL_POINTER, format!("address {address:#x}")),
        (11, 1 | 2) | (7, 1..=3) => ("", format!("address {address:#x}")),
        _ => ("", String::new()),
    }
}
