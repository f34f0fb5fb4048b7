//! Compares exceptions: the class and the message.

use super::{Differs, Matching, Same};
use crate::versions::Side;
use lapidary_symbolic::{Ref, Restriction, Vague, Value};

/// The longest chain of causes that is compared.
const CAUSES: usize = 20;

impl Matching<'_> {
    /// Compares two exceptions. Explanations that a real JVM generates are assumed to be equal.
    pub(super) fn exceptions(&mut self, old: Ref, new: Ref) -> Same {
        self.without_causes(old, new)?;
        if !self.have_same_causes(old, new) {
            self.versions.restrictions.insert(Restriction::Causes);
        }
        Ok(())
    }

    /// Whether the causes of two exceptions are known to be the same, each as far as this is
    /// compared.
    fn have_same_causes(&mut self, old: Ref, new: Ref) -> bool {
        let (mut old, mut new) = (Some(old), Some(new));
        for _ in 0..CAUSES {
            let suppressed = [(Side::Old, old), (Side::New, new)].map(|(side, exception)| {
                let state = self.state(side);
                exception.map(|exception| self.versions.take(side).suppressed_count(state, exception))
            });
            // Suppressed exceptions are not compared, so there must be none.
            if suppressed.iter().flatten().any(|count| *count != Some(0)) {
                return false;
            }
            let causes = [(Side::Old, old), (Side::New, new)].map(|(side, exception)| {
                let state = self.state(side);
                exception.and_then(|exception| self.versions.take(side).cause_of(state, exception))
            });
            match causes {
                [None, None] => return true,
                [Some(one), Some(other)] => {
                    let known = self.differs.len();
                    let is_same = self.without_causes(one, other).is_ok() && self.differs.len() == known;
                    self.differs.truncate(known);
                    if !is_same {
                        return false;
                    }
                }
                _ => return false,
            }
            [old, new] = causes;
        }
        false
    }

    fn without_causes(&mut self, old: Ref, new: Ref) -> Same {
        if self.class_name(Side::Old, old) != self.class_name(Side::New, new) {
            return Err(Differs);
        }
        match (self.vague(Side::Old, old), self.vague(Side::New, new)) {
            (Some(Vague::Explained), Some(Vague::Explained)) => Ok(()),
            (Some(Vague::Explained), _) | (_, Some(Vague::Explained)) => Err(Differs),
            (
                Some(Vague::Number { before, number, after }),
                Some(Vague::Number { before: other_before, number: other, after: other_after }),
            ) => {
                if before != other_before || after != other_after {
                    return Err(Differs);
                }
                self.values(number, other)
            }
            (Some(Vague::Number { before, number, after }), None) => {
                let named = self.number_in(Side::New, new, before, &after)?;
                self.values(number, named)
            }
            (None, Some(Vague::Number { before, number, after })) => {
                let named = self.number_in(Side::Old, old, before, &after)?;
                self.values(named, number)
            }
            (None, None) => match (self.message(Side::Old, old), self.message(Side::New, new)) {
                (Some(old), Some(new)) => self.all(&old, &new),
                (None, None) => Ok(()),
                _ => Err(Differs),
            },
        }
    }

    /// The number in a message between these texts.
    fn number_in(&mut self, side: Side, exception: Ref, before: &str, after: &str) -> Result<Value, Differs> {
        let units = self.message(side, exception).ok_or(Differs)?;
        let text = plain_text(&units).ok_or(Differs)?;
        let number = text.strip_prefix(before).and_then(|text| text.strip_suffix(after)).ok_or(Differs)?;
        number.parse().map(Value::Int).map_err(|_| Differs)
    }

    fn vague(&mut self, side: Side, exception: Ref) -> Option<Vague> {
        let state = self.state(side);
        self.versions.take(side).vague_message(state, exception)
    }

    fn message(&mut self, side: Side, exception: Ref) -> Option<Vec<Value>> {
        let state = self.state(side);
        self.versions.take(side).message_of(state, exception)
    }
}

/// The content of a string without symbols.
pub(crate) fn plain_text(units: &[Value]) -> Option<String> {
    let unit = |unit: &Value| if let Value::Int(unit) = unit { Some(*unit as u16) } else { None };
    let units: Vec<u16> = units.iter().map(unit).collect::<Option<_>>()?;
    Some(String::from_utf16_lossy(&units))
}
