//! Dispatch: finds the methods that a call runs, and the class initialisers that run with them.

use super::Engine;
use super::methods::{MethodNumber, Origin};
use crate::body::Value;
use crate::graph::PlaceId;
use crate::types::{FilterId, Shape, TypeId};
use crate::weakness::Weakness;
use crate::world::ClassOrigin;
use lapidary_classfile::{Text, access};
use lapidary_jvm::{ClassId, MethodId, Selection};

impl Engine {
    /// Adds a receiver type to a call.
    pub(super) fn dispatch(&mut self, site: usize, type_: TypeId) {
        let (method, caller) = (self.sites[site].method, self.sites[site].caller);
        let target = match self.targets.get(&(method, type_)) {
            Some(known) => *known,
            None => {
                let target = self.target(method, type_);
                self.targets.insert((method, type_), target);
                target
            }
        };
        let Some(target) = target.filter(|target| self.may_call(caller, *target)) else { return };
        if !self.granularity.is_global() {
            let receiver = self.place(target, Value(0));
            self.graph.add_type(receiver, type_);
        }
        self.link(site, target);
    }

    /// Links a call to exactly the method that it names.
    pub(super) fn run_exactly(&mut self, site: usize) {
        let (method, caller) = (self.sites[site].method, self.sites[site].caller);
        let has_code = self.world.hierarchy.method(method).access & access::ABSTRACT == 0;
        let Some(target) = self.declared(method).filter(|_| has_code) else { return };
        if !self.may_call(caller, target) {
            return;
        }
        let receiver = self.sites[site].arguments.first().copied().flatten();
        if let Some(from) = receiver.filter(|_| self.methods.get(target).has_receiver && !self.granularity.is_global())
        {
            let filter = self.world.types.class_filter(method.class);
            let to = self.place(target, Value(0));
            self.connect(from, to, filter);
        }
        self.link(site, target);
    }

    /// Records that the JVM calls a method on an object of this type.
    pub(super) fn run_on(&mut self, method: MethodId, type_: TypeId, from: MethodNumber) {
        let Some(target) = self.declared(method) else { return };
        if !self.granularity.is_global() {
            let receiver = self.place(target, Value(0));
            self.graph.add_type(receiver, type_);
        }
        self.reach(target, from);
    }

    fn link(&mut self, site: usize, target: MethodNumber) {
        if !self.linked.insert((site, target)) {
            return;
        }
        self.reach(target, self.sites[site].caller);
        if self.granularity.is_global() {
            return;
        }
        let first = usize::from(self.methods.get(target).has_receiver);
        for index in first..self.sites[site].arguments.len() {
            if let (Some(from), Some(filter)) =
                (self.sites[site].arguments[index], self.parameter_filter(target, index))
            {
                let to = self.place(target, Value(index as u32));
                self.connect(from, to, filter);
            }
        }
        if let Some(to) = self.sites[site].result {
            let from = self.result(target);
            self.connect(from, to, FilterId::ANY);
        }
    }

    fn result(&self, method: MethodNumber) -> PlaceId {
        self.place(method, Value(self.methods.get(method).frame.fixed as u32 - 1))
    }

    /// The filter of a parameter; `None` if it is primitive or does not exist.
    fn parameter_filter(&self, method: MethodNumber, index: usize) -> Option<FilterId> {
        let state = self.methods.get(method);
        match &state.signature {
            None => (index + 1 < state.frame.fixed).then_some(FilterId::ANY),
            Some(signature) => signature.parameters.get(index - usize::from(state.has_receiver))?.filter,
        }
    }

    fn may_call(&mut self, caller: MethodNumber, target: MethodNumber) -> bool {
        !self.is_bound_to_library(caller) || self.is_of_library(target)
    }

    /// Returns whether the calls of a method are followed only into the library.
    pub(super) fn is_bound_to_library(&mut self, caller: MethodNumber) -> bool {
        self.world.weaknesses.has(Weakness::NoLibraryCallbacks) && self.is_of_library(caller)
    }

    fn is_of_library(&mut self, method: MethodNumber) -> bool {
        match self.methods.get(method).origin {
            Origin::Declared(id) => self.world.origin(id.class) == ClassOrigin::Platform,
            Origin::Adapter(_) | Origin::Machine => false,
        }
    }

    fn declared(&mut self, id: MethodId) -> Option<MethodNumber> {
        self.methods.declared(id, &mut self.world, self.granularity, &mut self.graph)
    }

    /// The method that runs when the resolved one is called on an object of this type.
    fn target(&mut self, method: MethodId, type_: TypeId) -> Option<MethodNumber> {
        let selected = match self.world.types.shape(type_) {
            Shape::Class(class) => self.select(class, method),
            Shape::Array(_) => self.select(self.world.known.object, method),
            Shape::Lambda(adapter) => return self.target_in_lambda(method, adapter),
        };
        selected.and_then(|selected| self.declared(selected))
    }

    fn select(&mut self, class: ClassId, method: MethodId) -> Option<MethodId> {
        match self.world.hierarchy.select_method(class, method) {
            Selection::Found(found) => self.with_code(found),
            Selection::Unknown(class) => {
                self.world.missing.insert(self.world.hierarchy.name(class).clone());
                None
            }
            Selection::Nothing | Selection::Conflict => None,
        }
    }

    fn with_code(&self, method: MethodId) -> Option<MethodId> {
        let hierarchy = &self.world.hierarchy;
        let in_interface = hierarchy.is_interface(method.class) == Some(true);
        let lost = in_interface && self.world.weaknesses.has(Weakness::NoDefaultMethods);
        (hierarchy.method(method).access & access::ABSTRACT == 0 && !lost).then_some(method)
    }

    /// The method that runs on a lambda: the one it implements, or else one of its interfaces or of
    /// `Object`.
    fn target_in_lambda(&mut self, method: MethodId, index: usize) -> Option<MethodNumber> {
        let hierarchy = self.world.hierarchy.clone();
        let (called, adapter) = (hierarchy.method(method), &self.adapters[index]);
        if called.name == adapter.name && adapter.descriptors.contains(&called.descriptor) {
            return Some(self.methods.adapter(index, adapter.parameters, self.granularity, &mut self.graph));
        }
        let classes = [hierarchy.object()].into_iter().chain(adapter.interfaces.clone());
        for class in classes {
            if let Some(found) = hierarchy.declared_method(class, &called.name, &called.descriptor)
                && let Some(found) = self.with_code(found)
            {
                return self.declared(found);
            }
            if let Some(found) = self.select(class, method) {
                return self.declared(found);
            }
        }
        None
    }

    pub(super) fn reach(&mut self, method: MethodNumber, from: MethodNumber) {
        if let Origin::Declared(id) = self.methods.get(method).origin
            && self.world.is_excluded(id.class)
        {
            return;
        }
        if !self.methods.reach(method, from) {
            return;
        }
        self.pending.push(method);
        if let Origin::Declared(id) = self.methods.get(method).origin
            && id.class == self.world.known.class
            && self.world.is_row(id, ("java/lang/Class", "getEnumConstantsShared"))
        {
            self.enums.asked_from = Some(method);
            let waiting = std::mem::take(&mut self.enums.waiting);
            waiting.into_iter().for_each(|class| self.ask_for_values(class));
        }
    }

    /// Initialises a class, its superclasses, and its superinterfaces that have methods with code
    /// (JVMS 5.5).
    pub(super) fn initialise(&mut self, class: ClassId, from: MethodNumber) {
        if self.world.weaknesses.has(Weakness::NoClassInitialisers) || !self.initialised.insert(class) {
            return;
        }
        let hierarchy = self.world.hierarchy.clone();
        let Some(file) = hierarchy.class(class) else {
            self.world.missing.insert(hierarchy.name(class).clone());
            return;
        };
        let initialiser = hierarchy.declared_method(class, &Text::from("<clinit>"), &Text::from("()V"));
        if let Some(initialiser) = initialiser.and_then(|id| self.declared(id)) {
            self.reach(initialiser, from);
        } else if self.world.weaknesses.has(Weakness::NoInheritedInitialisers) {
            return;
        }
        if self.world.is_enum(class) {
            self.ask_for_values(class);
        }
        if file.is_interface() {
            return;
        }
        if let Some(superclass) = hierarchy.superclass(class) {
            self.initialise(superclass, from);
        }
        for interface in hierarchy.all_supertypes(class).iter().filter(|above| has_default_methods(&hierarchy, **above))
        {
            self.initialise(*interface, from);
        }
    }

    /// Makes the library call `values` of an enum, once the library method that does so is reached.
    pub(super) fn ask_for_values(&mut self, class: ClassId) {
        let Some(from) = self.enums.asked_from else {
            self.enums.waiting.push(class);
            return;
        };
        let hierarchy = self.world.hierarchy.clone();
        let descriptor = Text::from(format!("()[L{};", hierarchy.name(class)));
        let values = hierarchy.declared_method(class, &Text::from("values"), &descriptor);
        let Some(values) = values.and_then(|id| self.declared(id)) else { return };
        if self.world.weaknesses.has(Weakness::NoEnumValues) {
            return;
        }
        self.reach(values, from);
        self.initialise(class, from);
        let constants = Text::from("[Ljava/lang/Object;");
        let field = hierarchy.declared_field(self.world.known.class, &Text::from("enumConstants"), &constants);
        if let Some(field) = field.filter(|_| !self.granularity.is_global()) {
            let (from, to) = (self.result(values), self.field(field));
            self.connect(from, to, FilterId::ANY);
        }
    }
}

fn has_default_methods(hierarchy: &lapidary_jvm::Hierarchy, interface: ClassId) -> bool {
    let has_code = |method: &lapidary_classfile::Method| method.access & (access::ABSTRACT | access::STATIC) == 0;
    hierarchy.class(interface).is_some_and(|file| file.is_interface() && file.methods.iter().any(has_code))
}
