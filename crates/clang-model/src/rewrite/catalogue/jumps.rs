//! Removes a `goto` to the next statement, and a label with its last `goto`.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{EntityId, Kind, NodeId};

pub(crate) const KIND: &str = "goto and label";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let blocks = program.nodes_of(Kind::Compound);
    let gotos = blocks.flat_map(|id| gotos(program, id));
    gotos.chain(program.nodes_of(Kind::Label).filter_map(|id| unused(program, id))).collect()
}

fn gotos(program: &Program<'_>, block: NodeId) -> Vec<Opportunity> {
    let statements = program.children(block);
    let pairs = statements.windows(2).filter_map(|pair| Some((pair[0], pair[1], target(program, pair[0], pair[1])?)));
    pairs
        .map(|(goto, label, entity)| {
            let jump = program.delete(goto, program.statement_range(goto));
            let name = (program.uses(entity).len() == 1).then(|| label_edit(program, label));
            program.opportunity(KIND, goto, "drop", [Some(jump), name].into_iter().flatten().collect())
        })
        .collect()
}

/// Returns the label that a `goto` leads to, if it is on the next statement.
fn target(program: &Program<'_>, goto: NodeId, next: NodeId) -> Option<EntityId> {
    let is_pair = program.kind(goto) == Kind::Goto && program.kind(next) == Kind::Label;
    let reference = program.syntax.children(goto).next().filter(|_| is_pair)?;
    program.syntax.node(reference).refers.filter(|entity| program.syntax.node(next).declares == Some(*entity))
}

fn unused(program: &Program<'_>, label: NodeId) -> Option<Opportunity> {
    let entity = program.syntax.node(label).declares?;
    let is_unused = program.uses(entity).is_empty();
    is_unused.then(|| program.opportunity(KIND, label, "drop the label of", vec![label_edit(program, label)]))
}

/// Removes the label, and with it an empty statement.
fn label_edit(program: &Program<'_>, label: NodeId) -> Edit {
    let range = program.range(label);
    let statement = program.syntax.children(label).last();
    let is_in_block = program.syntax.node(label).parent.is_some_and(|id| program.kind(id) == Kind::Compound);
    match statement {
        Some(id) if program.kind(id) != Kind::Empty || !is_in_block => {
            program.delete(label, range.start..program.range(id).start)
        }
        _ => program.delete(label, range),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_c;

    #[test]
    fn a_jump_to_the_next_statement_goes() {
        check_c(
            opportunities,
            &[
                ("void f(int x) { goto a; a: x = 1; }", &["void f(int x) { x = 1; }"]),
                ("void f(int x) { goto a; a: ; }", &["void f(int x) {  }"]),
                ("void f(int x) { goto a; a: x = 1; goto a; }", &["void f(int x) { a: x = 1; goto a; }"]),
                ("void f(int x) { goto a; x = 1; a: ; }", &[]),
                ("void f(int x) { a: x = 1; }", &["void f(int x) { x = 1; }"]),
            ],
        );
    }
}
