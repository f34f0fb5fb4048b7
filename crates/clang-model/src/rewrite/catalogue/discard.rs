//! Removes an unused variable but keeps the computation of its value: `int x = f();` → `f();`.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, NodeId};

pub(crate) const KIND: &str = "unused result";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let found = program.nodes_of(Kind::Variable).filter_map(|id| Some((id, discarded(program, id)?)));
    found.map(|(id, edit)| program.opportunity(KIND, id, "only compute", vec![edit])).collect()
}

/// Returns the edit for a variable. A value without an effect is not worth a statement, so the
/// variable is then removed as a whole.
fn discarded(program: &Program<'_>, variable: NodeId) -> Option<Edit> {
    let node = program.syntax.node(variable);
    let is_unused = program.uses(node.declares?).is_empty();
    let is_local = node.parent.is_some_and(|id| program.kind(id) == Kind::DeclarationStatement);
    let value = program.initialiser(variable).filter(|id| !program.in_macro(*id))?;
    let is_list = program.kind(program.peeled(value)) == Kind::InitialiserList;
    let is_wanted = is_unused && is_local && program.is_alone(variable) && program.has_effect(value) && !is_list;
    is_wanted.then(|| program.delete(variable, program.range(variable).start..program.range(value).start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::{check_c, check_cpp};

    #[test]
    fn unused_values_are_still_computed() {
        check_c(
            opportunities,
            &[
                ("int g(void); void f(void) { int x = g(); }", &["int g(void); void f(void) { g(); }"]),
                (
                    "int g(void); void f(void) { static int y; const int *x = &y + g(); }",
                    &["int g(void); void f(void) { static int y; &y + g(); }"],
                ),
            ],
        );
        check_cpp(
            opportunities,
            &[(
                "struct A { A(int); }; A g(); void f() { const A &x = g(); }",
                &["struct A { A(int); }; A g(); void f() { g(); }"],
            )],
        );
    }

    #[test]
    fn used_variables_and_values_without_effect_stay() {
        check_c(
            opportunities,
            &[
                ("int g(void); int f(void) { int x = g(); return x; }", &[]),
                ("int g(void); int f(void) { int x = g(), y = 1; return y; }", &[]),
                ("void f(int a) { int x = a + 1; }", &[]),
                ("int g(void); void f(void) { int x[1] = {g()}; }", &[]),
                ("int g(void); void f(void) { for (int x = g();;) ; }", &[]),
            ],
        );
    }
}
