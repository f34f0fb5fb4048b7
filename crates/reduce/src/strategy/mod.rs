//! The strategies, one file each, and the table that lists them. A strategy searches among the
//! valid candidates without knowing what the items are.

mod binary;
mod chain;
mod closure;
mod ddmin;
mod exhaustive;
mod gallop;
mod gbr;
mod gbr_hdd;
mod gbr_then_sweep;
mod hasty_sweep;
mod hdd;
mod interface;
mod polish;
mod probdd;
mod prune;
mod verify;
mod windows;

pub use binary::{Binary, Cost};
pub use chain::Chain;
pub use closure::Closure;
pub use ddmin::Ddmin;
pub use exhaustive::{Exhaustive, TooLarge};
pub use gallop::Gallop;
pub use gbr::{Encoding, Gbr};
pub use gbr_hdd::GbrHdd;
pub use gbr_then_sweep::GbrThenSweep;
pub use hasty_sweep::HastySweep;
pub use hdd::Hdd;
pub(crate) use interface::midpoint;
pub use interface::{Oracle, Stop, Strategy};
pub use polish::{Polish, Sweep};
pub use probdd::ProbDd;
pub use verify::Verify;
pub use windows::{PolishWindows, Windows};

/// A strategy in [`STRATEGIES`].
#[derive(Clone, Copy, Debug)]
pub struct StrategyRow {
    /// The name that users give.
    pub name: &'static str,
    /// A line that says what it does.
    pub help: &'static str,
    /// Creates an instance. A strategy may remember what it learned, so every run needs its own.
    pub make: fn() -> Box<dyn Strategy>,
    /// Whether users may choose it. The others are for stages that run repeatedly and rely on a
    /// later stage to finish the work.
    pub is_offered: bool,
}

const fn row(name: &'static str, help: &'static str, make: fn() -> Box<dyn Strategy>) -> StrategyRow {
    StrategyRow { name, help, make, is_offered: true }
}

impl StrategyRow {
    const fn for_stages(self) -> StrategyRow {
        StrategyRow { is_offered: false, ..self }
    }
}

/// All strategies. A new one is a file and a row here; the contract suite runs every row.
pub const STRATEGIES: &[StrategyRow] = &[
    row("ddmin", "delta debugging: subsets, then complements; knows no validity", || Box::new(Ddmin)),
    row("verify", "ddmin that skips invalid candidates", || Box::new(Verify)),
    row("closure", "ddmin over closures of the dependency graph, sorted by size", || Box::new(Closure)),
    row("binary", "Binary Reduction over closures, cost = number of items", || Box::new(Binary { cost: Cost::Items })),
    row("binary-bytes", "Binary Reduction over closures, cost = bytes", || Box::new(Binary { cost: Cost::Bytes })),
    row("gbr", "Generalized Binary Reduction", || Box::new(Gbr { encoding: Encoding::Exact })),
    row("gallop", "gbr from below: the shortest prefixes first, in growing steps", || Box::new(Gallop::default())),
    row("gbr-hdd", "gbr as long as it takes away an item per test, then hdd", || Box::new(GbrHdd)),
    row("lossy-first", "gbr on the graph from first premise to first conclusion", || {
        Box::new(Gbr { encoding: Encoding::LossyFirst })
    }),
    row("lossy-last", "gbr on the graph from last premise to last conclusion", || {
        Box::new(Gbr { encoding: Encoding::LossyLast })
    }),
    row("hdd", "level by level over the item tree", || Box::new(Hdd)),
    row("probdd", "probabilistic delta debugging", || Box::new(ProbDd::default())),
    row("exhaustive", "every valid candidate in order of size; for small inputs", || {
        Box::new(Exhaustive { too_large: TooLarge::Refuse, ..Exhaustive::default() })
    }),
    row("polish", "one item at a time until nothing goes", || Box::new(Polish)),
    row("windows", "every run of two to four neighbouring items", || Box::new(Windows)),
    row("gbr+polish", "gbr, then polish", || chain("gbr+polish", &["gbr", "polish"])),
    row("gbr-hdd+polish", "gbr-hdd, then polish", || chain("gbr-hdd+polish", &["gbr-hdd", "polish"])),
    row("hdd+polish", "hdd, then polish", || chain("hdd+polish", &["hdd", "polish"])),
    row("polish+windows", "polish and windows in turn until nothing goes", || Box::new(PolishWindows)),
    row("hdd+polish+windows", "hdd, then polish and windows in turn", || {
        chain("hdd+polish+windows", &["hdd", "polish+windows"])
    }),
    row("sweep", "each item once", || Box::new(Sweep)).for_stages(),
    row("hasty sweep", "each item once that was not needed before", || Box::new(HastySweep::default())).for_stages(),
    row("gbr, then sweep", "gbr the first time, then hasty sweep", || Box::new(GbrThenSweep::default())).for_stages(),
    row("gallop near", "gallop that gives up after prefixes of 8 items", || Box::new(Gallop { reach: Some(8) }))
        .for_stages(),
    row("gallop far", "gallop that gives up after prefixes of 16 items", || Box::new(Gallop { reach: Some(16) }))
        .for_stages(),
    row("exhaustive if small", "exhaustive, or nothing", || Box::new(Exhaustive::default())).for_stages(),
];

/// Name and help of every strategy that users may choose.
pub const NAMES: &[(&str, &str)] = &offered();

const fn offered() -> [(&'static str, &'static str); OFFERED] {
    let mut names = [("", ""); OFFERED];
    let (mut index, mut found) = (0, 0);
    while index < STRATEGIES.len() {
        if STRATEGIES[index].is_offered {
            names[found] = (STRATEGIES[index].name, STRATEGIES[index].help);
            found += 1;
        }
        index += 1;
    }
    names
}

const OFFERED: usize = {
    let (mut index, mut count) = (0, 0);
    while index < STRATEGIES.len() {
        count += STRATEGIES[index].is_offered as usize;
        index += 1;
    }
    count
};

/// The strategy of this name in [`STRATEGIES`].
pub fn named(name: &str) -> Option<Box<dyn Strategy>> {
    STRATEGIES.iter().find(|row| row.name == name).map(|row| (row.make)())
}

fn chain(name: &'static str, links: &[&str]) -> Box<dyn Strategy> {
    let links = links.iter().map(|link| named(link).expect("the links are names")).collect();
    Box::new(Chain { name, links })
}
