//! Moves a local variable out of its function, if it has no initialiser or a literal one and its
//! name is used for nothing else in the file. The number of tokens stays the same, but they are
//! nested less deeply.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::{Program, is_word};
use lapidary_clang::{FileId, Kind, NodeId};
use std::collections::HashMap;

pub(crate) const KIND: &str = "local to global";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let names = program.declared_names();
    let locals = program.nodes_of(Kind::Variable).filter(|id| is_local(program, *id));
    let found = locals.filter_map(|id| Some((id, moved(program, id, &names)?)));
    found.map(|(id, edits)| program.opportunity(KIND, id, "make global", edits)).collect()
}

fn is_local(program: &Program<'_>, id: NodeId) -> bool {
    program.syntax.node(id).parent.is_some_and(|parent| program.kind(parent) == Kind::DeclarationStatement)
}

fn moved(program: &Program<'_>, variable: NodeId, names: &HashMap<&str, usize>) -> Option<Vec<Edit>> {
    let name = program.name(program.syntax.node(variable).declares?);
    let function = program.syntax.ancestors(variable).last().filter(|id| program.kind(*id) == Kind::Function)?;
    let file = program.file(variable);
    let is_constant = program.initialiser(variable).is_none_or(|value| is_literal(program, value));
    let is_plain = program.is_alone(variable) && !has_constructor(program, variable);
    if names.get(name) != Some(&1) || !is_constant || !is_plain || program.file(function) != file {
        return None;
    }
    let whole = program.whole_declaration(variable);
    let start = without_storage(program, file, whole.start);
    let text = [program.slice(file, start..whole.end), b" "].concat();
    let before = program.range(function).start;
    Some(vec![program.put(function, before..before, text), program.delete(variable, whole)])
}

/// Returns whether the variable is initialised without `=`, as in `A a(3);` and `A a{3};`.
fn has_constructor(program: &Program<'_>, variable: NodeId) -> bool {
    let last = program.syntax.children(variable).last().filter(|id| program.kind(*id).is_expression());
    let is_written = |id: NodeId| program.name_range(variable).is_some_and(|name| program.range(id).start > name.end);
    last.is_some_and(|id| program.kind(id) == Kind::Call || is_written(id) && is_dimension(program, variable, id))
        && program.initialiser(variable).is_none()
}

/// Returns whether an expression is the size of an array and not a literal.
fn is_dimension(program: &Program<'_>, variable: NodeId, expression: NodeId) -> bool {
    program.next_is(program.file(variable), program.range(expression).end, "]").is_some()
        && !is_literal(program, expression)
}

fn is_literal(program: &Program<'_>, value: NodeId) -> bool {
    let is_constant = |id| {
        matches!(
            program.kind(id),
            Kind::Literal | Kind::StringLiteral | Kind::OtherExpression | Kind::Unary | Kind::InitialiserList
        )
    };
    program.syntax.subtree(value).all(is_constant)
}

fn without_storage(program: &Program<'_>, file: FileId, start: usize) -> usize {
    match program.after(file, start).filter(|token| is_word(token)) {
        Some(word) if matches!(program.spelled(file, word), b"static" | b"register") => {
            program.after(file, word.range.end).map_or(start, |next| next.range.start)
        }
        _ => start,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_c;

    #[test]
    fn locals_move_out() {
        check_c(
            opportunities,
            &[
                ("int f(void) { int x; return x; }", &["int x; int f(void) { return x; }"]),
                ("int f(void) { static int x = 3; return x; }", &["int x = 3; int f(void) { return x; }"]),
                ("int f(void) { int x[2] = {1, -1}; return *x; }", &["int x[2] = {1, -1}; int f(void) { return *x; }"]),
            ],
        );
    }

    #[test]
    fn not_if_another_has_the_name_or_the_value_is_no_constant() {
        check_c(
            opportunities,
            &[
                ("int f(int a) { int x = a; return x; }", &[]),
                ("int x; int f(int a) { int x; return x; }", &[]),
                ("int f(int a) { int x[a]; return *x; }", &[]),
                ("int f(void) { for (int x = 0; ; ) return x; }", &[]),
            ],
        );
    }
}
