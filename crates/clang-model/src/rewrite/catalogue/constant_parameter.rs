//! Removes a parameter for which every caller passes the same literal, together with the arguments.
//! The literal replaces the parameter. If the parameter is assigned to, it becomes a variable.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, Mark, NodeId};

pub(crate) const KIND: &str = "constant parameter";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let functions = program.nodes().filter(|id| matches!(program.kind(*id), Kind::Function | Kind::Method));
    let defined = functions.filter(|id| program.syntax.node(*id).is(Mark::Definition));
    defined.flat_map(|id| parameters(program, id)).collect()
}

fn parameters(program: &Program<'_>, function: NodeId) -> Vec<Opportunity> {
    let parameters = program.parameters(function);
    let found = (0..parameters.len()).filter_map(|at| Some((parameters[at], fixed(program, function, at)?)));
    found.map(|(id, edits)| program.opportunity(KIND, id, "fix the parameter", edits)).collect()
}

fn fixed(program: &Program<'_>, function: NodeId, at: usize) -> Option<Vec<Edit>> {
    let node = program.syntax.node(function);
    let entity = node
        .declares
        .filter(|_| !node.is(Mark::Virtual) && !node.is(Mark::Variadic) && program.has_parameter_list(function))?;
    let mut edits = Vec::new();
    for declaration in program.declarations(entity)? {
        let parameters = program.parameters(declaration);
        edits.push(program.delete(declaration, program.in_list(&parameters, at)?));
    }
    let mut literal = None;
    for usage in program.editable_uses(entity)? {
        let call = program.context(*usage).filter(|id| program.kind(*id) == Kind::Call)?;
        let (callee, arguments) = program.call_parts(call)?;
        let argument = *arguments.get(at).filter(|_| callee == program.outermost(*usage))?;
        let is_literal = matches!(program.kind(program.peeled(argument)), Kind::Literal | Kind::StringLiteral);
        let text = program.text(argument);
        if !is_literal || program.in_macro(argument) || *literal.get_or_insert(text) != text {
            return None;
        }
        edits.push(program.delete(call, program.in_list(&arguments, at)?));
    }
    edits.extend(given(program, function, at, literal?)?);
    Some(edits)
}

/// Returns the edits that make the literal available in the body.
fn given(program: &Program<'_>, function: NodeId, at: usize, literal: &[u8]) -> Option<Vec<Edit>> {
    let parameter = *program.parameters(function).get(at)?;
    let body = program.body(function)?;
    let uses = program.editable_uses(program.syntax.node(parameter).declares?)?;
    if !uses.iter().any(|id| program.is_changed_at(*id)) {
        return Some(uses.iter().map(|id| program.replace(*id, literal)).collect());
    }
    let inside = program.range(body).start + 1;
    let text = [b" ", program.text(parameter), b" = ", literal, b";"].concat();
    Some(vec![program.put(body, inside..inside, text)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_c;

    #[test]
    fn a_parameter_that_never_varies_goes() {
        check_c(
            opportunities,
            &[
                (
                    "int g(int a, int b) { return a + b; } int f(int x) { return g(x, 3) + g(1, 3); }",
                    &["int g(int a) { return a + 3; } int f(int x) { return g(x) + g(1); }"],
                ),
                (
                    "int g(int a); int f(void) { return g(3) + g(3) + g(3) + g(3); } int g(int a) { a++; return a; }",
                    &["int g(); int f(void) { return g() + g() + g() + g(); } int g() { int a = 3; a++; return a; }"],
                ),
                ("int g(int a) { return a; } int f(void) { return g(1) + g(2); }", &[]),
                ("int g(int a) { return a; } int (*p)(int) = g; int f(void) { return g(1); }", &[]),
                ("int g(int a) { return a; }", &[]),
                ("int g(a) int a; { return a; } int f(void) { return g(1); }", &[]),
            ],
        );
    }
}
