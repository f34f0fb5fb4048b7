//! Types and filters: how objects are distinguished, and what may be where.
//!
//! A type is what an object was created as: a class, an array, or the object of one lambda. A
//! filter is what a declaration admits: a class, an interface or an array with all its subtypes.
//! Every filter has a mask, the set of types that pass. It grows as types are met, so a whole set
//! can be filtered with a few machine words.

use crate::type_set::Bits;
use crate::weakness::{Weakness, Weaknesses};
use foldhash::fast::RandomState;
use lapidary_classfile::Text;
use lapidary_jvm::{Answer, ClassId, FieldType, Hierarchy};
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TypeId(u32);

impl TypeId {
    pub fn new(index: usize) -> Self {
        TypeId(index as u32)
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FilterId(u32);

impl FilterId {
    /// The filter that everything passes.
    pub const ANY: FilterId = FilterId(0);
}

/// The form of an object's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    Class(ClassId),
    /// An array; the filter is the type of the array itself.
    Array(FilterId),
    /// A lambda, by the index of its adapter.
    Lambda(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Filter {
    Any,
    Class(ClassId),
    ArrayOf(Component),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Component {
    Primitive(u8),
    Reference(FilterId),
}

type Map<K, V> = HashMap<K, V, RandomState>;

pub(crate) struct Types {
    hierarchy: Arc<Hierarchy>,
    weaknesses: Weaknesses,
    above_arrays: [ClassId; 2],
    shapes: Vec<Shape>,
    ids: Map<Shape, TypeId>,
    filters: Vec<Filter>,
    masks: Vec<Bits>,
    filter_ids: Map<Filter, FilterId>,
    arrays: Vec<(TypeId, FilterId)>,
    array_filters: Vec<FilterId>,
}

impl Types {
    pub fn new(hierarchy: Arc<Hierarchy>, weaknesses: Weaknesses) -> Self {
        let above_arrays = ["java/lang/Cloneable", "java/io/Serializable"].map(|name| hierarchy.id(&Text::from(name)));
        let mut types = Types {
            hierarchy,
            weaknesses,
            above_arrays,
            shapes: Vec::new(),
            ids: Map::default(),
            filters: vec![Filter::Any],
            masks: vec![Bits::default()],
            filter_ids: Map::default(),
            arrays: Vec::new(),
            array_filters: Vec::new(),
        };
        types.filter_ids.insert(Filter::Any, FilterId::ANY);
        above_arrays.iter().for_each(|class| {
            types.class_filter(*class);
        });
        types
    }

    pub fn shape(&self, type_: TypeId) -> Shape {
        self.shapes[type_.index()]
    }

    /// The types that pass; `None` if all do.
    pub fn mask(&self, filter: FilterId) -> Option<&Bits> {
        if filter == FilterId::ANY { None } else { self.masks.get(filter.0 as usize) }
    }

    pub fn passes(&self, type_: TypeId, filter: FilterId) -> bool {
        self.mask(filter).is_none_or(|mask| mask.contains(type_.index()))
    }

    pub fn class_filter(&mut self, class: ClassId) -> FilterId {
        if class == self.hierarchy.object() { FilterId::ANY } else { self.filter(Filter::Class(class)) }
    }

    /// The filter of a declared type; `None` for a primitive one.
    pub fn declared(&mut self, type_: &FieldType) -> Option<FilterId> {
        match type_ {
            FieldType::Base(_) => None,
            FieldType::Object(name) => Some(self.class_filter(self.hierarchy.id(name))),
            FieldType::Array(component) => Some(self.array_filter(component)),
        }
    }

    pub fn array_filter(&mut self, component: &FieldType) -> FilterId {
        let component = match (component, self.declared(component)) {
            (_, Some(filter)) => Component::Reference(filter),
            (FieldType::Base(base), _) => Component::Primitive(base.letter()),
            _ => Component::Reference(FilterId::ANY),
        };
        self.filter(Filter::ArrayOf(component))
    }

    pub fn class(&mut self, class: ClassId) -> TypeId {
        if let Some(known) = self.ids.get(&Shape::Class(class)) {
            return *known;
        }
        let type_ = self.add(Shape::Class(class));
        for above in self.supertypes(class) {
            self.let_through(type_, above);
        }
        type_
    }

    /// The array whose own type is the filter.
    pub fn array(&mut self, filter: FilterId) -> TypeId {
        if let Some(known) = self.ids.get(&Shape::Array(filter)) {
            return *known;
        }
        let type_ = self.add(Shape::Array(filter));
        self.arrays.push((type_, filter));
        for index in 0..self.array_filters.len() {
            let above = self.array_filters[index];
            if self.is_below(filter, above) {
                self.masks[above.0 as usize].insert(type_.index());
            }
        }
        for above in self.above_arrays {
            self.let_through(type_, above);
        }
        type_
    }

    /// The object of a lambda that implements these interfaces.
    pub fn lambda(&mut self, adapter: usize, interfaces: &[ClassId]) -> TypeId {
        let type_ = self.add(Shape::Lambda(adapter));
        for interface in interfaces {
            for above in self.supertypes(*interface) {
                self.let_through(type_, above);
            }
        }
        type_
    }

    /// The filter for the elements of an array; `None` for primitive elements and for other types.
    pub fn elements(&self, type_: TypeId) -> Option<FilterId> {
        match self.shape(type_) {
            Shape::Array(filter) => self.component(filter),
            _ => None,
        }
    }

    pub fn dimensions(&self, type_: TypeId) -> usize {
        let Shape::Array(filter) = self.shape(type_) else { return 0 };
        1 + std::iter::successors(self.component(filter), |filter| self.component(*filter))
            .filter(|filter| matches!(self.filters[filter.0 as usize], Filter::ArrayOf(_)))
            .count()
    }

    fn component(&self, filter: FilterId) -> Option<FilterId> {
        match self.filters[filter.0 as usize] {
            Filter::ArrayOf(Component::Reference(component)) => Some(component),
            _ => None,
        }
    }

    fn add(&mut self, shape: Shape) -> TypeId {
        let type_ = TypeId::new(self.shapes.len());
        self.shapes.push(shape);
        self.ids.insert(shape, type_);
        type_
    }

    fn let_through(&mut self, type_: TypeId, above: ClassId) {
        let filter = self.class_filter(above);
        self.masks[filter.0 as usize].insert(type_.index());
    }

    /// Finds or creates a filter. A class filter starts empty, because a type below it would
    /// already have created it. An array filter collects the arrays that pass.
    fn filter(&mut self, filter: Filter) -> FilterId {
        if let Some(known) = self.filter_ids.get(&filter) {
            return *known;
        }
        let id = FilterId(self.filters.len() as u32);
        self.filters.push(filter);
        self.filter_ids.insert(filter, id);
        self.masks.push(Bits::default());
        if matches!(filter, Filter::ArrayOf(_)) {
            self.array_filters.push(id);
            for index in 0..self.arrays.len() {
                let (type_, own) = self.arrays[index];
                if self.is_below(own, id) {
                    self.masks[id.0 as usize].insert(type_.index());
                }
            }
        }
        id
    }

    /// Returns whether everything that passes one filter passes the other.
    fn is_below(&self, below: FilterId, above: FilterId) -> bool {
        match (self.filters[below.0 as usize], self.filters[above.0 as usize]) {
            (_, Filter::Any) => true,
            (Filter::Class(below), Filter::Class(above)) => self.hierarchy.is_subtype(below, above) == Answer::Yes,
            (Filter::ArrayOf(_), Filter::Class(above)) => self.above_arrays.contains(&above),
            (Filter::ArrayOf(Component::Reference(below)), Filter::ArrayOf(Component::Reference(above))) => {
                self.is_below(below, above)
            }
            (Filter::ArrayOf(below), Filter::ArrayOf(above)) => below == above,
            _ => false,
        }
    }

    /// The class and all its supertypes, without those that the enabled weaknesses hide.
    fn supertypes(&self, class: ClassId) -> Vec<ClassId> {
        let hierarchy = &self.hierarchy;
        let mut above = hierarchy.all_supertypes(class).to_vec();
        let is_interface = |class: &ClassId| hierarchy.is_interface(*class) == Some(true);
        if self.weaknesses.has(Weakness::NoIndirectInterfaces) {
            let named = |interface: &ClassId| {
                *interface == class
                    || hierarchy.superclasses(class).any(|class| hierarchy.interfaces(class).contains(interface))
            };
            above.retain(|class| !is_interface(class) || named(class));
        }
        if self.weaknesses.has(Weakness::NoInheritedInterfaces) {
            let own = hierarchy.interfaces(class);
            let below_own = |class: &ClassId| own.iter().any(|own| hierarchy.is_subtype(*own, *class) == Answer::Yes);
            above.retain(|above| !is_interface(above) || *above == class || below_own(above));
        }
        above
    }
}
