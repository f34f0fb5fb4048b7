//! Removes the names of unused parameters, all at once. This does not change the meaning, so one
//! test is enough.
//!
//! A function definition in C needs the names of its parameters; a declaration does not.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, Mark, NodeId};

pub(crate) const KIND: &str = "parameter names";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let edits: Vec<Edit> = program.nodes_of(Kind::Parameter).filter_map(|id| unnamed(program, id)).collect();
    let label = format!("drop {} unused names of parameters", edits.len());
    if edits.is_empty() { Vec::new() } else { vec![Opportunity { label, kind: KIND, edits }] }
}

fn unnamed(program: &Program<'_>, parameter: NodeId) -> Option<Edit> {
    let node = program.syntax.node(parameter);
    let function = node.parent.filter(|id| program.kind(*id).is_function())?;
    let may_lack_names = program.syntax.is_cpp() || !program.syntax.node(function).is(Mark::Definition);
    let entity = node.declares.filter(|entity| !program.name(*entity).is_empty())?;
    let is_free = may_lack_names && program.uses(entity).is_empty() && program.has_parameter_list(function);
    let name =
        program.name_range(parameter).filter(|_| is_free && !is_named_elsewhere(program, function, parameter))?;
    Some(program.delete(parameter, name))
}

/// Returns whether a word may refer to the parameter in a template, or where text is not parsed as
/// code.
fn is_named_elsewhere(program: &Program<'_>, function: NodeId, parameter: NodeId) -> bool {
    let file = program.file(function);
    let Some(name) = program.name_range(parameter) else { return true };
    let word = program.slice(file, name.clone());
    let inside = program.tokens_in(file, name.end..program.range(function).end);
    inside.iter().any(|token| program.spelled(file, token) == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::{check_c, check_cpp};

    #[test]
    fn unused_names_go_together() {
        check_cpp(
            opportunities,
            &[
                (
                    "struct A { A(int n, int m) { m++; } }; int f(const A &a, int b[2], int (*c)(int d)) { return 0; }",
                    &["struct A { A(int, int m) { m++; } }; int f(const A &, int [2], int (*)(int d)) { return 0; }"],
                ),
                ("template <class T> int f(T a) { return g(a); }", &[]),
                ("int f(int a) { return a; }", &[]),
                ("#define USE(x) x\nint f(int a) { return USE(a); }", &[]),
            ],
        );
    }

    #[test]
    fn definitions_in_c_keep_them() {
        check_c(
            opportunities,
            &[
                ("int f(int a); int g(int a) { return f(1); }", &["int f(int); int g(int a) { return f(1); }"]),
                ("int f(a) int a; { return 0; }", &[]),
            ],
        );
    }
}
