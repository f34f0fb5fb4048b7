//! Removes values that are never read, and inlines those that are read once.

use crate::graph::{End, Graph};
use crate::tree::{Expression, Statement, Variable};
use std::collections::BTreeMap;

pub fn prune(graph: &mut Graph) {
    while drop_unread(graph) | put_in_place(graph) {}
}

/// The number of reads of each variable.
fn reads(graph: &Graph) -> BTreeMap<Variable, usize> {
    let mut counts = BTreeMap::new();
    for block in &graph.blocks {
        for statement in &block.statements {
            count(&statement.expression, &mut counts);
            // A statement that only fills a variable is no reason to keep it.
            if let Some(count) = statement.serves.and_then(|served| counts.get_mut(&served)) {
                *count -= 1;
            }
        }
        if let End::Return(Some(value)) | End::Throw(value) = &block.end {
            count(value, &mut counts);
        }
    }
    counts
}

fn count(expression: &Expression, counts: &mut BTreeMap<Variable, usize>) {
    for marked in expression.text.split('\u{3}').skip(1) {
        let number = marked.split('\u{4}').next().and_then(|number| number.parse().ok());
        number.into_iter().for_each(|variable| *counts.entry(variable).or_insert(0) += 1);
    }
}

fn drop_unread(graph: &mut Graph) -> bool {
    let counts = reads(graph);
    let is_read = |variable: Variable| counts.get(&variable).is_some_and(|count| *count > 0);
    let mut has_changed = false;
    for block in &mut graph.blocks {
        let before = block.statements.len();
        block.statements.retain(|statement| {
            let is_unread = statement.defines.is_none_or(|variable| !is_read(variable));
            let is_idle = statement.is_pure && is_unread;
            !is_idle && statement.serves.is_none_or(is_read)
        });
        has_changed |= block.statements.len() < before;
        for statement in &mut block.statements {
            if statement.defines.is_some_and(|variable| !is_read(variable)) && statement.expression.can_stand_alone() {
                statement.defines = None;
                has_changed = true;
            }
        }
    }
    has_changed
}

/// Inlines a value that only the next statement reads.
fn put_in_place(graph: &mut Graph) -> bool {
    let mut counts = reads(graph);
    for variable in served(graph) {
        counts.insert(variable, 2);
    }
    for variable in defined_often(graph) {
        counts.insert(variable, 2);
    }
    let mut has_changed = false;
    for block in &mut graph.blocks {
        for place in (0..block.statements.len()).rev() {
            let statement = &block.statements[place];
            let is_read_once = |variable: &Variable| counts.get(variable) == Some(&1) && !statement.needs_variable;
            let Some(variable) = statement.defines.filter(is_read_once) else { continue };
            let value = block.statements[place].clone();
            let is_placed = match block.statements.get_mut(place + 1) {
                Some(next) => place_in(next, variable, &value),
                None => match &mut block.end {
                    End::Return(Some(target)) | End::Throw(target) if target.reads(variable) => {
                        target.replace(variable, &value.expression);
                        true
                    }
                    _ => false,
                },
            };
            if is_placed {
                block.statements.remove(place);
                has_changed = true;
            }
        }
    }
    has_changed
}

fn place_in(next: &mut Statement, variable: Variable, value: &Statement) -> bool {
    if !next.expression.reads(variable) {
        return false;
    }
    next.expression.replace(variable, &value.expression);
    next.may_throw |= value.may_throw;
    next.is_pure &= value.is_pure;
    true
}

fn served(graph: &Graph) -> Vec<Variable> {
    graph.blocks.iter().flat_map(|block| &block.statements).filter_map(|statement| statement.serves).collect()
}

fn defined_often(graph: &Graph) -> Vec<Variable> {
    let mut counts: BTreeMap<Variable, usize> = BTreeMap::new();
    for variable in graph.blocks.iter().flat_map(|block| &block.statements).filter_map(|statement| statement.defines) {
        *counts.entry(variable).or_insert(0) += 1;
    }
    counts.into_iter().filter(|(_, count)| *count > 1).map(|(variable, _)| variable).collect()
}
