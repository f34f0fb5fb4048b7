//! A comparison in words, for the terminal, the JSON and the page.

use super::report::ComparisonReport;
use lapidary_compare::{Candidate, ComparisonResult, Verdict, Where};
use lapidary_symbolic::{Input, Method, Number, Outcome, escaped, quoted};
use std::collections::BTreeSet;

impl ComparisonReport {
    /// The verdict: `different`, `equivalent`, `no difference found` or `unknown`.
    pub fn verdict(&self) -> &'static str {
        match self.comparison.verdict {
            Verdict::Different => "different",
            _ if self.is_different() => "different",
            Verdict::Equivalent => "equivalent",
            Verdict::NoDifferenceFound => "no difference found",
            Verdict::Unknown => "unknown",
        }
    }

    /// The restrictions of a comparison without a difference: the inputs that it left out, and the
    /// time that it used.
    pub fn restrictions(&self) -> Vec<String> {
        let comparison = &self.comparison;
        let has_ended = comparison.verdict == Verdict::NoDifferenceFound;
        let is_about_inputs = has_ended || comparison.verdict == Verdict::Unknown && comparison.stopped.is_some();
        if self.is_different() || !is_about_inputs {
            return Vec::new();
        }
        let mut said: Vec<String> =
            comparison.stopped.iter().map(|limit| format!("no difference found before {limit} ended it")).collect();
        said.extend(comparison.restrictions.iter().map(ToString::to_string));
        said.extend(comparison.surroundings.iter().map(|asked| format!("{asked} always the same")));
        said.push(format!("{:.1} s of {} s used", comparison.elapsed.as_secs_f64(), self.time.as_secs_f64()));
        said
    }

    /// The limits of the verdict, and all that was left out, in one sentence each.
    pub fn reservations(&self) -> Vec<String> {
        let ComparisonResult { unsupported, unconfirmed, undecided, dropped, .. } = &self.comparison;
        let paths = |count: u64| if count == 1 { "1 path".to_owned() } else { format!("{count} paths") };
        let mut said: Vec<String> = Vec::new();
        said.extend(self.random.as_ref().err().map(|error| format!("random testing failed: {error}")));
        said.extend(
            self.comparison
                .stopped
                .map(|limit| format!("{limit} ended the comparison before all paths were taken; see --budget")),
        );
        if *undecided > 0 {
            said.push(format!("{undecided} conditions were not decided by the solver"));
        }
        said.extend(unsupported.iter().map(|(what, count)| format!("not supported, on {}: {what}", paths(*count))));
        if self.comparison.is_abstracted && self.comparison.difference.is_none() {
            said.push("no difference was found with abstract classes, which proves nothing".to_owned());
        }
        if *dropped > 0 {
            let were = if *dropped == 1 {
                "difference of abstract classes was"
            } else {
                "differences of abstract classes were"
            };
            said.push(format!("{dropped} {were} dropped: the concrete classes cannot behave like this"));
        }
        said.extend(unconfirmed.iter().map(|why| format!("a difference was not confirmed: {why}")));
        said
    }

    /// How a run on the real JVM ended, in words. It reports booleans and characters as numbers.
    pub fn real_ending(&self, ending: &str) -> String {
        typed(ending, &self.method.type_.descriptor().as_str())
    }

    /// The behaviour of both versions on the real JVM, in words: how the call ended, and what it
    /// printed if they differ in that.
    pub(crate) fn seen_in_words(&self) -> Vec<String> {
        match (&self.seen[..], self.found_at_random()) {
            ([old, new], None) => {
                let endings = [old, new].map(|seen| self.real_ending(&seen.ending));
                let printed = printed([&old.stdout, &new.stdout], [&old.stderr, &new.stderr]);
                endings.iter().zip(printed).map(|(ending, printed)| ending.clone() + &printed).collect()
            }
            (_, Some(found)) => found.seen_in_words().to_vec(),
            _ => self.seen.iter().map(|seen| self.real_ending(&seen.ending)).collect(),
        }
    }
}

/// The ending of a call of a method with this descriptor: the real JVM reports booleans and
/// characters as numbers.
pub(crate) fn typed(ending: &str, descriptor: &str) -> String {
    let number = ending.strip_prefix("returns ").and_then(|number| number.parse::<u16>().ok());
    match (descriptor.rsplit(')').next(), number) {
        (Some("Z"), Some(number @ (0 | 1))) => format!("returns {}", number == 1),
        (Some("C"), Some(unit)) => format!("returns '{}'", escaped(&[unit], '\'')),
        _ => ending.to_owned(),
    }
}

/// The output of two versions in words, to follow how they ended; nothing about a stream that both
/// write alike.
pub(crate) fn printed(stdout: [&str; 2], stderr: [&str; 2]) -> [String; 2] {
    let shown = |text: &str, stream: &str| match text.is_empty() {
        true => format!("prints nothing{stream}"),
        false => format!("prints {}{stream}", beginning(text)),
    };
    [0, 1].map(|version| {
        let streams = [(stdout, ""), (stderr, " to standard error")];
        let differ = streams.into_iter().filter(|(texts, _)| texts[0] != texts[1]);
        differ.map(|(texts, stream)| format!(" and {}", shown(texts[version], stream))).collect()
    })
}

/// The beginning of a text as Java would write it, without the last end of a line.
fn beginning(text: &str) -> String {
    const LONGEST: usize = 200;
    let units = text.strip_suffix('\n').unwrap_or(text).encode_utf16();
    let rest = if units.clone().count() > LONGEST { "..." } else { "" };
    quoted(units.take(LONGEST)) + rest
}

/// A method call with its inputs, as text.
pub fn call_in_words(method: &Method, inputs: &[Input<Number>]) -> String {
    let inputs: Vec<String> = inputs.iter().map(ToString::to_string).collect();
    match inputs.split_first() {
        Some((object, arguments)) if !method.is_static() => {
            format!("{object}.{}({})", method.name, arguments.join(", "))
        }
        _ => format!("{method}({})", inputs.join(", ")),
    }
}

/// Describes where two paths first differ.
pub fn difference_in_words(candidate: &Candidate) -> String {
    match &candidate.at {
        Where::Event(at) => match (candidate.old_trace.get(*at), candidate.new_trace.get(*at)) {
            (Some(old), Some(new)) => format!("`{}` has become `{}` at {}", old.text, new.text, new.place),
            (Some(old), None) => format!("`{}` at {} no longer happens", old.text, old.place),
            (None, Some(new)) => format!("`{}` at {} is new", new.text, new.place),
            (None, None) => "one version continues where the other ends".to_owned(),
        },
        Where::Ending => "the call ends differently".to_owned(),
        Where::Result => with_order(result(candidate), candidate),
        Where::Output => with_order("the output differs", candidate),
        Where::Arguments => with_order("the arguments are left in a different state", candidate),
    }
}

/// Describes how two results differ. The texts of two objects may be the same.
fn result(candidate: &Candidate) -> &'static str {
    match (&candidate.old.outcome, &candidate.new.outcome) {
        (Outcome::Threw { class, .. }, Outcome::Threw { class: other, .. }) if class == other => {
            "the message of the exception differs"
        }
        (Outcome::Returned(Some(old)), Outcome::Returned(Some(new))) if old == new => {
            "the result differs, though not as text: in which of its objects are the same, or in their classes"
        }
        _ => "the result differs",
    }
}

fn with_order(what: &str, candidate: &Candidate) -> String {
    let order = if candidate.is_hash_order { ", only in the order of a HashMap or HashSet" } else { "" };
    format!("{what}{order}")
}

/// The classes of input objects whose fields were set one by one, without the checks of a
/// constructor.
pub fn assembled_classes(inputs: &[Input<Number>]) -> BTreeSet<String> {
    let mut classes = BTreeSet::new();
    inputs.iter().for_each(|input| collect_assembled(input, &mut classes));
    classes
}

fn collect_assembled(input: &Input<Number>, classes: &mut BTreeSet<String>) {
    match input {
        Input::Object(object) => {
            if !object.fields.is_empty() {
                classes.insert(object.class.as_str().replace(['/', '$'], "."));
            }
            object.fields.iter().for_each(|field| collect_assembled(&field.value, classes));
        }
        Input::Array(_, parts) | Input::Made(_, parts) | Input::Elements(_, parts) | Input::Entries(_, parts) => {
            parts.iter().for_each(|part| collect_assembled(part, classes));
        }
        Input::Shared(_, input) => collect_assembled(input, classes),
        _ => {}
    }
}
