//! Definitions and uses, by name only: code that uses a name should keep a definition of it.
//!
//! Definitions are those that the grammar's own `tags` and `locals` queries report, and the names
//! of nodes whose kind declares something. In data languages, keys and identifiers are definitions,
//! and values equal to them are uses.

use super::formula::Formula;
use super::syntax::{NONE, Node, Syntax};
use crate::Language;
use crate::apart::is_word;
use crate::parsed::Parsed;
use lapidary_logic::{Cnf, Var};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

/// The number of definitions before a use to take into account, in addition to the first. The limit
/// keeps the clauses linear in the text.
const NEAREST: usize = 4;
/// The largest number of definitions of a name in a data file. A name that more places define
/// denotes a kind of thing rather than one thing.
const KEYS: usize = 8;

/// Names that link a text to others.
#[derive(Default)]
pub(crate) struct Links {
    /// Each defined name with the item that defines it.
    pub(crate) defined: Vec<(Vec<u8>, Var)>,
    /// Each name that is used but not defined here, with an item that uses it.
    pub(crate) wanted: Vec<(Vec<u8>, Var)>,
}

pub(crate) struct Parts<'a> {
    pub(crate) language: &'a Language,
    pub(crate) text: &'a [u8],
    pub(crate) parsed: &'a Parsed,
    pub(crate) syntax: &'a Syntax,
}

/// The clauses that uses need definitions, and the names that other texts may define or use.
pub(crate) fn uses(parts: &Parts<'_>, removable: &[bool], formula: &Formula) -> (Option<Cnf>, Links) {
    let queried: HashMap<u32, Range<u32>> = parts.parsed.definitions.iter().cloned().collect();
    let is_data = !parts.language.knowledge().names.is_empty();
    let mut definitions: BTreeMap<&[u8], Vec<Definition>> = BTreeMap::new();
    let mut names = HashSet::new();
    for leaf in leaves(parts.syntax).filter(|&leaf| is_name(parts, leaf)) {
        let start = parts.syntax.node(leaf).start;
        let definition = queried.get(&start);
        if definition.is_some() || (!is_data && declares(parts, leaf)) {
            names.insert(leaf);
            let whole = definition.filter(|_| is_data).map_or(leaf, |range| around(parts.syntax, leaf, range));
            let item = owner(parts.syntax, removable, formula, whole);
            definitions.entry(name(parts, leaf)).or_default().extend(item);
        }
    }
    if is_data {
        definitions.retain(|_, known| known.len() <= KEYS);
    }
    let mut clauses: BTreeSet<(Var, &[u8], Vec<Var>)> = BTreeSet::new();
    let mut wanted: BTreeSet<(&[u8], Var)> = BTreeSet::new();
    for leaf in leaves(parts.syntax).filter(|&leaf| is_name(parts, leaf) && !names.contains(&leaf)) {
        let using = formula.inside[leaf as usize];
        if using == NONE {
            continue;
        }
        let using = Var::new(using as usize);
        match definitions.get(name(parts, leaf)) {
            None => drop(wanted.insert((name(parts, leaf), using))),
            Some(known) => clauses.extend(needed(known, leaf).map(|vars| (using, name(parts, leaf), vars))),
        }
    }
    let mut cnf = Cnf::new(formula.items.len());
    for (using, _, definitions) in clauses {
        cnf.add(&[using], &definitions).expect("a used name has a definition");
    }
    let preference = (!cnf.is_empty()).then_some(cnf);
    if is_data {
        return (preference, Links::default());
    }
    let defined = definitions
        .iter()
        .flat_map(|(name, known)| known.iter().map(|definition| (name.to_vec(), definition.item)))
        .collect();
    let wanted = wanted.into_iter().map(|(name, item)| (name.to_vec(), item)).collect();
    (preference, Links { defined, wanted })
}

struct Definition {
    item: Var,
    node: u32,
    /// The index after the last node of the definition.
    end: u32,
}

/// The innermost node around a leaf that covers a range.
fn around(syntax: &Syntax, leaf: u32, range: &Range<u32>) -> u32 {
    let mut node = leaf;
    while syntax.node(node).start > range.start || syntax.node(node).end < range.end {
        node = match syntax.node(node).parent {
            NONE => return node,
            parent => parent,
        };
    }
    node
}

/// The items of which one should be kept; `None` if the use is inside one of the definitions.
fn needed(known: &[Definition], leaf: u32) -> Option<Vec<Var>> {
    let before = known.partition_point(|definition| definition.node < leaf);
    let near = &known[before.saturating_sub(NEAREST)..(before + 1).min(known.len())];
    let considered = known.first().into_iter().chain(near);
    let vars: Vec<Var> = considered.clone().map(|definition| definition.item).collect();
    let inside = considered.into_iter().any(|definition| (definition.node..definition.end).contains(&leaf));
    (!vars.is_empty() && !inside).then_some(vars)
}

/// The innermost removable node around a name: removing it removes the definition.
fn owner(syntax: &Syntax, removable: &[bool], formula: &Formula, leaf: u32) -> Option<Definition> {
    let mut node = leaf;
    while !removable[node as usize] {
        node = syntax.node(node).parent;
        if node == NONE {
            return None;
        }
    }
    let item = Var::new(formula.variables.exists[node as usize] as usize);
    Some(Definition { item, node, end: syntax.node(node).next })
}

fn leaves(syntax: &Syntax) -> impl Iterator<Item = u32> + '_ {
    (1..syntax.nodes.len() as u32).filter(|&node| syntax.is_leaf(node))
}

/// The name that a leaf stands for. In data, quotes and the path before the name are dropped:
/// `"#/shapes/Circle"` is `Circle`.
fn name<'a>(parts: &Parts<'a>, leaf: u32) -> &'a [u8] {
    let text = &parts.text[parts.syntax.node(leaf).range()];
    if parts.language.knowledge().names.is_empty() {
        return text;
    }
    let quoted = |text: &'a [u8]| match text {
        [b'"', inner @ .., b'"'] | [b'\'', inner @ .., b'\''] => inner,
        _ => text,
    };
    match quoted(text) {
        [b'#', path @ ..] => path.rsplit(|&byte| byte == b'/').next().unwrap_or(path),
        plain => plain,
    }
}

fn is_name(parts: &Parts<'_>, leaf: u32) -> bool {
    let Node { named, extra, error, kind, .. } = *parts.syntax.node(leaf);
    let text = name(parts, leaf);
    let kinds = parts.language.knowledge().names;
    let fits = match kinds {
        [] => text.first().is_some_and(|byte| !byte.is_ascii_digit()) && text.iter().all(|&byte| is_word(byte)),
        _ => kinds.contains(&parts.language.slots().name(kind)) && text.iter().any(u8::is_ascii_alphabetic),
    };
    named && !extra && !error && fits
}

/// Returns whether the name is reached from a declaring node through `name` and `declarator`
/// fields.
fn declares(parts: &Parts<'_>, leaf: u32) -> bool {
    let grammar = parts.language.grammar();
    let mut node = parts.syntax.node(leaf);
    loop {
        let field = grammar.field_name_for_id(node.field);
        if !matches!(field, Some("name" | "declarator" | "pattern" | "alias")) || node.parent == NONE {
            return false;
        }
        node = parts.syntax.node(node.parent);
        let kind = parts.language.slots().name(node.kind);
        let declaring =
            ["definition", "declaration", "item", "parameter", "enumerator", "spec", "namespace", "variable"];
        if declaring.iter().any(|part| kind.contains(part)) && !kind.contains("expression") {
            return true;
        }
    }
}
