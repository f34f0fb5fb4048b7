//! The behaviour that a call on the real JVM shows each time.

use lapidary_junit::{Aspects, Unwritable};
use lapidary_symbolic::{CallsToWitness, Input, Method, Number, Replayer, Witness, Witnessed};
use std::collections::BTreeSet;
use thiserror::Error;

/// Why it is not known what a call does each time.
#[derive(Clone, Debug, Error)]
pub enum Unsteady {
    #[error("it does not happen the same way each time")]
    Varying,
    #[error("the program does not allow the inputs")]
    Refused,
    #[error("the call does not end in time")]
    TooLong,
    #[error("the call ends the JVM")]
    Gone,
    #[error("the call could not be made: {0}")]
    Failed(String),
}

impl From<Unsteady> for Unwritable {
    fn from(reason: Unsteady) -> Unwritable {
        Unwritable(reason.to_string())
    }
}

/// The rounds differ in identity hash codes, which show in the order of hash tables and in texts.
const ROUNDS: [u32; 2] = [0, 7];

/// The behaviour of each call, if it is steady, or else the reason why a test cannot assert it.
pub fn steady(
    replayer: &Replayer,
    method: &Method,
    unseen: &BTreeSet<String>,
    calls: &[Vec<Input<Number>>],
) -> std::io::Result<Vec<Result<Witnessed, Unsteady>>> {
    if calls.is_empty() {
        return Ok(Vec::new());
    }
    let asked = CallsToWitness { method, unseen, calls };
    let [first, second] = ROUNDS.map(|round| replayer.witness(&asked, round));
    Ok(first?.into_iter().zip(second?).map(|(one, other)| same(one, &other)).collect())
}

fn same(one: Witness, other: &Witness) -> Result<Witnessed, Unsteady> {
    match (one, other) {
        (Witness::Seen(one), Witness::Seen(other)) if is_alike(&one, other) => Ok(*one),
        (Witness::Seen(_), _) => Err(Unsteady::Varying),
        (Witness::Refused, _) => Err(Unsteady::Refused),
        (Witness::TooLong, _) => Err(Unsteady::TooLong),
        (Witness::Gone, _) => Err(Unsteady::Gone),
        (Witness::Failed(why), _) => Err(Unsteady::Failed(why)),
    }
}

fn is_alike(one: &Witnessed, other: &Witnessed) -> bool {
    Aspects::between(one, other, false, false).is_none() && Aspects::of(one) == Aspects::of(other)
}
