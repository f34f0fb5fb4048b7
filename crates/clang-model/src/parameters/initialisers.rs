//! Lists of values for the fields of a class: a value is removed with its field.

use crate::draft::{Draft, List};
use crate::program::{Program, Unit};
use crate::source_text::SourceText;
use lapidary_clang::{EntityId, Kind, Mark, Node, NodeId, Syntax, TypeClass};
use std::collections::HashSet;
use std::ops::Range;

/// The interpretation of a list of values.
pub(crate) enum Reading {
    /// The list does not initialise a class whose definition is known.
    Other,
    /// The field of each value.
    Open(Vec<NodeId>),
    /// Values of a class that cannot be matched to fields.
    Closed(NodeId),
}

pub(crate) fn reading(syntax: &Syntax, text: &SourceText, id: NodeId) -> Reading {
    let values = values(syntax, id);
    let Some(class) = class_of(syntax, id).filter(|_| !values.is_empty()) else { return Reading::Other };
    let is_plain = |id: &NodeId| !syntax.node(*id).in_macro;
    let ranges: Vec<Range<usize>> = values.iter().map(|id| syntax.node(*id).range()).collect();
    let has_type = syntax.type_of(id).is_some_and(|found| found.class == TypeClass::Record);
    if !has_type || !is_plain(&id) || !values.iter().all(is_plain) || elements(text, &ranges).is_none() {
        return Reading::Closed(class);
    }
    let fields = fields(syntax, text, class);
    match fields.and_then(|fields| matched(syntax, &fields, &values)) {
        Some(found) => Reading::Open(found),
        None => Reading::Closed(class),
    }
}

/// Removes values together with their fields.
pub(super) fn initialisers(program: &Program, draft: &mut Draft) {
    let mut known = HashSet::new();
    for unit in &program.units {
        let is_list = |id: &NodeId| unit.syntax.node(*id).kind == Kind::InitialiserList;
        for id in unit.syntax.ids().filter(is_list) {
            let node = unit.syntax.node(id);
            if known.insert((node.file, node.start)) {
                initialiser(unit, &program.texts[node.file.index()], draft, id);
            }
        }
    }
}

fn initialiser(unit: &Unit, text: &SourceText, draft: &mut Draft, id: NodeId) {
    let Reading::Open(fields) = reading(&unit.syntax, text, id) else { return };
    let ranges: Vec<Range<usize>> = values(&unit.syntax, id).iter().map(|id| unit.syntax.node(*id).range()).collect();
    let Some(ranges) = elements(text, &ranges) else { return };
    let list: List = fields.iter().map(|field| unit.outline.declared[field.index()]).collect();
    let file = unit.syntax.node(id).file;
    for (var, range) in list.iter().zip(&ranges) {
        var.iter().for_each(|var| draft.patch(*var, file, range.clone(), ""));
    }
    draft.list(file, list, ranges.windows(2).map(|pair| pair[0].end..pair[1].start).collect());
}

fn values(syntax: &Syntax, id: NodeId) -> Vec<NodeId> {
    syntax.children(id).filter(|child| syntax.node(*child).kind.is_expression()).collect()
}

/// Returns the class that the values are for. In a template, the list itself has no type.
fn class_of(syntax: &Syntax, id: NodeId) -> Option<NodeId> {
    let record = |id: NodeId| {
        let found = syntax.type_of(id)?;
        found.declaration.filter(|_| found.class == TypeClass::Record)
    };
    let is_open = syntax.type_of(id).is_none_or(|found| found.class == TypeClass::Void);
    let outer = || syntax.node(id).parent.filter(|_| is_open).and_then(record);
    record(id).or_else(outer).and_then(|entity: EntityId| syntax.definition(entity))
}

/// Returns the fields in the order of their values. `None` if the class has more than plain fields.
fn fields(syntax: &Syntax, text: &SourceText, class: NodeId) -> Option<Vec<NodeId>> {
    let is_simple = syntax.node(class).kind != Kind::Union
        && !syntax.children(class).any(|child| syntax.node(child).kind == Kind::BaseSpecifier);
    let is_named = |node: &Node| node.declares.is_some_and(|entity| !syntax.entity(entity).name.is_empty());
    let is_field = |id: &NodeId| {
        let node = syntax.node(*id);
        let is_nameless_class = node.kind.is_class() && node.is(Mark::Anonymous);
        (node.kind == Kind::Field && is_named(node))
            || (is_nameless_class && text.is_followed_by(node.end as usize, ";"))
    };
    is_simple.then(|| syntax.children(class).filter(is_field).collect())
}

fn matched(syntax: &Syntax, fields: &[NodeId], values: &[NodeId]) -> Option<Vec<NodeId>> {
    let mut next = 0;
    let mut found = Vec::new();
    for value in values {
        let designated = designated(syntax, *value);
        if let Some(entity) = designated {
            next = fields.iter().position(|field| syntax.node(*field).declares == Some(entity))?;
        }
        let field = *fields.get(next)?;
        if designated.is_none() && !fits(syntax, field, *value) {
            return None;
        }
        found.push(field);
        next += 1;
    }
    Some(found)
}

/// Returns the field that `.field = value` names.
fn designated(syntax: &Syntax, value: NodeId) -> Option<EntityId> {
    let first = syntax.children(value).next()?;
    let node = syntax.node(first);
    let is_designator = syntax.node(value).kind == Kind::OtherExpression && node.kind == Kind::MemberReference;
    node.refers.filter(|_| is_designator)
}

/// Returns whether the value is the only one for its field. A class or an array may take several,
/// since the braces around its values can be omitted.
fn fits(syntax: &Syntax, field: NodeId, value: NodeId) -> bool {
    let is_whole =
        |id: NodeId| syntax.type_of(id).is_none_or(|found| matches!(found.class, TypeClass::Record | TypeClass::Array));
    let holds_many = syntax.node(field).kind != Kind::Field || is_whole(field);
    let is_pack = syntax.text(value).ends_with(b"...");
    let is_list = syntax.node(value).kind == Kind::InitialiserList;
    !is_pack && (!holds_many || is_list || (syntax.node(field).kind == Kind::Field && is_whole(value)))
}

/// Returns the values, including a trailing comma, if they are in a row between braces.
fn elements(text: &SourceText, ranges: &[Range<usize>]) -> Option<Vec<Range<usize>>> {
    let mut ranges = ranges.to_vec();
    let last = ranges.last_mut()?;
    if let Some(comma) = text.after(last.end).filter(|token| text.is(token, ",")) {
        last.end = comma.range.end;
    }
    super::is_row(text, &ranges, &["}"]).then_some(ranges)
}
