//! The loop that all analyses share. Reached methods are read, their actions become edges and uses
//! in the graph of places, and types that arrive at a receiver reach more methods, until nothing is
//! new.

mod actions;
mod dispatch;
mod methods;

use crate::analysis::Granularity;
use crate::body::{Adapter, Call, Start, root_body};
use crate::graph::{Graph, PlaceId, Use};
use crate::type_set::Bits;
use crate::types::{FilterId, TypeId};
use crate::world::World;
use crate::{Error, Limits};
use foldhash::fast::RandomState;
use lapidary_jvm::{ClassId, FieldId, MethodId};
pub(crate) use methods::name_of;
use methods::{MethodNumber, Methods};
use std::collections::{HashMap, HashSet};
use std::time::Instant;

type Map<K, V> = HashMap<K, V, RandomState>;
type Set<K> = HashSet<K, RandomState>;

pub(crate) struct Engine {
    pub world: World,
    pub methods: Methods,
    granularity: &'static dyn Granularity,
    graph: Graph,
    /// Methods that are reached but not yet read.
    pending: Vec<MethodNumber>,
    sites: Vec<Site>,
    /// Pairs of calls and targets that are already linked.
    linked: Set<(usize, MethodNumber)>,
    /// The calls known for each place, if all calls of a method share their places.
    known_calls: Set<KnownCall>,
    /// The other uses known for each place.
    known_uses: Set<(PlaceId, Use)>,
    targets: Map<(MethodId, TypeId), Option<MethodNumber>>,
    fields: Map<FieldId, PlaceId>,
    elements: Map<TypeId, PlaceId>,
    thrown: PlaceId,
    threads: PlaceId,
    adapters: Vec<Adapter>,
    initialised: Set<ClassId>,
    named: Set<ClassId>,
    made: Bits,
    /// Places that receive every created object that passes the filter.
    watchers: Vec<(FilterId, PlaceId)>,
    enums: Enums,
}

/// The identity of a call, if all calls of a method share their places.
#[derive(PartialEq, Eq, Hash)]
struct KnownCall {
    receiver: PlaceId,
    caller: PlaceId,
    method: MethodId,
    is_virtual: bool,
    /// Whether the caller is in the library; set only where it makes a difference.
    is_of_library: bool,
}

/// A call with the places of its arguments and result.
struct Site {
    caller: MethodNumber,
    method: MethodId,
    arguments: Box<[Option<PlaceId>]>,
    result: Option<PlaceId>,
}

/// Enums that are initialised, or whose `Class` the code obtains. The library calls `values` of
/// them by reflection, from one method. This model keeps maps and sets of enums correct.
#[derive(Default)]
struct Enums {
    asked_from: Option<MethodNumber>,
    waiting: Vec<ClassId>,
}

impl Engine {
    pub fn new(world: World, granularity: &'static dyn Granularity) -> Self {
        let mut graph = Graph::new(granularity.merges_values() && !granularity.is_global());
        let thrown = granularity.shared(&mut graph);
        let threads = granularity.shared(&mut graph);
        Engine {
            world,
            methods: Methods::default(),
            granularity,
            graph,
            pending: Vec::new(),
            sites: Vec::new(),
            linked: Set::default(),
            known_calls: Set::default(),
            known_uses: Set::default(),
            targets: Map::default(),
            fields: Map::default(),
            elements: Map::default(),
            thrown,
            threads,
            adapters: Vec::new(),
            initialised: Set::default(),
            named: Set::default(),
            made: Bits::default(),
            watchers: Vec::new(),
            enums: Enums::default(),
        }
    }

    /// Finds everything that may run once the JVM runs `main`.
    pub fn run(&mut self, start: Start, application: &[ClassId], limits: &Limits) -> Result<(), Error> {
        let root = self.methods.add_root(self.granularity, &mut self.graph);
        if self.granularity.takes_named_classes() {
            application.iter().for_each(|class| self.name(*class, root));
        }
        let body = root_body(&mut self.world, start);
        self.apply(root, body);
        let begin = Instant::now();
        let mut steps = 0_u32;
        loop {
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(64) {
                self.check(limits, begin)?;
            }
            if let Some(method) = self.pending.pop() {
                self.read(method);
            } else if let Some(uses) = self.graph.next(&self.world.types) {
                uses.into_iter().for_each(|(use_, types)| self.serve(use_, &types));
            } else {
                return Ok(());
            }
        }
    }

    fn check(&self, limits: &Limits, start: Instant) -> Result<(), Error> {
        if self.methods.reached() > limits.methods {
            return Err(Error::TooManyMethods { limit: limits.methods });
        }
        if start.elapsed() > limits.time {
            return Err(Error::OutOfTime { limit: limits.time });
        }
        Ok(())
    }

    fn field(&mut self, field: FieldId) -> PlaceId {
        let graph = &mut self.graph;
        *self.fields.entry(field).or_insert_with(|| self.granularity.shared(graph))
    }

    fn elements(&mut self, array: TypeId) -> PlaceId {
        let graph = &mut self.graph;
        *self.elements.entry(array).or_insert_with(|| self.granularity.shared(graph))
    }

    fn connect(&mut self, from: PlaceId, to: PlaceId, filter: FilterId) {
        self.graph.add_edge(from, to, filter, &self.world.types);
    }

    fn site(&self, caller: MethodNumber, call: &Call) -> Site {
        let place = |value: &crate::body::Value| value.is_object().then(|| self.place(caller, *value));
        Site {
            caller,
            method: call.method,
            arguments: call.arguments.iter().map(place).collect(),
            result: place(&call.result),
        }
    }
}
