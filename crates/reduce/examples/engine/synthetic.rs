//! A synthetic model and a synthetic test, both deterministic and cheap.
//!
//! The items form a tree of fan-out eight, numbered level by level. An item needs its parent and up
//! to three earlier items, some nearby and some popular, like names in a program. A share of
//! [`NOT_EDGES`] of all clauses have a second premise or a second conclusion, as PLDI 2021, section
//! 5 measured in Java programs.
//!
//! A candidate is rendered as a fingerprint of the kept items, so that the cost of hashing and
//! storing candidates does not depend on the number of items. Only the walk over the kept items
//! does, and it counts as rendering, not as the engine's time.

use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{Cancel, FileTree, Item, Judgment, Model, Predicate, PredicateError, RenderError, Verdict};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const FAN_OUT: usize = 8;
const MOST_NEEDS: usize = 3;
/// The largest distance to a nearby item.
const NEARBY: usize = 64;
const NOT_EDGES: f64 = 0.025;
/// A fingerprint has one bit for each item that the test needs.
pub const MOST_NEEDED: usize = 64;

pub struct Synthetic {
    items: Vec<Item>,
    constraint: Cnf,
    needed: Vec<Var>,
    checks_validity: bool,
    clock: Clock,
}

impl Synthetic {
    /// Creates a model in which the test needs `needed` of the items. Rendered candidates show
    /// which of those they hold.
    pub fn new(items: usize, needed: usize, seed: u64) -> Self {
        let mut random = Random(seed);
        let constraint = constraint(items, &mut random);
        Synthetic {
            items: (0..items).map(|index| item(index, &mut random)).collect(),
            constraint,
            needed: random.distinct(needed, items).into_iter().map(Var::new).collect(),
            checks_validity: false,
            clock: Clock::default(),
        }
    }

    /// Sets whether rendered candidates show that they are invalid.
    pub fn check_validity(&mut self, check: bool) {
        self.checks_validity = check;
    }

    /// The time spent in rendering.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    fn fingerprint(&self, keep: &VarSet) -> Fingerprint {
        let present = self.needed.iter().enumerate().filter(|(_, var)| keep.contains(**var));
        Fingerprint {
            // A sum, because its terms do not depend on each other: a million items take about a
            // millisecond.
            hash: keep.iter().fold(0, |hash: u64, var| hash.wrapping_add(mix(var.index() as u64 + 1))),
            needed: present.fold(0, |bits, (position, _)| bits | 1 << position),
            is_valid: !self.checks_validity || self.constraint.is_satisfied_by(keep),
        }
    }
}

impl Model for Synthetic {
    fn items(&self) -> &[Item] {
        &self.items
    }

    fn constraint(&self) -> &Cnf {
        &self.constraint
    }

    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError> {
        self.clock.time(|| Ok(FileTree::file("synthetic", self.fingerprint(keep).to_bytes())))
    }
}

fn item(index: usize, random: &mut Random) -> Item {
    let item = Item::new(format!("item {index}"), "synthetic").costing(1 + random.below(64) as u64);
    match index {
        0 => item,
        _ => item.inside(Var::new(parent(index))),
    }
}

fn parent(index: usize) -> usize {
    (index - 1) / FAN_OUT
}

fn constraint(items: usize, random: &mut Random) -> Cnf {
    // Only needs can have a second premise or conclusion; for each parent there are `MOST_NEEDS /
    // 2` of them on average.
    let needs_per_item = MOST_NEEDS as f64 / 2.0;
    let share = NOT_EDGES * (1.0 + needs_per_item) / needs_per_item;
    let mut constraint = Cnf::new(items);
    for index in 1..items {
        let var = Var::new(index);
        constraint.imply(var, Var::new(parent(index)));
        for _ in 0..random.below(MOST_NEEDS + 1) {
            let need = Var::new(earlier(index, random));
            let other = Var::new(earlier(index, random));
            let added = match random.happens(share) {
                false => constraint.add(&[var], &[need]),
                true if random.happens(0.5) => constraint.add(&[var, other], &[need]),
                true => constraint.add(&[var], &[need, other]),
            };
            added.expect("there is a conclusion");
        }
    }
    constraint
}

/// An earlier item: half of all are nearby, the others anywhere before, with a bias to the
/// earliest.
fn earlier(index: usize, random: &mut Random) -> usize {
    match random.happens(0.5) {
        true => index - 1 - random.below(index.min(NEARBY)),
        false => (index as f64 * random.unit() * random.unit()) as usize,
    }
}

/// The contents of a rendered candidate.
struct Fingerprint {
    hash: u64,
    needed: u64,
    is_valid: bool,
}

impl Fingerprint {
    fn to_bytes(&self) -> Vec<u8> {
        [&self.hash.to_le_bytes()[..], &self.needed.to_le_bytes(), &[u8::from(self.is_valid)]].concat()
    }

    fn read(candidate: &FileTree) -> Option<Fingerprint> {
        let (hash, rest) = candidate.only_file()?.split_first_chunk()?;
        let (needed, rest) = rest.split_first_chunk()?;
        let is_valid = *rest.first()? == 1;
        Some(Fingerprint { hash: u64::from_le_bytes(*hash), needed: u64::from_le_bytes(*needed), is_valid })
    }
}

/// Which valid candidates are interesting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Those that hold all needed items; monotone.
    All,
    /// Those that hold all needed items, except a pseudo-random fifth; not monotone.
    Noisy,
}

impl Kind {
    pub fn named(name: &str) -> Option<Kind> {
        match name {
            "all" => Some(Kind::All),
            "noisy" => Some(Kind::Noisy),
            _ => None,
        }
    }
}

/// Judges fingerprints. It can sleep to imitate a slow test.
pub struct Test {
    kind: Kind,
    wanted: u64,
    sleep: Duration,
    clock: Clock,
}

impl Test {
    pub fn new(kind: Kind, needed: usize, sleep: Duration) -> Self {
        let wanted = (0..needed).fold(0, |bits, position| bits | 1 << position);
        Test { kind, wanted, sleep, clock: Clock::default() }
    }

    /// The time spent in tests, summed over threads.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    fn accepts(&self, candidate: &Fingerprint) -> bool {
        let is_rejected = self.kind == Kind::Noisy && mix(candidate.hash).is_multiple_of(5);
        candidate.is_valid && candidate.needed == self.wanted && !is_rejected
    }
}

impl Predicate for Test {
    fn judge(&self, candidate: &FileTree, _: &Cancel) -> Result<Judgment, PredicateError> {
        self.clock.time(|| {
            if !self.sleep.is_zero() {
                std::thread::sleep(self.sleep);
            }
            let broken = || PredicateError::Fatal("the candidate is no fingerprint".to_owned());
            let fingerprint = Fingerprint::read(candidate).ok_or_else(broken)?;
            Ok(match self.accepts(&fingerprint) {
                true => Judgment::new(Verdict::Interesting, "exit code 0"),
                false => Judgment::new(Verdict::Uninteresting, "exit code 1"),
            })
        })
    }
}

/// Sums up how long something takes.
#[derive(Default)]
pub struct Clock(AtomicU64);

impl Clock {
    pub fn total(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }

    pub fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    fn time<T>(&self, act: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let result = act();
        self.0.fetch_add(started.elapsed().as_nanos() as u64, Ordering::Relaxed);
        result
    }
}

/// SplitMix64: the same numbers for the same seed on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number from 0 (inclusive) to 1 (exclusive).
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.unit() * bound as f64) as usize
    }

    fn happens(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    fn distinct(&mut self, count: usize, bound: usize) -> Vec<usize> {
        let mut chosen = Vec::with_capacity(count);
        while chosen.len() < count {
            let next = self.below(bound);
            if !chosen.contains(&next) {
                chosen.push(next);
            }
        }
        chosen
    }
}

fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
