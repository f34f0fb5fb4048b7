//! Field and method ids, and the look-up of declared members by name and descriptor.

use super::{ClassId, Hierarchy};
use lapidary_classfile::{Field, Method, Text};

/// A method that a class declares, by its index in the class file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodId {
    pub class: ClassId,
    pub index: u32,
}

/// A field that a class declares, by its index in the class file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldId {
    pub class: ClassId,
    pub index: u32,
}

/// The members of a class in order of name and descriptor. Among duplicates, which no valid class
/// has, the first counts.
pub(super) struct MemberIndex(Box<[u32]>);

impl MemberIndex {
    fn new<'a>(keys: &[(&'a Text, &'a Text)]) -> Self {
        let mut order: Vec<u32> = (0..keys.len() as u32).collect();
        order.sort_by_key(|index| keys[*index as usize]);
        MemberIndex(order.into())
    }

    fn find<'a>(&self, key: (&'a Text, &'a Text), key_of: impl Fn(u32) -> (&'a Text, &'a Text)) -> Option<u32> {
        let place = self.0.partition_point(|index| key_of(*index) < key);
        self.0.get(place).copied().filter(|index| key_of(*index) == key)
    }
}

impl Hierarchy {
    /// Returns the method with an id that this hierarchy gave out.
    pub fn method(&self, id: MethodId) -> &Method {
        let class = self.class(id.class).expect("a method of a class that was found");
        &class.methods[id.index as usize]
    }

    /// Returns the field with an id that this hierarchy gave out.
    pub fn field(&self, id: FieldId) -> &Field {
        let class = self.class(id.class).expect("a field of a class that was found");
        &class.fields[id.index as usize]
    }

    /// Finds a method that the class itself declares.
    pub fn declared_method(&self, class: ClassId, name: &Text, descriptor: &Text) -> Option<MethodId> {
        let methods = &self.class(class)?.methods;
        let key_of = |index: u32| (&methods[index as usize].name, &methods[index as usize].descriptor);
        let index = self.node(class).methods.get_or_init(|| {
            MemberIndex::new(&methods.iter().map(|method| (&method.name, &method.descriptor)).collect::<Vec<_>>())
        });
        index.find((name, descriptor), key_of).map(|index| MethodId { class, index })
    }

    /// All methods that the class itself declares, in order.
    pub fn declared_methods(&self, class: ClassId) -> impl Iterator<Item = MethodId> {
        let count = self.class(class).map_or(0, |class| class.methods.len());
        (0..count as u32).map(move |index| MethodId { class, index })
    }

    /// Finds a field that the class itself declares.
    pub fn declared_field(&self, class: ClassId, name: &Text, descriptor: &Text) -> Option<FieldId> {
        let fields = &self.class(class)?.fields;
        let key_of = |index: u32| (&fields[index as usize].name, &fields[index as usize].descriptor);
        let index = self.node(class).fields.get_or_init(|| {
            MemberIndex::new(&fields.iter().map(|field| (&field.name, &field.descriptor)).collect::<Vec<_>>())
        });
        index.find((name, descriptor), key_of).map(|index| FieldId { class, index })
    }
}
