//! Whether two paths look the same, to the unaffected part while they run and from outside at the
//! end; and if not, under which condition they differ.
//!
//! Objects are paired: an object of the old version that has crossed the boundary corresponds to
//! exactly one of the new version. Strings and boxed numbers are compared by their content.

mod exceptions;
mod lasting;
mod numbers;
mod objects;

pub(crate) use exceptions::plain_text;

use crate::budget::Techniques;
use crate::spec::{Spec, Tolerance};
use crate::versions::{Side, VersionPair};
use crate::watch::{Crossing, Event, Noted, Variable, is_value_class};
use lapidary_symbolic::{Ending, Heap, Part, Ref, State, Value};
use lapidary_terms::Term;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A path of one version. `ending` is `None` if it was given up or is still running.
pub struct End {
    pub state: State,
    pub ending: Option<Ending>,
    /// How many paths it has followed in turn.
    pub rounds: u32,
}

/// Where two paths differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Where {
    /// At this event of the trace, counted from 0.
    Event(usize),
    /// In the way they end: one returned, threw or exited, and the other did not.
    Ending,
    /// In the return value or the exception.
    Result,
    Output,
    /// In the final state of the arguments.
    Arguments,
}

/// Under which condition two paths differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    Never,
    Always(Where),
    /// For all inputs that satisfy one of these conditions.
    If(Vec<(Term, Where)>),
}

/// Compares a path of the old version with one of the new version. If a path is still running, only
/// what it has reached is compared.
pub fn difference(versions: &mut VersionPair, spec: &Spec, techniques: Techniques, old: &End, new: &End) -> Difference {
    let mut matching = Matching {
        versions,
        tolerance: spec.numbers,
        cancels: techniques.cancelling,
        old: &old.state,
        new: &new.state,
        heaps: None,
        looks_inside: false,
        trusts_pure: !spec.pure.is_empty(),
        partners: HashMap::new(),
        originals: HashMap::new(),
        waiting: Vec::new(),
        seen_at_end: HashSet::new(),
        differs: Vec::new(),
        at: Where::Ending,
    };
    if spec.numbers == Tolerance::NoOverflow {
        return without_overflow(matching, spec, old, new);
    }
    matching.outcome(spec, old, new)
}

/// Ignores differences on inputs for which an integer computation overflows.
fn without_overflow(mut matching: Matching<'_>, spec: &Spec, old: &End, new: &End) -> Difference {
    let states = [matching.old, matching.new];
    let found = matching.outcome(spec, old, new);
    let terms = matching.versions.terms();
    let overflows = states.iter().flat_map(|state| state.overflows.to_vec());
    let any = overflows.fold(terms.bool(false), |any, overflow| terms.or_bool(any, *overflow));
    let none = terms.not(any);
    match (found, terms.constant(none)) {
        (Difference::Never, _) => Difference::Never,
        (_, Some(none)) if !none.is_true() => Difference::Never,
        (found, Some(_)) => found,
        (Difference::Always(at), None) => Difference::If(vec![(none, at)]),
        (Difference::If(conditions), None) => {
            Difference::If(conditions.into_iter().map(|(term, at)| (terms.and_bool(term, none), at)).collect())
        }
    }
}

/// The paths differ for all inputs.
struct Differs;

type Same = Result<(), Differs>;

struct Matching<'a> {
    versions: &'a mut VersionPair,
    tolerance: Tolerance,
    /// Whether identical terms count as equal without a query.
    cancels: bool,
    old: &'a State,
    new: &'a State,
    /// The heaps at the event being compared, or `None` for those at the end.
    heaps: Option<(&'a Heap, &'a Heap)>,
    /// Whether the content of affected objects is compared, too.
    looks_inside: bool,
    /// Whether there are methods whose writes do not count.
    trusts_pure: bool,
    partners: HashMap<Ref, Ref>,
    originals: HashMap<Ref, Ref>,
    /// Pairs of objects whose content is still to be compared.
    waiting: Vec<(Ref, Ref)>,
    /// The objects of the old version whose final content has been compared.
    seen_at_end: HashSet<Ref>,
    differs: Vec<(Term, Where)>,
    at: Where,
}

impl<'a> Matching<'a> {
    fn outcome(&mut self, spec: &Spec, old: &End, new: &End) -> Difference {
        match self.all_of(spec, old, new) {
            Err(Differs) => Difference::Always(self.at.clone()),
            Ok(()) if self.differs.is_empty() => Difference::Never,
            Ok(()) => Difference::If(std::mem::take(&mut self.differs)),
        }
    }

    fn all_of(&mut self, spec: &Spec, old: &End, new: &End) -> Same {
        self.traces(old.ending.is_some(), new.ending.is_some())?;
        let (Some(old_ending), Some(new_ending)) = (&old.ending, &new.ending) else { return Ok(()) };
        self.looks_inside = true;
        if let (Ending::Turned(old), Ending::Turned(new)) = (old_ending, new_ending) {
            self.at = Where::Ending;
            return self.exactly(old, new);
        }
        if !spec.result_may_change {
            self.at = Where::Ending;
            self.endings(old_ending, new_ending)?;
            self.at = Where::Arguments;
            let arguments = (self.old.arguments.clone(), self.new.arguments.clone());
            self.all(&arguments.0, &arguments.1)?;
        }
        if !spec.output_may_change {
            self.at = Where::Output;
            self.outputs()?;
        }
        self.lasting_state();
        Ok(())
    }

    /// A shorter trace differs only if its path has ended.
    fn traces(&mut self, old_has_ended: bool, new_has_ended: bool) -> Same {
        let (old, new) = (settled(self.old), settled(self.new));
        for (place, (old, new)) in old.iter().zip(&new).enumerate() {
            self.at = Where::Event(place);
            self.heaps = Some((&old.heap, &new.heap));
            self.events(old, new)?;
        }
        self.heaps = None;
        self.at = Where::Event(old.len().min(new.len()));
        let is_too_short = old.len() < new.len() && old_has_ended || new.len() < old.len() && new_has_ended;
        if is_too_short { Err(Differs) } else { Ok(()) }
    }

    fn events(&mut self, old: &Event, new: &Event) -> Same {
        if old.to != new.to {
            return Err(Differs);
        }
        match (&old.what, &new.what) {
            (Crossing::Called(one, arguments), Crossing::Called(other, others)) => {
                let has_same_name = one.name == other.name && one.type_ == other.type_;
                // The class of an affected object may change; the methods called on it may not.
                let has_same_class = one.class_name == other.class_name || old.to == Part::Affected;
                if !has_same_name || !has_same_class {
                    return Err(Differs);
                }
                self.all(arguments, others)
            }
            (Crossing::Returned(_, Some(one)), Crossing::Returned(_, Some(other))) => self.values(*one, *other),
            (Crossing::Returned(_, None), Crossing::Returned(_, None)) => Ok(()),
            (Crossing::Threw(_, one), Crossing::Threw(_, other)) => self.exceptions(*one, *other),
            (Crossing::Entered(one), Crossing::Entered(other)) => self.exactly(one, other),
            (Crossing::Wrote(object, name, value), Crossing::Wrote(other, other_name, other_value))
            | (Crossing::Read(object, name, value), Crossing::Read(other, other_name, other_value)) => {
                self.variables(name, other_name)?;
                self.values(Value::Reference(*object), Value::Reference(*other))?;
                self.values(*value, *other_value)
            }
            _ => Err(Differs),
        }
    }

    fn variables(&mut self, old: &Variable, new: &Variable) -> Same {
        match (old, new) {
            (Variable::Field(old), Variable::Field(new)) if old == new => Ok(()),
            (Variable::Element(old), Variable::Element(new)) => self.values(*old, *new),
            _ => Err(Differs),
        }
    }

    fn endings(&mut self, old: &Ending, new: &Ending) -> Same {
        match (old, new) {
            (Ending::Returned(Some(old)), Ending::Returned(Some(new))) | (Ending::Exited(old), Ending::Exited(new)) => {
                self.at = Where::Result;
                self.values(*old, *new)
            }
            (Ending::Returned(None), Ending::Returned(None)) => Ok(()),
            (Ending::Threw(old), Ending::Threw(new)) => {
                self.at = Where::Result;
                self.exceptions(*old, *new)
            }
            _ => Err(Differs),
        }
    }

    /// Compares the output character by character.
    fn outputs(&mut self) -> Same {
        for to_stderr in [false, true] {
            let printed = |state: &State| -> Vec<Value> {
                let parts = state.printed.to_vec().into_iter().filter(|part| part.to_stderr == to_stderr);
                parts.flat_map(|part| part.units.iter().copied()).collect()
            };
            let (old, new) = (printed(self.old), printed(self.new));
            self.all(&old, &new)?;
        }
        Ok(())
    }

    fn all(&mut self, old: &[Value], new: &[Value]) -> Same {
        if old.len() != new.len() {
            return Err(Differs);
        }
        old.iter().zip(new).try_for_each(|(old, new)| self.values(*old, *new))
    }

    /// Compares the values at the beginning of an iteration without tolerance, since small
    /// differences may grow in later iterations.
    fn exactly(&mut self, old: &[Value], new: &[Value]) -> Same {
        let tolerance = std::mem::replace(&mut self.tolerance, Tolerance::Exact);
        let same = self.all(old, new);
        self.tolerance = tolerance;
        same
    }

    /// Compares two values and everything reachable from them.
    fn values(&mut self, old: Value, new: Value) -> Same {
        self.shallowly(old, new)?;
        while let Some((old, new)) = self.waiting.pop() {
            self.insides(old, new)?;
        }
        Ok(())
    }

    fn shallowly(&mut self, old: Value, new: Value) -> Same {
        match (old, new) {
            (Value::Reference(None), Value::Reference(None)) | (Value::Nothing, Value::Nothing) => Ok(()),
            (Value::Reference(Some(old)), Value::Reference(Some(new))) => self.objects(old, new),
            (Value::Reference(_) | Value::Nothing, _) | (_, Value::Reference(_) | Value::Nothing) => Err(Differs),
            _ => self.numbers(old, new),
        }
    }

    fn objects(&mut self, old: Ref, new: Ref) -> Same {
        let (old_name, new_name) = (self.class_name(Side::Old, old), self.class_name(Side::New, new));
        if is_value_class(&old_name.replace('.', "/")) {
            return if old_name == new_name { self.insides(old, new) } else { Err(Differs) };
        }
        let known = (self.partners.get(&old).copied(), self.originals.get(&new).copied());
        match known {
            (Some(partner), _) if partner != new => return Err(Differs),
            (_, Some(original)) if original != old => return Err(Differs),
            (Some(_), _) if !self.looks_inside => return Ok(()),
            _ => {}
        }
        self.partners.insert(old, new);
        self.originals.insert(new, old);
        let parts = (self.part_of(Side::Old, old), self.part_of(Side::New, new));
        if self.looks_inside {
            // Objects that were compared on the way are compared again at the end, since they may
            // have changed.
            return if old_name != new_name { Err(Differs) } else { self.look_into_later(old, new) };
        }
        match parts {
            (Part::Affected, Part::Affected) => Ok(()),
            (Part::Unaffected, Part::Unaffected) if old_name == new_name => {
                // Methods that the user declares pure may have written fields that do not count.
                if !self.trusts_pure {
                    self.waiting.push((old, new));
                }
                Ok(())
            }
            _ => Err(Differs),
        }
    }

    /// The part of an object. Shared objects are the same inputs in both versions; their final
    /// content is compared at the end.
    fn part_of(&self, side: Side, object: Ref) -> Part {
        let heap = self.heap(side);
        if heap.parts.is_shared(object) { Part::Affected } else { heap.part_of(object) }
    }

    fn look_into_later(&mut self, old: Ref, new: Ref) -> Same {
        if self.seen_at_end.insert(old) {
            self.waiting.push((old, new));
        }
        Ok(())
    }

    /// Compares the characters of a string, the elements of an array, or the fields of any other
    /// object.
    fn insides(&mut self, old: Ref, new: Ref) -> Same {
        if let (Some(old), Some(new)) = (self.mirrored(Side::Old, old), self.mirrored(Side::New, new)) {
            return if old == new { Ok(()) } else { Err(Differs) };
        }
        if let (Some(old), Some(new)) = (self.text(Side::Old, old), self.text(Side::New, new)) {
            let mut both = old.iter().zip(&new);
            return if old.len() == new.len() {
                both.try_for_each(|(old, new)| self.shallowly(*old, *new))
            } else {
                Err(Differs)
            };
        }
        let (old_object, new_object) = (self.heap(Side::Old).get(old).clone(), self.heap(Side::New).get(new).clone());
        match (old_object.elements(), new_object.elements()) {
            (Some(old), Some(new)) if old.len() == new.len() => {
                (0..old.len()).try_for_each(|index| self.shallowly(old.get(index), new.get(index)))
            }
            (None, None) => {
                let (old, new) = (self.visible(Side::Old, old), self.visible(Side::New, new));
                for (name, value) in &old {
                    // A field that only one version has is visible to that version only.
                    if let Some((_, other)) = new.iter().find(|(other, _)| other == name) {
                        self.shallowly(*value, *other)?;
                    }
                }
                Ok(())
            }
            _ => Err(Differs),
        }
    }
}

/// The trace, normalised: of several writes to a variable with no other event in between, only the
/// last one counts, and adjacent writes are ordered by variable.
pub(crate) fn settled(state: &State) -> Vec<&Event> {
    let mut settled: Vec<&Event> = Vec::new();
    let mut run: BTreeMap<(Option<Ref>, String), &Event> = BTreeMap::new();
    for event in state.events() {
        match written(event) {
            Some(variable) => drop(run.insert(variable, event)),
            None => {
                settled.extend(std::mem::take(&mut run).into_values());
                settled.push(event);
            }
        }
    }
    settled.extend(run.into_values());
    settled
}

fn written(event: &Event) -> Option<(Option<Ref>, String)> {
    match &event.what {
        Crossing::Wrote(object, Variable::Field(name), _) => Some((*object, name.clone())),
        Crossing::Wrote(object, Variable::Element(Value::Int(index)), _) => Some((*object, format!("{index:010}"))),
        _ => None,
    }
}
