//! Two versions of a program in one machine. They share what is known about symbols.

use crate::carried::ChangedBehaviour;
use crate::common::CommonCode;
use crate::rules::Rules;
use crate::watch::{Common, Noted, Prefix, Watch, following, following_from, gives_alike, has_no_inputs, take_over};
use lapidary_classfile::Text;
use lapidary_symbolic::{Engine, Machine, Method, Restriction, State};
use lapidary_terms::Terms;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The largest number of instructions that may run before the first input.
const INITIALISING: u64 = 20_000_000;

/// One of the two versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    Old,
    New,
}

/// A version of the program: an engine or the machine that runs it, the entry method that makes
/// inputs and calls the compared method, and the rules that assign its objects to parts.
pub struct RunnableVersion<M> {
    pub machine: M,
    pub entry: Rc<Method>,
    /// The compared method.
    pub called: Rc<Method>,
    pub rules: Rc<Rules>,
}

/// Two versions that take turns in one machine, so that a term means the same in both.
pub struct VersionPair {
    machine: Machine,
    /// The version whose engine is in the machine.
    running: Side,
    /// The engine of the other version.
    resting: Engine,
    entries: [Rc<Method>; 2],
    watches: [Rc<Watch>; 2],
    /// The state of each version before its first input, once computed. `None` inside if that state
    /// is not the same for all paths.
    begun: [Option<Option<State>>; 2],
    /// Whether what several paths have in common is run only once.
    shares: bool,
    /// Restrictions that comparing the ends of paths has found.
    pub(crate) restrictions: BTreeSet<Restriction>,
    /// The static fields that outlive a call in either version, once they were needed.
    lasting: Option<Rc<BTreeSet<(Text, Text)>>>,
    /// The methods of objects that differ.
    pub(crate) behaviour: Option<ChangedBehaviour>,
}

impl VersionPair {
    /// The machine of the old version runs both. Interrupting it interrupts both.
    pub fn new(old: RunnableVersion<Machine>, new: RunnableVersion<Engine>) -> VersionPair {
        let (mut machine, mut resting) = (old.machine, new.machine);
        resting.curfew = machine.curfew.clone();
        let called = &old.called;
        let entry = (called.class_name.clone(), called.name.clone(), called.type_.descriptor());
        let behaviour = Some(ChangedBehaviour::new(old.rules.changes().clone(), entry));
        let watches = [old.rules, new.rules].map(|rules| Rc::new(Watch::new(rules)));
        machine.hook = Some(watches[0].clone());
        resting.hook = Some(watches[1].clone());
        let entries = [old.entry, new.entry];
        VersionPair {
            machine,
            running: Side::Old,
            resting,
            entries,
            watches,
            begun: [None, None],
            shares: true,
            restrictions: BTreeSet::new(),
            lasting: None,
            behaviour,
        }
    }

    /// The machine with the engine of a version in it.
    pub fn take(&mut self, side: Side) -> &mut Machine {
        if self.running != side {
            self.machine.switch(&mut self.resting);
            self.running = side;
        }
        &mut self.machine
    }

    /// The engine of a version, for inspection.
    pub fn engine(&self, side: Side) -> &Engine {
        if self.running == side { &self.machine.engine } else { &self.resting }
    }

    pub fn terms(&mut self) -> &mut Terms {
        &mut self.machine.terms
    }

    /// Sets whether one iteration of a loop stands for all. Resets the counts of undecided
    /// decisions.
    pub fn match_loops(&mut self, matches_loops: bool) {
        self.begun = [None, None];
        self.watches.iter().for_each(|watch| watch.match_loops(matches_loops));
        self.machine.undecided = 0;
        self.resting.undecided = 0;
    }

    /// Sets whether paths of the old version remember how far they are common to both versions.
    /// That is only possible if the engines share their class numbers and make the same kinds of
    /// inputs.
    pub fn share_prefix(&mut self, shares: bool) {
        (self.shares, self.begun) = (shares, [None, None]);
        let (old, new) = (&self.engine(Side::Old).world, &self.engine(Side::New).world);
        let can_share = shares && new.is_beside(old) && self.give_alike();
        let common = || -> Rc<dyn Common> { Rc::new(CommonCode::between(&old.hierarchy, &new.hierarchy)) };
        self.watches[0].share(can_share.then(common));
    }

    /// A state of a version that is about to follow a path. Its class is initialised only once for
    /// all paths, since that does not depend on inputs.
    pub fn following(&mut self, side: Side, path: &State) -> State {
        let index = side as usize;
        if self.begun[index].is_none() && self.shares {
            let entry = self.entries[index].clone();
            self.begun[index] = Some(self.take(side).begun(&entry, INITIALISING).filter(has_no_inputs));
        }
        match &self.begun[index] {
            Some(Some(begun)) => following_from(begun, path),
            _ => self.started(side, following(path)),
        }
    }

    /// A state that is about to call the entry method.
    pub fn started(&mut self, side: Side, mut state: State) -> State {
        let entry = self.entries[side as usize].clone();
        self.take(side).start(&mut state, &entry, &[]);
        state
    }

    /// Whether both versions can have the same inputs. They cannot if a class that only one of them
    /// has may be an input.
    pub fn give_alike(&self) -> bool {
        self.machine.kinds.are_alike(&self.resting.kinds)
    }

    /// The static fields of either version that outlive a call, by class in internal form and name.
    pub(crate) fn lasting_fields(&mut self) -> Rc<BTreeSet<(Text, Text)>> {
        let engines = [&self.machine.engine, &self.resting];
        let find = || Rc::new(engines.iter().flat_map(|engine| engine.lasting_fields()).cloned().collect());
        self.lasting.get_or_insert_with(find).clone()
    }

    /// Whether a change concerns locks, which only several threads can tell apart.
    pub(crate) fn has_other_locks(&self) -> bool {
        self.behaviour.as_ref().is_some_and(ChangedBehaviour::has_other_locks)
    }

    /// Whether a path of the old version that has ended is also one of the new version.
    pub fn is_common(&self, path: &State) -> bool {
        let (old, new) = (self.engine(Side::Old), self.engine(Side::New));
        self.watches[0].shares() && matches!(path.prefix(), Prefix::Whole) && gives_alike(new, old, path)
    }

    /// The path of the new version that follows one of the old version, starting where they first
    /// reach code that differs.
    pub fn take_over(&mut self, path: &State) -> Option<State> {
        if !self.watches[0].shares() {
            return None;
        }
        self.take(Side::New);
        let entries = (&self.entries[0], &self.entries[1]);
        take_over(&mut self.machine.engine, &self.resting, path, entries)
    }

    /// The number of queries to the solver.
    pub fn queries(&self) -> u64 {
        let statistics = self.machine.solver.statistics();
        statistics.0.first().map_or(0, |layer| layer.queries)
    }
}
