//! Two machines for two versions of a program. What they know about symbols is one and the same.

use lapidary_symbolic::{Machine, Method};
use lapidary_terms::Terms;
use std::rc::Rc;

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
}

impl Versions {
    /// The solver of the old version's machine is used for both, and whoever interrupts it interrupts both.
    pub fn new(old: Version, mut new: Version) -> Versions {
        new.machine.interrupt = old.machine.interrupt.clone();
        Versions { old, new, holder: Side::Old }
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
        for version in [&mut self.old, &mut self.new] {
            version.machine.matches_loops = matches_loops;
            version.machine.undecided = 0;
        }
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
