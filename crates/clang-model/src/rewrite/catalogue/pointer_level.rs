//! Removes a level of pointers: `int **p` → `int *p`, with one `*` less wherever `p` is
//! dereferenced, `p->f` → `p.f`, and `&x` → `x` where the address was assigned to `p`.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{EntityId, Kind, NodeId, Token, TypeClass};

pub(crate) const KIND: &str = "pointer level";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let declared =
        program.nodes().filter(|id| matches!(program.kind(*id), Kind::Variable | Kind::Parameter | Kind::Field));
    let pointers =
        declared.filter(|id| program.syntax.type_of(*id).is_some_and(|found| found.class == TypeClass::Pointer));
    let found = pointers.filter_map(|id| Some((id, lowered(program, id)?)));
    found.map(|(id, edits)| program.opportunity(KIND, id, "take a pointer from", edits)).collect()
}

fn lowered(program: &Program<'_>, id: NodeId) -> Option<Vec<Edit>> {
    if program.is_fixed(id) {
        return None;
    }
    let family = if program.kind(id) == Kind::Parameter { program.same_parameters(id)? } else { vec![id] };
    let mut edits = Vec::new();
    for declaration in &family {
        let star = star(program, *declaration)?;
        edits.push(program.delete(*declaration, star.range.clone()));
        if let Some(value) = program.initialiser(*declaration) {
            edits.extend(pointee(program, value)?);
        }
        edits.extend(uses(program, program.syntax.node(*declaration).declares?)?);
    }
    if program.kind(id) == Kind::Parameter {
        edits.extend(arguments(program, id)?);
    }
    Some(edits)
}

/// Returns the star before the declared name.
fn star<'p>(program: &'p Program<'_>, declaration: NodeId) -> Option<&'p Token> {
    let file = program.file(declaration);
    let end = program.name_range(declaration).map_or(program.range(declaration).end, |name| name.start);
    let star = program.previous_is(file, end, "*")?;
    (star.range.start >= program.range(declaration).start).then_some(star)
}

fn arguments(program: &Program<'_>, parameter: NodeId) -> Option<Vec<Edit>> {
    let (function, at) = program.position(parameter)?;
    let mut edits = Vec::new();
    for usage in program.editable_uses(program.syntax.node(function).declares?)? {
        let call = program.context(*usage).filter(|id| program.kind(*id) == Kind::Call)?;
        let (_, arguments) = program.call_parts(call)?;
        edits.extend(pointee(program, *arguments.get(at)?)?);
    }
    Some(edits)
}

fn uses(program: &Program<'_>, entity: EntityId) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    for usage in program.editable_uses(entity)? {
        edits.extend(at_use(program, *usage, program.context(*usage)?)?);
    }
    Some(edits)
}

/// Returns the edits for a use. `None` where the pointer itself is needed.
fn at_use(program: &Program<'_>, usage: NodeId, around: NodeId) -> Option<Vec<Edit>> {
    let (inner, outer) = (program.range(usage), program.range(around));
    let is_first = program.syntax.children(around).next() == Some(program.outermost(usage));
    match program.kind(around) {
        Kind::Unary if program.sign(around) == Some(b"*") => {
            Some(vec![program.delete(around, outer.start..inner.start)])
        }
        Kind::Member if is_first => {
            let arrow = program.next_is(program.file(usage), inner.end, "->")?;
            Some(vec![program.put(around, arrow.range.clone(), ".")])
        }
        Kind::Subscript if is_first => Some(vec![program.delete(around, inner.end..outer.end)]),
        Kind::Binary if is_first && program.operator(around).is_some_and(|(_, sign)| sign == b"=") => {
            pointee(program, program.syntax.children(around).last()?)
        }
        _ => None,
    }
}

/// Replaces a pointer by what it points to. Zero stays zero.
fn pointee(program: &Program<'_>, pointer: NodeId) -> Option<Vec<Edit>> {
    let inner = program.peeled(pointer);
    let range = program.range(inner);
    match program.kind(inner) {
        Kind::Unary if program.sign(inner) == Some(b"&") => {
            let operand = program.range(program.syntax.children(inner).next()?);
            Some(vec![program.delete(inner, range.start..operand.start)])
        }
        Kind::Literal => Some(Vec::new()),
        Kind::Name | Kind::Member | Kind::Call | Kind::Subscript => {
            Some(vec![program.put(inner, range.start..range.start, "*")])
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_c;

    #[test]
    fn a_level_goes_everywhere() {
        check_c(
            opportunities,
            &[
                ("int f(int *x) { int **p = &x; return **p; }", &["int f(int *x) { int *p = x; return *p; }"]),
                (
                    "int x; int f(void) { int *p; p = &x; return *p + p[0]; }",
                    &["int x; int f(void) { int p; p = x; return p + p; }"],
                ),
                (
                    "struct s { int f; } x, *p; int f(void) { return p->f; }",
                    &["struct s { int f; } x, p; int f(void) { return p.f; }"],
                ),
            ],
        );
    }

    #[test]
    fn parameters_lose_it_with_their_arguments() {
        check_c(
            opportunities,
            &[(
                "void g(int *); int x; void f(void) { g(&x); } void g(int *p) { *p = 1; }",
                &["void g(int); int x; void f(void) { g(x); } void g(int p) { p = 1; }"],
            )],
        );
    }
}
