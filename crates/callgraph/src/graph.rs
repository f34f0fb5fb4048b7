//! The flow of objects: places with sets of types, edges between them, and uses that wait for new
//! types.
//!
//! A place with new types waits in a queue. Processing the queue sends the new types along the
//! edges and passes them to the uses. Sets only grow, so the result does not depend on the order.

use crate::type_set::{Bits, TypeSet};
use crate::types::{FilterId, TypeId, Types};
use foldhash::fast::RandomState;
use std::collections::{HashSet, VecDeque};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PlaceId(u32);

impl PlaceId {
    /// The place of the whole program, which every graph has.
    pub const PROGRAM: PlaceId = PlaceId(0);

    pub fn offset(self, by: usize) -> PlaceId {
        PlaceId(self.0 + by as u32)
    }
}

/// The reaction to every type that arrives at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Use {
    /// The call with this index receives the object as its receiver.
    Call(usize),
    /// The elements of the array flow to the place.
    LoadElements(PlaceId),
    /// The objects in the place become elements of the array.
    StoreElements(PlaceId),
    /// Every field or element of the object flows to the place.
    ReadAnything(PlaceId),
    /// The objects in the place flow to every field or element.
    WriteAnything(PlaceId),
}

#[derive(Default)]
struct Place {
    all: TypeSet,
    new: TypeSet,
    edges: Vec<(PlaceId, FilterId)>,
    uses: Vec<(FilterId, Use)>,
    waits: bool,
}

pub(crate) struct Graph {
    places: Vec<Place>,
    queue: VecDeque<PlaceId>,
    /// The known edges. Kept where many values share a place, because the same edge is then
    /// requested again and again.
    edges: Option<HashSet<(PlaceId, PlaceId, FilterId), RandomState>>,
}

impl Graph {
    pub fn new(remembers_edges: bool) -> Self {
        let places = vec![Place::default()];
        Graph { places, edges: remembers_edges.then(HashSet::default), queue: VecDeque::new() }
    }

    /// Adds `count` consecutive places and returns the first.
    pub fn add_places(&mut self, count: usize) -> PlaceId {
        let first = PlaceId(self.places.len() as u32);
        self.places.resize_with(self.places.len() + count, Place::default);
        first
    }

    pub fn add_type(&mut self, place: PlaceId, type_: TypeId) {
        let Place { all, new, waits, .. } = &mut self.places[place.0 as usize];
        if all.insert(type_) {
            new.insert(type_);
            if !std::mem::replace(waits, true) {
                self.queue.push_back(place);
            }
        }
    }

    pub fn add_edge(&mut self, from: PlaceId, to: PlaceId, filter: FilterId, types: &Types) {
        if from == to || self.edges.as_mut().is_some_and(|edges| !edges.insert((from, to, filter))) {
            return;
        }
        self.places[from.0 as usize].edges.push((to, filter));
        let all = std::mem::take(&mut self.places[from.0 as usize].all);
        self.send(&all, to, types.mask(filter));
        self.places[from.0 as usize].all = all;
    }

    /// Adds a use, and returns the types that are already there and pass the filter.
    pub fn add_use(&mut self, place: PlaceId, filter: FilterId, use_: Use, types: &Types) -> Vec<TypeId> {
        let place = &mut self.places[place.0 as usize];
        place.uses.push((filter, use_));
        place.all.list(types.mask(filter))
    }

    /// Sends the new types of the next waiting place along its edges. Returns its uses, each with
    /// the types to process, or `None` if no place waits.
    pub fn next(&mut self, types: &Types) -> Option<Vec<(Use, Vec<TypeId>)>> {
        let place = self.queue.pop_front()?;
        let waiting = &mut self.places[place.0 as usize];
        waiting.waits = false;
        let new = std::mem::take(&mut waiting.new);
        let edges = std::mem::take(&mut waiting.edges);
        for (to, filter) in &edges {
            self.send(&new, *to, types.mask(*filter));
        }
        let waiting = &mut self.places[place.0 as usize];
        waiting.edges = edges;
        let uses = waiting.uses.iter().map(|(filter, use_)| (*use_, new.list(types.mask(*filter))));
        Some(uses.filter(|(_, types)| !types.is_empty()).collect())
    }

    fn send(&mut self, from: &TypeSet, to: PlaceId, mask: Option<&Bits>) {
        let Place { all, new, waits, .. } = &mut self.places[to.0 as usize];
        if all.add(from, mask, new) && !std::mem::replace(waits, true) {
            self.queue.push_back(to);
        }
    }
}
