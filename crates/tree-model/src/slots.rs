//! The contents of a grammar's `node-types.json`: which kinds fit in which place, and whether the
//! place may be empty or hold several. Supertypes (`expression`, `statement`) are expanded to the
//! kinds they stand for.

use serde::Deserialize;
use std::collections::HashMap;

/// A kind of node, by name; two symbols of a grammar with the same name are one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct KindId(pub(crate) u16);

/// A field of a node; 0 for children without one.
pub(crate) type FieldId = u16;

/// A place for children.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    pub(crate) required: bool,
    pub(crate) multiple: bool,
    /// The kinds that fit, sorted.
    kinds: Vec<KindId>,
}

impl Slot {
    pub(crate) fn takes(&self, kind: KindId) -> bool {
        self.kinds.binary_search(&kind).is_ok()
    }

    pub(crate) fn takes_named(&self, slots: &Slots, name: &str) -> bool {
        slots.ids.get(name).is_some_and(|&kind| self.takes(kind))
    }
}

/// The places of every kind of node.
pub(crate) struct Slots {
    names: Vec<String>,
    ids: HashMap<String, KindId>,
    by_symbol: Vec<KindId>,
    slots: HashMap<(KindId, FieldId), Slot>,
    /// For each kind, the supertypes it belongs to, nearest first.
    supertypes: Vec<Vec<KindId>>,
}

#[derive(Deserialize)]
struct NodeType {
    #[serde(rename = "type")]
    name: String,
    #[serde(default)]
    fields: HashMap<String, Children>,
    children: Option<Children>,
    #[serde(default)]
    subtypes: Vec<TypeName>,
}

#[derive(Deserialize)]
struct Children {
    multiple: bool,
    required: bool,
    types: Vec<TypeName>,
}

#[derive(Deserialize)]
struct TypeName {
    #[serde(rename = "type")]
    name: String,
    named: bool,
}

impl Slots {
    /// Parses node types. JSON of any other form gives an empty table.
    pub(crate) fn new(grammar: &tree_sitter::Language, json: &str) -> Self {
        let types: Vec<NodeType> = serde_json::from_str(json).unwrap_or_default();
        let mut kinds = Kinds::default();
        let by_symbol = (0..grammar.node_kind_count())
            .map(|symbol| kinds.id(grammar.node_kind_for_id(symbol as u16).unwrap_or_default()))
            .collect();
        let subtypes: HashMap<&str, &[TypeName]> =
            types.iter().map(|node| (node.name.as_str(), node.subtypes.as_slice())).collect();
        let mut slots = HashMap::new();
        for node in &types {
            let parent = kinds.id(&node.name);
            let fields =
                node.fields.iter().filter_map(|(name, field)| Some((grammar.field_id_for_name(name)?.get(), field)));
            for (field, children) in fields.chain(node.children.iter().map(|children| (0, children))) {
                slots.insert((parent, field), expand(children, &subtypes, &mut kinds));
            }
        }
        let supertypes = supertypes(&types, &mut kinds);
        Slots { names: kinds.names, ids: kinds.ids, by_symbol, slots, supertypes }
    }

    /// Returns whether the grammar came with its node types.
    #[cfg(test)]
    pub(crate) fn is_known(&self) -> bool {
        !self.slots.is_empty()
    }

    pub(crate) fn kind(&self, symbol: u16) -> KindId {
        self.by_symbol.get(symbol as usize).copied().unwrap_or(KindId(0))
    }

    pub(crate) fn name(&self, kind: KindId) -> &str {
        &self.names[kind.0 as usize]
    }

    pub(crate) fn slot(&self, parent: KindId, field: FieldId) -> Option<&Slot> {
        self.slots.get(&(parent, field))
    }

    pub(crate) fn supertypes(&self, kind: KindId) -> &[KindId] {
        self.supertypes.get(kind.0 as usize).map_or(&[], Vec::as_slice)
    }
}

#[derive(Default)]
struct Kinds {
    names: Vec<String>,
    ids: HashMap<String, KindId>,
}

impl Kinds {
    fn id(&mut self, name: &str) -> KindId {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let id = KindId(u16::try_from(self.names.len()).unwrap_or(u16::MAX));
        self.names.push(name.to_string());
        self.ids.insert(name.to_string(), id);
        id
    }
}

fn expand(children: &Children, subtypes: &HashMap<&str, &[TypeName]>, kinds: &mut Kinds) -> Slot {
    let mut slot = Slot { required: children.required, multiple: children.multiple, kinds: Vec::new() };
    let mut open: Vec<&TypeName> = children.types.iter().filter(|kind| kind.named).collect();
    let mut seen = std::collections::HashSet::new();
    while let Some(kind) = open.pop() {
        if seen.insert(kind.name.as_str()) {
            slot.kinds.push(kinds.id(&kind.name));
            open.extend(subtypes.get(kind.name.as_str()).copied().unwrap_or_default());
        }
    }
    slot.kinds.sort_unstable();
    slot
}

fn supertypes(types: &[NodeType], kinds: &mut Kinds) -> Vec<Vec<KindId>> {
    let mut direct: HashMap<KindId, Vec<KindId>> = HashMap::new();
    for node in types {
        let above = kinds.id(&node.name);
        for below in &node.subtypes {
            direct.entry(kinds.id(&below.name)).or_default().push(above);
        }
    }
    (0..kinds.names.len()).map(|kind| all_above(KindId(kind as u16), &direct)).collect()
}

fn all_above(kind: KindId, direct: &HashMap<KindId, Vec<KindId>>) -> Vec<KindId> {
    let mut above: Vec<KindId> = direct.get(&kind).cloned().unwrap_or_default();
    let mut next = 0;
    while next < above.len() {
        for &further in direct.get(&above[next]).map_or(&[][..], Vec::as_slice) {
            if !above.contains(&further) {
                above.push(further);
            }
        }
        next += 1;
    }
    above
}
