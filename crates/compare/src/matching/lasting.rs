//! Compares what two paths leave in fields that outlive them.

use super::Matching;
use crate::versions::Side;
use crate::watch::Noted;
use lapidary_symbolic::{Restriction, Value};

impl Matching<'_> {
    /// Adds a restriction for each static field that may be left with different content. This is
    /// no difference by itself, because later calls need not see it.
    pub(super) fn lasting_state(&mut self) {
        for key in &*self.versions.lasting_fields() {
            let [old, new] = [Side::Old, Side::New].map(|side| {
                let state = self.state(side);
                let machine = self.versions.take(side);
                machine.declares_static(&key.0, &key.1).then(|| {
                    let is_written = state.noted().is_some_and(|notes| notes.written_statics.contains(key));
                    (machine.static_value(state, &key.0, &key.1), is_written)
                })
            });
            // A field that only one version has is its own business.
            let (Some(old), Some(new)) = (old, new) else { continue };
            let is_same = match (old.0, new.0) {
                (Some(old), Some(new)) => self.are_known_to_be_same(old, new),
                _ => !old.1 && !new.1,
            };
            if !is_same {
                let name = format!("{}.{}", key.0.as_str().replace('/', "."), key.1);
                self.versions.restrictions.insert(Restriction::LeftState(name));
            }
        }
    }

    fn are_known_to_be_same(&mut self, old: Value, new: Value) -> bool {
        let known = self.differs.len();
        let is_same = self.values(old, new).is_ok() && self.differs.len() == known;
        self.differs.truncate(known);
        self.waiting.clear();
        is_same
    }
}
