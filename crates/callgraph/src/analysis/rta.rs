//! Rapid type analysis (Bacon and Sweeney, OOPSLA 1996): a call may run a method only if reachable
//! code creates an object that has it. There is one set of types for the whole program.

use super::granularity::Granularity;

pub(super) struct Rta;

impl Granularity for Rta {}
