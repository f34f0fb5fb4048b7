//! Class hierarchy analysis (Dean, Grove and Chambers, ECOOP 1995).
//!
//! A call may run every method that overrides the one it names. The hierarchy consists of the
//! classes of the application and those platform classes that reachable code names, because no
//! other class could be loaded without reflection.

use super::granularity::Granularity;

pub(super) struct Cha;

impl Granularity for Cha {
    fn takes_named_classes(&self) -> bool {
        true
    }
}
