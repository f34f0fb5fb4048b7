//! Parts of objects that say nothing about a difference between two versions.

use crate::changes::Changes;
use lapidary_classfile::{Text, access};
use lapidary_jvm::ClassPath;
use std::collections::{BTreeMap, BTreeSet};

/// The fields that must not be compared directly.
///
/// - `shop.Till.cache`: a field that objects of a class have in one version only. It is compared
///   through its effects.
/// - `shop.Till.*`, for each class that differs: everything its lambdas capture. Changed code may
///   capture other values and still make the same function.
pub fn unseen(changes: &Changes, old: &ClassPath, new: &ClassPath) -> BTreeSet<String> {
    if changes.classes.is_empty() {
        return BTreeSet::new();
    }
    let captured = changes.class_names().map(|class| format!("{class}.*"));
    let classes = changes.class_names().chain(changes.same.iter().map(String::as_str));
    classes.flat_map(|class| of_one_version(class, old, new)).chain(captured).collect()
}

fn of_one_version(class: &str, old: &ClassPath, new: &ClassPath) -> Vec<String> {
    let [old, new] = [old, new].map(|class_path| fields(class, class_path));
    let names: BTreeSet<&Text> = old.keys().chain(new.keys()).collect();
    let differs = |name: &&Text| old.get(*name) != new.get(*name);
    names.into_iter().filter(differs).map(|name| format!("{class}.{name}")).collect()
}

/// How many fields of each name the objects of a class have, including inherited ones.
fn fields(class: &str, class_path: &ClassPath) -> BTreeMap<Text, usize> {
    let mut counts = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut next = Some(Text::from(class.replace('.', "/").as_str()));
    while let Some(class) = next.take_if(|name| seen.insert(name.clone())).and_then(|name| class_path.class(&name)) {
        for field in class.fields.iter().filter(|field| field.access & access::STATIC == 0) {
            *counts.entry(field.name.clone()).or_default() += 1;
        }
        next = class.superclass.clone();
    }
    counts
}
