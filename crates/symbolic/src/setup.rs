//! Creates a machine with the methods that it implements itself.

use crate::config::MachineConfig;
use crate::engine::Engine;
use crate::machine::Machine;
use crate::native;
use crate::world::World;
use lapidary_jvm::Hierarchy;
use lapidary_terms::Solver;
use std::sync::Arc;

impl Machine {
    pub fn new(hierarchy: Arc<Hierarchy>, solver: Box<dyn Solver>, config: impl Into<MachineConfig>) -> Machine {
        Machine::of(Engine::new(hierarchy, config), solver)
    }
}

impl Engine {
    /// An engine with its own numbering of classes. [`Engine::beside`] makes one that shares the
    /// numbering of another.
    pub fn new(hierarchy: Arc<Hierarchy>, config: impl Into<MachineConfig>) -> Engine {
        Engine::of(World::new(hierarchy, native::find), native::implementations(), config.into())
    }
}
