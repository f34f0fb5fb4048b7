//! Runs both versions on the real machine. What it does not confirm is no difference.

use lapidary_compare::{Candidate, Confirmed, Spec, Where};
use lapidary_symbolic::{Method, Observer, Outcome, PathEnd, RealEnding, Replayed, Replayer};
use std::time::Duration;

pub struct Confirmer<'a> {
    pub replayers: &'a [Replayer; 2],
    pub method: &'a Method,
    pub spec: &'a Spec,
    /// What was seen of the two versions, for the last candidate.
    pub seen: Vec<Seen>,
}

/// What the real machine did with a version.
#[derive(Clone, Debug)]
pub struct Seen {
    pub ending: String,
    pub stdout: String,
    pub stderr: String,
}

const CALL: Duration = Duration::from_secs(10);

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
        let old = self.replayers[0].replay(self.method, &path(&candidate.old))?;
        let new = self.replayers[1].replay(self.method, &path(&candidate.new))?;
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
                RealEnding::TimedOut => return Confirmed::No("a version does not end on the real machine".into()),
                _ => {}
            }
        }
        let printed = old.stdout != new.stdout || old.stderr != new.stderr;
        let can_be_seen =
            !self.spec.result_may_change && ending(old) != ending(new) || !self.spec.output_may_change && printed;
        if can_be_seen && !self.happens_again(candidate, replayed) {
            return Confirmed::No("a version does not do the same each time".into());
        }
        if can_be_seen || !self.spec.result_may_change && self.differ_inside(candidate) {
            return Confirmed::Yes;
        }
        if !matches!(candidate.at, Where::Event(_)) {
            return Confirmed::No(format!("on the real machine both versions end alike: {}", seen(old).ending));
        }
        // Calls between objects are not seen on the real machine; that each version ends as expected is.
        for (replayed, path) in replayed.iter().zip([&candidate.old, &candidate.new]) {
            if matches!(path.outcome, Outcome::Unsupported { .. } | Outcome::TooLong) {
                return Confirmed::No("a version does something that is not supported after the difference".into());
            }
            if let Some(difference) = replayed.difference(path) {
                return Confirmed::No(difference);
            }
        }
        Confirmed::Yes
    }

    /// Whether both versions do once more what they did: one that depends on time or chance tells nothing.
    fn happens_again(&self, candidate: &Candidate, replayed: &[Replayed; 2]) -> bool {
        let path = PathEnd { inputs: candidate.new.inputs.clone(), ..candidate.new.clone() };
        self.replayers.iter().zip(replayed).all(|(replayer, before)| {
            let again = replayer.replay(self.method, &path);
            again.is_ok_and(|again| ending(&again) == ending(before) && again.stdout == before.stdout)
        })
    }

    /// Whether what was returned, or what the arguments were left like, differs.
    fn differ_inside(&self, candidate: &Candidate) -> bool {
        let call = [(0, candidate.new.inputs.clone())];
        let seen = self.replayers.each_ref().map(|replayer| {
            let observer = Observer::start(replayer, self.method, CALL);
            observer.ok().and_then(|mut observer| observer.observe(&call).into_iter().next())
        });
        match seen {
            [Some(old), Some(new)] => old.ends_otherwise(&new),
            _ => false,
        }
    }
}

/// The ending without the places of an exception, which move with every edit.
fn ending(replayed: &Replayed) -> RealEnding {
    match &replayed.ending {
        RealEnding::Threw { class, message, .. } => {
            // The machine explains a null with the names of variables, which no version has to keep.
            let is_explained = class == "java.lang.NullPointerException";
            let message = message.clone().filter(|message| !(is_explained && message.starts_with("Cannot ")));
            RealEnding::Threw { class: class.clone(), message, places: Vec::new() }
        }
        other => other.clone(),
    }
}

fn seen(replayed: &Replayed) -> Seen {
    Seen { ending: replayed.ending.to_string(), stdout: replayed.stdout.clone(), stderr: replayed.stderr.clone() }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or(text)
}
