//! Two machines for two versions of a program. What they know about symbols is one and the same.

use crate::common::CommonCode;
use lapidary_symbolic::{Common, Machine, Method, Prefix, State};
use lapidary_terms::Terms;
use std::rc::Rc;

/// So many instructions may run before the first input.
const INITIALISING: u64 = 20_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Old,
    New,
}

/// A machine, and the method in it that makes inputs and calls the one that is compared.
pub struct Version {
    pub machine: Machine,
    pub entry: Rc<Method>,
}

pub struct Versions {
    old: Version,
    new: Version,
    /// The one that has the terms and the solver.
    holder: Side,
    /// Each version before it has made an input, once somebody has asked for it; nothing where that is not the same for all paths.
    begun: [Option<Option<State>>; 2],
    /// Whether what several paths have in common is run once.
    shares: bool,
}

impl Versions {
    /// The solver of the old version's machine is used for both, and whoever interrupts it interrupts both.
    pub fn new(old: Version, mut new: Version) -> Versions {
        new.machine.interrupt = old.machine.interrupt.clone();
        Versions { old, new, holder: Side::Old, begun: [None, None], shares: true }
    }

    /// The version that runs next. Terms and solver come with it.
    pub fn take(&mut self, side: Side) -> &mut Version {
        if self.holder != side {
            self.old.machine.exchange(&mut self.new.machine);
            self.holder = side;
        }
        self.version_mut(side)
    }

    /// A version to look at.
    pub fn version(&self, side: Side) -> &Version {
        match side {
            Side::Old => &self.old,
            Side::New => &self.new,
        }
    }

    pub fn terms(&mut self) -> &mut Terms {
        let holder = self.holder;
        &mut self.version_mut(holder).machine.terms
    }

    /// Whether one turn of a loop stands for all. What was not decided so far is forgotten.
    pub fn match_loops(&mut self, matches_loops: bool) {
        self.begun = [None, None];
        for version in [&mut self.old, &mut self.new] {
            version.machine.matches_loops = matches_loops;
            version.machine.undecided = 0;
        }
    }

    /// Whether paths of the old version remember how far they are common to both. Only machines that number classes alike and that make the
    /// same kinds of inputs can share anything.
    pub fn share_prefix(&mut self, shares: bool) {
        (self.shares, self.begun) = (shares, [None, None]);
        let (old, new) = (&self.old.machine, &self.new.machine);
        let can_share = shares && new.world.is_beside(&old.world) && self.give_alike();
        let common = || -> Rc<dyn Common> { Rc::new(CommonCode::between(&old.world.hierarchy, &new.world.hierarchy)) };
        self.old.machine.common = can_share.then(common);
    }

    /// A version that is about to follow a path. Initialising its class, which no input has a part in, is done once for all paths.
    pub fn following(&mut self, side: Side, path: &State) -> State {
        let index = usize::from(side == Side::New);
        if self.begun[index].is_none() && self.shares {
            let Version { machine, entry } = self.take(side);
            let entry = entry.clone();
            self.begun[index] = Some(machine.begun(&entry, INITIALISING));
        }
        match &self.begun[index] {
            Some(Some(begun)) => State::following_from(begun, path),
            _ => self.started(side, State::following(path)),
        }
    }

    /// A state that is about to call the entry method.
    pub fn started(&mut self, side: Side, mut state: State) -> State {
        let Version { machine, entry } = self.take(side);
        let entry = entry.clone();
        machine.start(&mut state, &entry, &[]);
        state
    }

    /// Whether both versions can be given the same inputs. A class that only one of them has is none that the other can be given.
    pub fn give_alike(&self) -> bool {
        self.old.machine.kinds.are_alike(&self.new.machine.kinds)
    }

    /// Whether a path of the old version that has ended is one of the new version, too.
    pub fn is_common(&self, path: &State) -> bool {
        let (old, new) = (&self.old.machine, &self.new.machine);
        old.common.is_some() && matches!(path.prefix, Prefix::Whole) && new.gives_alike(old, path)
    }

    /// The path of the new version that follows one of the old version, from where they first come to code that differs.
    pub fn take_over(&mut self, path: &State) -> Option<State> {
        self.old.machine.common.as_ref()?;
        let entries = (&self.old.entry, &self.new.entry);
        self.new.machine.take_over(&self.old.machine, path, entries)
    }

    /// How often the solver was asked.
    pub fn queries(&self) -> u64 {
        let statistics = self.version(self.holder).machine.solver.statistics();
        statistics.0.first().map_or(0, |layer| layer.queries)
    }

    fn version_mut(&mut self, side: Side) -> &mut Version {
        match side {
            Side::Old => &mut self.old,
            Side::New => &mut self.new,
        }
    }
}
