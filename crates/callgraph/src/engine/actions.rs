//! The effect of a body's actions on the places of its method.

use super::methods::{MethodNumber, Origin};
use super::{Engine, KnownCall, Site};
use crate::body::{Action, Body, Call, Lambda, Value, adapter_body, native_body, scan};
use crate::graph::{PlaceId, Use};
use crate::types::{FilterId, Shape, TypeId};
use crate::weakness::Weakness;
use lapidary_classfile::{Text, access};
use lapidary_jvm::{ClassId, FieldId, FieldType, MethodId};

impl Engine {
    pub(super) fn place(&self, method: MethodNumber, value: Value) -> PlaceId {
        self.granularity.value(&self.methods.get(method).frame, value.index())
    }

    /// Builds the body of a reached method and executes its actions.
    pub(super) fn read(&mut self, number: MethodNumber) {
        let body = match self.methods.get(number).origin {
            Origin::Declared(id) => self.declared_body(id),
            Origin::Adapter(adapter) => adapter_body(&mut self.world, &self.adapters[adapter]),
            Origin::Machine => return,
        };
        self.apply(number, body);
    }

    fn declared_body(&mut self, id: MethodId) -> Body {
        let hierarchy = self.world.hierarchy.clone();
        let method = hierarchy.method(id);
        match method.code() {
            Some(code) => scan(&mut self.world, id.class, method, code),
            None if method.access & access::NATIVE != 0 => native_body(&mut self.world, id, method),
            None => Body::default(),
        }
    }

    pub(super) fn apply(&mut self, number: MethodNumber, body: Body) {
        let frame = self.methods.get(number).frame;
        let inner = self.granularity.inner(&mut self.graph, &frame, body.values.saturating_sub(frame.fixed));
        self.methods.set_inner(number, inner);
        for action in body.actions {
            self.act(number, action);
        }
    }

    fn act(&mut self, number: MethodNumber, action: Action) {
        match action {
            Action::Name(class) if self.granularity.takes_named_classes() => self.name(class, number),
            Action::Name(_) => {}
            Action::Initialise(class) => self.initialise(class, number),
            Action::MirrorEnum(class) => self.ask_for_values(class),
            Action::New { type_, to } => {
                self.make(type_, number);
                self.graph.add_type(self.place(number, to), type_);
            }
            Action::Call(call) => self.call(number, &call),
            Action::Lambda(lambda) => self.lambda(number, *lambda),
            Action::Instances { filter, to } => self.watch(filter, self.place(number, to)),
            // With one place for everything, nothing flows between places.
            _ if self.granularity.is_global() => {}
            other => self.flow(number, other),
        }
    }

    fn flow(&mut self, number: MethodNumber, action: Action) {
        let place = |engine: &Engine, value: Value| engine.place(number, value);
        match action {
            Action::Move { from, to, filter } => {
                let (from, to) = (place(self, from), place(self, to));
                self.connect(from, to, filter);
            }
            Action::ReadField { field, to } => {
                let (from, to) = (self.field(field), place(self, to));
                self.connect(from, to, FilterId::ANY);
            }
            Action::WriteField { field, from } => {
                let (from, to) = (place(self, from), self.field(field));
                let filter = self.field_filter(field);
                self.connect(from, to, filter);
            }
            Action::LoadElement { array, to } => self.use_of(place(self, array), Use::LoadElements(place(self, to))),
            Action::StoreElement { array, from } => {
                self.use_of(place(self, array), Use::StoreElements(place(self, from)));
            }
            Action::ReadAnything { object, to } => self.use_of(place(self, object), Use::ReadAnything(place(self, to))),
            Action::WriteAnything { object, from } => {
                self.use_of(place(self, object), Use::WriteAnything(place(self, from)));
            }
            Action::Throw(from) => self.connect(place(self, from), self.thrown, FilterId::ANY),
            Action::StartThread(from) => self.connect(place(self, from), self.threads, FilterId::ANY),
            Action::CurrentThread { to } => self.connect(self.threads, place(self, to), FilterId::ANY),
            Action::Catch { filter, to } => self.connect(self.thrown, place(self, to), filter),
            _ => {}
        }
    }

    fn use_of(&mut self, place: PlaceId, use_: Use) {
        if self.granularity.merges_values() && !self.known_uses.insert((place, use_)) {
            return;
        }
        let types = self.graph.add_use(place, FilterId::ANY, use_, &self.world.types);
        self.serve(use_, &types);
    }

    /// Executes a use of a place for types that are new there.
    pub(super) fn serve(&mut self, use_: Use, types: &[TypeId]) {
        for type_ in types {
            match use_ {
                Use::Call(site) => self.dispatch(site, *type_),
                Use::LoadElements(to) => self.load_elements(*type_, to),
                Use::StoreElements(from) => self.store_elements(*type_, from),
                Use::ReadAnything(to) => {
                    self.load_elements(*type_, to);
                    for field in self.object_fields(*type_) {
                        let from = self.field(field);
                        self.connect(from, to, FilterId::ANY);
                    }
                }
                Use::WriteAnything(from) => {
                    self.store_elements(*type_, from);
                    for field in self.object_fields(*type_) {
                        let (to, filter) = (self.field(field), self.field_filter(field));
                        self.connect(from, to, filter);
                    }
                }
            }
        }
    }

    fn load_elements(&mut self, array: TypeId, to: PlaceId) {
        let lost = self.world.weaknesses.has(Weakness::NoMultiArrays) && self.world.types.dimensions(array) > 1;
        if self.world.types.elements(array).is_some() && !lost {
            let from = self.elements(array);
            self.connect(from, to, FilterId::ANY);
        }
    }

    fn store_elements(&mut self, array: TypeId, from: PlaceId) {
        if let Some(filter) = self.world.types.elements(array) {
            let to = self.elements(array);
            self.connect(from, to, filter);
        }
    }

    /// The fields of an object that can hold objects.
    fn object_fields(&self, type_: TypeId) -> Vec<FieldId> {
        let Shape::Class(class) = self.world.types.shape(type_) else { return Vec::new() };
        let hierarchy = &self.world.hierarchy;
        let fields_of = |class: ClassId| {
            let fields = hierarchy.class(class).map_or(&[][..], |file| &file.fields);
            let holds_objects = |(_, field): &(usize, &lapidary_classfile::Field)| {
                field.access & access::STATIC == 0 && matches!(field.descriptor.as_bytes().first(), Some(b'L' | b'['))
            };
            let fields = fields.iter().enumerate().filter(holds_objects);
            fields.map(move |(index, _)| FieldId { class, index: index as u32 })
        };
        hierarchy.superclasses(class).flat_map(fields_of).collect()
    }

    fn field_filter(&mut self, field: FieldId) -> FilterId {
        let hierarchy = self.world.hierarchy.clone();
        let type_ = FieldType::parse(hierarchy.field(field).descriptor.as_bytes());
        type_.ok().and_then(|type_| self.world.types.declared(&type_)).unwrap_or(FilterId::ANY)
    }

    fn call(&mut self, number: MethodNumber, call: &Call) {
        let receiver = call.arguments.first().copied().filter(|value| value.is_object());
        let receiver = receiver.map(|value| self.place(number, value));
        if self.granularity.merges_values() {
            let caller = self.methods.get(number).frame.outer;
            let known = KnownCall {
                receiver: receiver.unwrap_or(caller),
                caller,
                method: call.method,
                is_virtual: call.is_virtual,
                is_of_library: self.is_bound_to_library(number),
            };
            if !self.known_calls.insert(known) {
                return;
            }
        }
        let site: Site = self.site(number, call);
        let index = self.sites.len();
        self.sites.push(site);
        if !call.is_virtual {
            self.run_exactly(index);
        } else if let Some(receiver) = receiver {
            let filter = self.world.types.class_filter(call.method.class);
            let types = self.graph.add_use(receiver, filter, Use::Call(index), &self.world.types);
            self.serve(Use::Call(index), &types);
        }
    }

    fn lambda(&mut self, number: MethodNumber, lambda: Lambda) {
        let Lambda { adapter, captured, to } = lambda;
        let index = self.adapters.len();
        let type_ = self.world.types.lambda(index, &adapter.interfaces);
        let parameters = adapter.parameters;
        let method = self.methods.adapter(index, parameters, self.granularity, &mut self.graph);
        self.adapters.push(adapter);
        let first = parameters - captured.len();
        for (offset, value) in captured.iter().enumerate().filter(|(_, value)| value.is_object()) {
            let (from, to) = (self.place(number, *value), self.place(method, Value((first + offset) as u32)));
            self.connect(from, to, FilterId::ANY);
        }
        self.make(type_, number);
        self.graph.add_type(self.place(number, to), type_);
    }

    /// Records that a class may be loaded, for analyses that treat named classes as instantiated.
    pub(super) fn name(&mut self, class: ClassId, from: MethodNumber) {
        if !self.named.insert(class) {
            return;
        }
        let hierarchy = self.world.hierarchy.clone();
        let Some(file) = hierarchy.class(class) else { return };
        if file.access & (access::ABSTRACT | access::INTERFACE | access::MODULE) == 0 {
            let type_ = self.world.types.class(class);
            self.make(type_, from);
            self.graph.add_type(PlaceId::PROGRAM, type_);
        }
    }

    fn watch(&mut self, filter: FilterId, place: PlaceId) {
        self.watchers.push((filter, place));
        for index in self.made.iter() {
            let type_ = TypeId::new(index);
            if self.world.types.passes(type_, filter) {
                self.graph.add_type(place, type_);
            }
        }
    }

    /// Records that an object of the type exists: it flows to the places that watch for such
    /// objects, and its finalizer becomes reachable.
    fn make(&mut self, type_: TypeId, from: MethodNumber) {
        if !self.made.insert(type_.index()) {
            return;
        }
        for (filter, place) in self.watchers.clone() {
            if self.world.types.passes(type_, filter) {
                self.graph.add_type(place, type_);
            }
        }
        if let Shape::Class(class) = self.world.types.shape(type_) {
            self.finalize(class, type_, from);
        }
    }

    fn finalize(&mut self, class: ClassId, type_: TypeId, from: MethodNumber) {
        let (name, descriptor) = (Text::from("finalize"), Text::from("()V"));
        let hierarchy = self.world.hierarchy.clone();
        let declared =
            hierarchy.superclasses(class).find_map(|class| hierarchy.declared_method(class, &name, &descriptor));
        let of_object = hierarchy.object();
        if let Some(method) = declared.filter(|method| method.class != of_object)
            && !self.world.weaknesses.has(Weakness::NoFinalizers)
        {
            self.run_on(method, type_, from);
        }
    }
}
