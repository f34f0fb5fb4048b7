//! Members that would become equal: their descriptors differ only in classes that are merged.
//!
//! If two descriptors are equal under some of the collapses, they are equal under all of them.
//! Therefore it is enough to examine the program with everything collapsed.

use super::candidates::Above;
use super::rename::renamed_descriptor;
use crate::names;
use crate::program::Program;
use lapidary_classfile::{Class, Text};
use lapidary_jvm::{ClassId, Hierarchy};
use std::collections::{BTreeSet, HashMap};

/// Drops the collapses that make members equal.
pub(super) fn drop_clashing(program: &Program, hierarchy: &Hierarchy, above: &mut Above) {
    loop {
        let clashing = clashing(program, hierarchy, above);
        if clashing.is_empty() {
            return;
        }
        above.retain(|class, _| !clashing.contains(class));
    }
}

/// The classes whose collapse makes members equal.
fn clashing(program: &Program, hierarchy: &Hierarchy, above: &Above) -> BTreeSet<usize> {
    let map: HashMap<Text, Text> =
        above.keys().map(|class| (program.class(*class).name.clone(), root(program, above, *class))).collect();
    let mut clashing = BTreeSet::new();
    for id in hierarchy.program() {
        let mut seen: HashMap<(Sort, &Text, Text), &Text> = HashMap::new();
        for (sort, name, descriptor) in members(hierarchy, id, &map) {
            let renamed = renamed_descriptor(descriptor, &map);
            let first = *seen.entry((sort, name, renamed)).or_insert(descriptor);
            if first != descriptor {
                let mut drop =
                    |name: Text| clashing.extend(program.find(&name).filter(|class| above.contains_key(class)));
                names::in_descriptor(first, &mut drop);
                names::in_descriptor(descriptor, &mut drop);
            }
        }
    }
    clashing
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Sort {
    Field,
    Method,
}

/// The members declared in a class or its supertypes; constructors only as far up as the class is
/// collapsed.
fn members<'a>(
    hierarchy: &'a Hierarchy,
    class: ClassId,
    map: &'a HashMap<Text, Text>,
) -> impl Iterator<Item = (Sort, &'a Text, &'a Text)> {
    let end = map.get(hierarchy.name(class)).unwrap_or(hierarchy.name(class));
    let own = move |above: &Class| above.name == *end || map.get(&above.name) == Some(end);
    let supertypes = hierarchy.all_supertypes(class).iter().filter(|above| hierarchy.is_program(**above));
    supertypes.filter_map(|above| hierarchy.class(*above)).flat_map(move |above| {
        let constructed = own(above);
        let methods = above.methods.iter().filter(move |method| constructed || method.name != "<init>");
        let fields = above.fields.iter().map(|field| (Sort::Field, &field.name, &field.descriptor));
        fields.chain(methods.map(|method| (Sort::Method, &method.name, &method.descriptor)))
    })
}

/// The class that remains when everything is collapsed.
fn root(program: &Program, above: &Above, class: usize) -> Text {
    let mut root = class;
    while let Some(superclass) = above.get(&root) {
        root = *superclass;
    }
    program.class(root).name.clone()
}
