//! Makes a function whose result is unused `void`, and removes the values of its `return`s.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{EntityId, Kind, Mark, NodeId, TypeClass};

pub(crate) const KIND: &str = "result to void";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let functions = program.nodes().filter(|id| matches!(program.kind(*id), Kind::Function | Kind::Method));
    let defined = functions.filter(|id| program.syntax.node(*id).is(Mark::Definition));
    let found = defined.filter_map(|id| Some((id, changed(program, id)?)));
    found.map(|(id, edits)| program.opportunity(KIND, id, "return nothing from", edits)).collect()
}

fn changed(program: &Program<'_>, function: NodeId) -> Option<Vec<Edit>> {
    let entity = program.syntax.node(function).declares?;
    let result = program.syntax.get_type(program.syntax.type_of(function)?.inner?);
    let is_bound = result.class == TypeClass::Void || program.name(entity) == "main" || !is_unused(program, entity)?;
    if is_bound || program.syntax.node(function).is(Mark::Virtual) {
        return None;
    }
    let mut edits = returns(program, function)?;
    for declaration in program.declarations(entity)? {
        let words = program.type_words(declaration)?;
        let name = program.name_range(declaration)?;
        edits.push(program.put(declaration, words.start..name.start, "void "));
    }
    Some(edits)
}

/// Returns whether all uses are calls whose value is not used.
fn is_unused(program: &Program<'_>, entity: EntityId) -> Option<bool> {
    let is_free = |usage: &NodeId| {
        let call = program.context(*usage).filter(|id| program.kind(*id) == Kind::Call)?;
        let (callee, _) = program.call_parts(call)?;
        Some(callee == program.outermost(*usage) && program.is_statement(call))
    };
    program.editable_uses(entity)?.iter().try_fold(true, |all, usage| Some(all && is_free(usage)?))
}

fn returns(program: &Program<'_>, function: NodeId) -> Option<Vec<Edit>> {
    let body = program.body(function)?;
    let last = program.syntax.children(body).last();
    let inside = program.syntax.subtree(body).filter(|id| program.kind(*id) == Kind::Return);
    let own = inside.filter(|id| program.function_around(*id) == Some(function));
    let edit = |id: NodeId| {
        let statement = program.statement_range(id);
        let value = program.syntax.children(id).next();
        let is_sound = !program.in_macro(id);
        let word = program.next_is(program.file(id), statement.start, "return").filter(|_| is_sound)?;
        Some(match value {
            Some(value) if program.has_effect(value) && Some(id) == last => {
                program.delete(id, statement.start..program.range(value).start)
            }
            _ if Some(id) == last => program.delete(id, statement),
            _ => program.delete(id, word.range.end..program.range(id).end),
        })
    };
    own.map(edit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_c;

    #[test]
    fn unused_results_go() {
        check_c(
            opportunities,
            &[
                (
                    "static char *f(int a); void g(void) { f(1); } static char *f(int a) { if (a) return 0; return 0; }",
                    &["static void f(int a); void g(void) { f(1); } static void f(int a) { if (a) return; }"],
                ),
                ("int h(void); int f(int a) { return h(); }", &["int h(void); void f(int a) { h(); }"]),
                (
                    "int f(void) { return 1; } int g(void) { return f(); }",
                    &["int f(void) { return 1; } void g(void) { f(); }"],
                ),
                ("int main(void) { return 1; }", &[]),
            ],
        );
    }
}
