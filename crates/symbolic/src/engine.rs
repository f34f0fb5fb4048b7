//! Everything that the paths of one version of a program share, except for terms.

use crate::config::MachineConfig;
use crate::coverage::Coverage;
use crate::hook::Hook;
use crate::input::{InputHints, KindId, Kinds, Restriction};
use crate::lasting::LastingState;
use crate::machine::Native;
use crate::merge::Merging;
use crate::state::State;
use crate::value::Value;
use crate::world::World;
use lapidary_classfile::{Field, Text, access};
use lapidary_jvm::{ClassId, Hierarchy};
use lapidary_terms::Curfew;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// The classes of a program, the settings for running them, and the results so far. A
/// [`Machine`](crate::Machine) runs its paths.
pub struct Engine {
    pub world: World,
    /// The methods that the machine implements itself, by [`NativeId`](crate::method::NativeId).
    pub(crate) natives: &'static [Native],
    pub config: MachineConfig,
    /// Whether every decision follows the witness of the path, without exploring the other way.
    pub(crate) follows_witness: bool,
    /// Stops everything at once. Paths keep their state and can go on later.
    pub curfew: Curfew,
    /// Takes part in running paths; see [`Hook`].
    pub hook: Option<Rc<dyn Hook>>,
    pub coverage: Coverage,
    /// Copies of states that took the other way at a fork and are still to be run.
    pub forked: Vec<State>,
    /// Number of decisions that the solver could not make or that were not explored. The way not
    /// taken is lost.
    pub undecided: u64,
    /// The reason and the place of the first undecided decision.
    pub first_undecided: Option<String>,
    pub counts: EngineCounts,
    pub merging: Merging,
    /// How values for parameters and fields are made, by type.
    pub kinds: Kinds,
    /// The kinds whose makers are generated.
    pub(crate) made_kinds: BTreeSet<KindId>,
    /// The arguments of `main`, if they are given.
    pub(crate) arguments: Vec<String>,
    /// Possible inputs that were not tried.
    pub restrictions: BTreeSet<Restriction>,
    /// The classes of the elements of arrays that were made as inputs.
    pub(crate) given_arrays: BTreeSet<Text>,
    /// The fields that outlive a call, once one was asked for.
    lasting: OnceCell<LastingState>,
    /// Strings with characters above U+00FF, to be tried as inputs.
    pub wide_texts: Vec<Vec<u16>>,
    /// Whether the program iterated over a `HashMap` or `HashSet`, whose order is unspecified.
    pub goes_through_hashes: bool,
    /// Whether the program saw the order of a table of hash codes, and whether a table had hash
    /// codes in it that the JVM makes up.
    pub(crate) shows_hash_order: bool,
    pub(crate) orders_by_identity: bool,
    /// The parts of its environment that the program read, such as the time. They are the same on
    /// every path here.
    pub surroundings: BTreeSet<String>,
}

/// How much work an engine has done.
#[derive(Clone, Copy, Debug, Default)]
pub struct EngineCounts {
    pub instructions: u64,
    pub forks: u64,
    pub calls: u64,
}

impl AsMut<Engine> for Engine {
    fn as_mut(&mut self) -> &mut Engine {
        self
    }
}

impl Engine {
    pub(crate) fn of(world: World, natives: &'static [Native], config: MachineConfig) -> Engine {
        Engine {
            world,
            natives,
            config,
            follows_witness: false,
            curfew: Curfew::default(),
            hook: None,
            coverage: Coverage::default(),
            forked: Vec::new(),
            undecided: 0,
            first_undecided: None,
            counts: EngineCounts::default(),
            merging: Merging::default(),
            kinds: Kinds::default(),
            made_kinds: BTreeSet::new(),
            arguments: Vec::new(),
            restrictions: BTreeSet::new(),
            given_arrays: BTreeSet::new(),
            lasting: OnceCell::new(),
            wide_texts: Vec::new(),
            goes_through_hashes: false,
            shows_hash_order: false,
            orders_by_identity: false,
            surroundings: BTreeSet::new(),
        }
    }

    /// Creates an engine for another version of the program, to be run by the same machine; see
    /// [`World::beside`].
    pub fn beside(&self, hierarchy: Arc<Hierarchy>, config: impl Into<MachineConfig>) -> Engine {
        Engine::of(self.world.beside(hierarchy), self.natives, config.into())
    }

    /// Makes inputs of the types and strings that the code asks about. Call it before planning any
    /// input.
    pub fn take_hints(&mut self, hints: &InputHints) {
        self.kinds.asked = hints.types.clone();
        self.kinds.lambdas = hints.lambdas.clone();
        self.wide_texts = hints.wide_texts.iter().cloned().collect();
    }

    /// The static fields of the program that outlive a call, by class in internal form and name.
    pub fn lasting_fields(&self) -> &BTreeSet<(Text, Text)> {
        self.lasting().fields()
    }

    fn lasting(&self) -> &LastingState {
        self.lasting.get_or_init(|| LastingState::of(self.world.hierarchy.class_path()))
    }

    /// Whether a class declares a static field.
    pub fn declares_static(&self, class: &Text, field: &Text) -> bool {
        let declared = self.world.hierarchy.class(self.world.hierarchy.id(class));
        let is_it = |declared: &Field| declared.name == *field && declared.access & access::STATIC != 0;
        declared.is_some_and(|class| class.fields.iter().any(is_it))
    }

    /// The value of a static field, if its class is initialised on this path.
    pub fn static_value(&mut self, state: &State, class: &Text, field: &Text) -> Option<Value> {
        let id = self.world.hierarchy.id(class);
        state.stage(id)?;
        let class = self.world.load(id).ok()?;
        let slot = class.static_fields.iter().position(|known| known.name == *field)?;
        Some(state.static_field(id, slot))
    }

    /// Whether a static field, or a field of an enum constant, may differ from its initial value
    /// because of an earlier call.
    pub(crate) fn outlives_calls(&self, class: ClassId, field: &Text) -> bool {
        self.is_own(class) && self.lasting().holds(self.world.hierarchy.name(class), field)
    }

    /// Whether a class belongs to the program and not to the platform.
    pub fn is_own(&self, class: ClassId) -> bool {
        let name = self.world.hierarchy.name(class).as_str();
        self.world.hierarchy.class_path().platform().is_none_or(|platform| platform.find(&name).is_none())
    }
}
