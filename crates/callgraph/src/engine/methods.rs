//! Methods by number: those of classes, those of lambdas, and the JVM itself.

use crate::analysis::{Frame, Granularity};
use crate::engine::Map;
use crate::graph::Graph;
use crate::world::{Signature, World};
use lapidary_jvm::{MethodId, MethodName};
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct MethodNumber(u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Origin {
    Declared(MethodId),
    /// The method of the lambda with this index.
    Adapter(usize),
    Machine,
}

pub(crate) struct MethodState {
    pub origin: Origin,
    pub frame: Frame,
    /// The signature without the receiver; `None` for adapters, whose parameters accept everything.
    pub signature: Option<Rc<Signature>>,
    pub has_receiver: bool,
    /// The method from which this one was first reached; `None` if it was not reached. The JVM
    /// reaches itself.
    pub reached_from: Option<MethodNumber>,
}

#[derive(Default)]
pub(crate) struct Methods {
    states: Vec<MethodState>,
    numbers: Map<Origin, MethodNumber>,
    reached: usize,
}

impl Methods {
    pub fn get(&self, method: MethodNumber) -> &MethodState {
        &self.states[method.0 as usize]
    }

    pub fn set_inner(&mut self, method: MethodNumber, inner: crate::graph::PlaceId) {
        self.states[method.0 as usize].frame.inner = inner;
    }

    pub fn reached(&self) -> usize {
        self.reached
    }

    /// Marks a method as reached. Returns whether it was not reached before.
    pub fn reach(&mut self, method: MethodNumber, from: MethodNumber) -> bool {
        let state = &mut self.states[method.0 as usize];
        let is_new = state.reached_from.is_none();
        if is_new {
            state.reached_from = Some(from);
            self.reached += 1;
        }
        is_new
    }

    pub fn add_root(&mut self, granularity: &dyn Granularity, graph: &mut Graph) -> MethodNumber {
        let root = self.add(Origin::Machine, 0, granularity, graph);
        self.states[root.0 as usize].reached_from = Some(root);
        root
    }

    pub fn declared(
        &mut self,
        id: MethodId,
        world: &mut World,
        granularity: &dyn Granularity,
        graph: &mut Graph,
    ) -> Option<MethodNumber> {
        if let Some(known) = self.numbers.get(&Origin::Declared(id)) {
            return Some(*known);
        }
        let hierarchy = world.hierarchy.clone();
        let method = hierarchy.method(id);
        let signature = world.signature(&method.descriptor)?;
        let has_receiver = !method.is_static();
        let parameters = signature.parameters.len() + usize::from(has_receiver);
        let number = self.add(Origin::Declared(id), parameters, granularity, graph);
        let state = &mut self.states[number.0 as usize];
        (state.signature, state.has_receiver) = (Some(signature), has_receiver);
        Some(number)
    }

    pub fn adapter(
        &mut self,
        adapter: usize,
        parameters: usize,
        granularity: &dyn Granularity,
        graph: &mut Graph,
    ) -> MethodNumber {
        match self.numbers.get(&Origin::Adapter(adapter)) {
            Some(known) => *known,
            None => self.add(Origin::Adapter(adapter), parameters, granularity, graph),
        }
    }

    fn add(
        &mut self,
        origin: Origin,
        parameters: usize,
        granularity: &dyn Granularity,
        graph: &mut Graph,
    ) -> MethodNumber {
        let number = MethodNumber(self.states.len() as u32);
        let fixed = parameters + 1;
        let outer = granularity.outer(graph, fixed);
        let frame = Frame { outer, inner: outer, fixed };
        let has_receiver = matches!(origin, Origin::Adapter(_));
        self.states.push(MethodState { origin, frame, signature: None, has_receiver, reached_from: None });
        self.numbers.insert(origin, number);
        number
    }

    /// Every reached method of a class, with the nearest such method on the path to it.
    pub fn reached_with_callers(&self) -> impl Iterator<Item = (MethodId, Option<MethodId>)> + '_ {
        self.states.iter().filter_map(|state| match (state.origin, state.reached_from) {
            (Origin::Declared(id), Some(from)) => Some((id, self.nearest_declared(from))),
            _ => None,
        })
    }

    fn nearest_declared(&self, mut from: MethodNumber) -> Option<MethodId> {
        loop {
            let state = self.get(from);
            match state.origin {
                Origin::Declared(id) => return Some(id),
                Origin::Machine => return None,
                Origin::Adapter(_) => from = state.reached_from?,
            }
        }
    }
}

/// The name of a method for users.
pub(crate) fn name_of(world: &World, id: MethodId) -> MethodName {
    let method = world.hierarchy.method(id);
    let class = world.hierarchy.name(id.class);
    MethodName::new(class, &method.name, &method.descriptor)
}
