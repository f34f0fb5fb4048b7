//! Writes the value in place of a variable that one statement assigns and that is read once. If the
//! value is a literal, the variable may be read more often: `int n; n = 3; f(n, n);` → `f(3, 3);`.
//! If the value depends on the previous value of the variable, the variable stays: `n = n + 1;
//! f(n);` → `f(n + 1);`.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, NodeId};

pub(crate) const KIND: &str = "variable assigned once";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let found = program.nodes_of(Kind::Variable).filter_map(|id| Some((id, replaced(program, id)?)));
    found.map(|(id, edits)| program.opportunity(KIND, id, "write its value for", edits)).collect()
}

/// The only statement that changes a variable.
struct Assigned {
    statement: NodeId,
    value: NodeId,
    /// Whether the value depends on the previous value of the variable.
    is_changed: bool,
    /// The other places that read the variable.
    reads: Vec<NodeId>,
}

fn assigned(program: &Program<'_>, variable: NodeId) -> Option<Assigned> {
    let uses = program.editable_uses(program.syntax.node(variable).declares?)?;
    let (written, read): (Vec<NodeId>, Vec<NodeId>) = uses.iter().partition(|id| program.is_changed_at(**id));
    let [written] = written[..] else { return None };
    let statement = program.context(written).filter(|id| program.kind(*id) == Kind::Binary)?;
    let value = program.children(statement).into_iter().nth(1)?;
    let is_list = program.kind(program.peeled(value)) == Kind::InitialiserList;
    let is_plain = program.is_statement(statement) && !program.in_macro(statement) && !program.in_macro(value);
    let (before, reads): (Vec<NodeId>, Vec<NodeId>) =
        read.iter().partition(|id| program.syntax.contains(statement, **id));
    (is_plain && !is_list).then_some(Assigned { statement, value, is_changed: !before.is_empty(), reads })
}

fn replaced(program: &Program<'_>, variable: NodeId) -> Option<Vec<Edit>> {
    let Assigned { statement, value, is_changed, reads } = assigned(program, variable)?;
    let is_literal = program.kind(program.peeled(value)) == Kind::Literal;
    let free = program.free_entities(value);
    let is_clear = |id: &NodeId| {
        let is_near = is_literal || program.function_around(*id) == program.function_around(statement);
        program.kind(*id) == Kind::Name && is_near && program.are_visible_at(&free, *id)
    };
    let is_wanted = reads.len() == 1 || is_literal && !reads.is_empty();
    let declaration = if is_changed { Vec::new() } else { without_declaration(program, variable)? };
    let inlined =
        |id: &NodeId| program.replace(*id, program.text_in_place_of(value, program.text(value).to_vec(), *id));
    let is_in_block = program.context(statement).is_some_and(|id| program.kind(id) == Kind::Compound);
    let range = program.statement_range(program.outermost(statement));
    let gone = program.put(statement, range, if is_in_block { "" } else { ";" });
    let is_valid = is_wanted && reads.iter().all(is_clear);
    is_valid.then(|| reads.iter().map(inlined).chain([gone]).chain(declaration).collect())
}

fn without_declaration(program: &Program<'_>, variable: NodeId) -> Option<Vec<Edit>> {
    let is_only_one = program.declarations(program.syntax.node(variable).declares?)?.len() == 1;
    let is_unset = program.initialiser(variable).is_none();
    if is_only_one && is_unset { program.without_variable(variable) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_c;

    #[test]
    fn the_value_takes_the_place_of_the_variable() {
        check_c(
            opportunities,
            &[
                (
                    "int g(int); int f(int a) { int n; n = a + 1; return g(n); }",
                    &["int g(int); int f(int a) {  return g(a + 1); }"],
                ),
                ("int n;\nint f(int a) { if (a) n = 3; return n * n; }", &["int f(int a) { if (a) ; return 3 * 3; }"]),
                ("int f(int a) { int b = a, n; n = 2; return b + n; }", &["int f(int a) { int b = a; return b + 2; }"]),
            ],
        );
    }

    #[test]
    fn a_variable_that_its_own_value_needs_stays() {
        check_c(
            opportunities,
            &[(
                "int g(int); int n; int f(void) { n = n + 1; return g(n); }",
                &["int g(int); int n; int f(void) { return g(n + 1); }"],
            )],
        );
    }

    #[test]
    fn other_variables_stay() {
        check_c(
            opportunities,
            &[
                ("int f(int a) { int n; n = a + 1; return n * n; }", &[]),
                ("int f(int a) { int n; n = a; n = 2; return n; }", &[]),
                ("int f(int a) { int n; n = a; return n++; }", &[]),
                ("int f(int a) { int n = 1; n = a; return n; }", &[]),
                ("int f(int a) { int n; return n = a; }", &[]),
                ("int n; int f(int a) { n = n + a; return 0; }", &[]),
                ("int n; void g(int a) { n = a; } int f(void) { return n; }", &[]),
            ],
        );
    }
}
