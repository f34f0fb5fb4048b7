//! Confirms differences by running both versions on the real JVM.

use lapidary_compare::{Candidate, Confirmed, Observation, Observed, Spec, Where, differ_each_time};
use lapidary_symbolic::{Outcome, PathEnd, RealEnding, Replayed, Replayer};

/// Tries differences on the real JVM.
pub struct Confirmer<'a> {
    pub replayers: &'a [Replayer; 2],
    pub observation: Observation<'a>,
    pub spec: &'a Spec,
    /// The behaviour of both versions on the last candidate.
    pub seen: Vec<Seen>,
}

/// The behaviour of one version on the real JVM.
#[derive(Clone, Debug)]
pub struct Seen {
    /// How the call ended, as text.
    pub ending: String,
    /// The standard output of the call.
    pub stdout: String,
    /// The standard error of the call.
    pub stderr: String,
}

impl Confirmer<'_> {
    pub fn confirm(&mut self, candidate: &Candidate) -> Confirmed {
        match self.replayed(candidate) {
            Ok(replayed) => self.judge(candidate, &replayed),
            Err(error) => Confirmed::No(format!("the replay failed: {error}")),
        }
    }

    fn replayed(&mut self, candidate: &Candidate) -> std::io::Result<[Replayed; 2]> {
        let inputs = &candidate.new.inputs;
        let path = |path: &PathEnd| PathEnd { inputs: inputs.clone(), ..path.clone() };
        let old = self.replayers[0].replay(self.observation.method, &path(&candidate.old))?;
        let new = self.replayers[1].replay(self.observation.method, &path(&candidate.new))?;
        self.seen = [&old, &new].map(seen).to_vec();
        Ok([old, new])
    }

    fn judge(&self, candidate: &Candidate, replayed: &[Replayed; 2]) -> Confirmed {
        let [old, new] = replayed;
        for replayed in replayed {
            match &replayed.ending {
                RealEnding::Failed(why) => return Confirmed::No(format!("the replay failed: {}", first_line(why))),
                RealEnding::Refused => return Confirmed::No("the program does not allow these inputs".into()),
                RealEnding::TimedOut if candidate.at == Where::Ending => {}
                RealEnding::TimedOut => return Confirmed::No("a version does not end on the real JVM".into()),
                _ => {}
            }
        }
        let aspects = self.aspects();
        let differs = |aspect: &Aspect| aspect(old) != aspect(new);
        let can_be_seen: Vec<Aspect> = aspects.into_iter().filter(differs).collect();
        if self.happens_again(candidate, replayed, &can_be_seen)
            || !self.spec.result_may_change && self.differ_inside(candidate)
        {
            return Confirmed::Yes;
        }
        if !can_be_seen.is_empty() {
            return Confirmed::No("a version does not behave the same each time".into());
        }
        if !matches!(candidate.at, Where::Event(_)) {
            return Confirmed::No(format!("on the real JVM both versions end alike: {}", seen(old).ending));
        }
        // The real JVM does not show calls between objects, only that each version ends as
        // expected.
        for (replayed, path) in replayed.iter().zip([&candidate.old, &candidate.new]) {
            if matches!(path.outcome, Outcome::Unsupported { .. } | Outcome::TooLong) {
                return Confirmed::No("a version does something unsupported after the difference".into());
            }
            if let Some(difference) = replayed.difference(path) {
                return Confirmed::No(difference);
            }
        }
        Confirmed::Yes
    }

    /// The aspects of a call that must not differ.
    fn aspects(&self) -> Vec<Aspect> {
        let result: &[Aspect] = if self.spec.result_may_change { &[] } else { &[ending] };
        let output: &[Aspect] = if self.spec.output_may_change { &[] } else { &[stdout, stderr] };
        [result, output].concat()
    }

    /// Whether a second run of both versions agrees with the first in one of these aspects. An
    /// aspect that depends on time or chance proves nothing.
    fn happens_again(&self, candidate: &Candidate, replayed: &[Replayed; 2], aspects: &[Aspect]) -> bool {
        if aspects.is_empty() {
            return false;
        }
        let path = PathEnd { inputs: candidate.new.inputs.clone(), ..candidate.new.clone() };
        let again = self.replayers.each_ref().map(|replayer| replayer.replay(self.observation.method, &path));
        let [Ok(old), Ok(new)] = again else { return false };
        let is_same = |aspect: &Aspect| aspect(&old) == aspect(&replayed[0]) && aspect(&new) == aspect(&replayed[1]);
        aspects.iter().any(is_same)
    }

    /// Whether the returned objects, or the arguments after the call, differ each time.
    fn differ_inside(&self, candidate: &Candidate) -> bool {
        let call = (0, candidate.new.inputs.clone());
        let seen = self.replayers.each_ref().map(|replayer| self.observation.alone(replayer, &call));
        match seen {
            [Some(old), Some(new)] => differ_each_time(&old, &new, Observed::ends_otherwise),
            _ => false,
        }
    }
}

/// An observable aspect of a call, as text.
type Aspect = fn(&Replayed) -> String;

fn stdout(replayed: &Replayed) -> String {
    replayed.stdout.clone()
}

fn stderr(replayed: &Replayed) -> String {
    replayed.stderr.clone()
}

/// The ending without the stack trace of an exception, whose lines move with every edit.
fn ending(replayed: &Replayed) -> String {
    match &replayed.ending {
        RealEnding::Threw { class, message, .. } => {
            // The JVM explains a null with names of variables, which may change between versions.
            let is_explained = class == "java.lang.NullPointerException";
            let message = message.as_ref().filter(|message| !(is_explained && message.starts_with("Cannot ")));
            format!("{class} {message:?}")
        }
        other => format!("{other:?}"),
    }
}

fn seen(replayed: &Replayed) -> Seen {
    Seen { ending: replayed.ending.to_string(), stdout: replayed.stdout.clone(), stderr: replayed.stderr.clone() }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or(text)
}
