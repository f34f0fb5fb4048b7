//! Replaces an object that is passed to a function by an empty one: `find(routes[0])` → `find({})`.

use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, NodeId, TypeClass};

pub(crate) const KIND: &str = "argument to empty object";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let calls = program.nodes_of(Kind::Call).filter(|_| program.syntax.is_cpp());
    let calls = calls.filter(|id| program.overloaded_operator(*id).is_none());
    let arguments = calls.filter_map(|id| program.call_parts(id)).flat_map(|(_, arguments)| arguments);
    let objects = arguments.filter(|id| is_object(program, *id));
    objects.map(|id| program.opportunity(KIND, id, "write {} for", vec![program.replace(id, "{}")])).collect()
}

fn is_object(program: &Program<'_>, id: NodeId) -> bool {
    let is_record = program.syntax.type_of(id).is_some_and(|found| found.class == TypeClass::Record);
    is_record && !program.in_macro(id) && !program.text(id).starts_with(b"{")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::{check_c, check_cpp};

    #[test]
    fn objects_become_empty() {
        check_cpp(
            opportunities,
            &[
                (
                    "struct A { int n; A(int n = 0) : n(n) {} };\nint g(const A &, int);\nint f(A *all) { return g(all[1], 2); }",
                    &[
                        "struct A { int n; A(int n = 0) : n(n) {} };\nint g(const A &, int);\nint f(A *all) { return g({}, 2); }",
                    ],
                ),
                (
                    "struct A { int n; };\nstruct B { A first; int at(A a); };\nint f(B &b) { return b.at(b.first); }",
                    &["struct A { int n; };\nstruct B { A first; int at(A a); };\nint f(B &b) { return b.at({}); }"],
                ),
            ],
        );
    }

    #[test]
    fn numbers_pointers_and_empty_objects_stay() {
        check_cpp(
            opportunities,
            &[("struct A {};\nint g(A, int, A *);\nint f(A *a, int n) { return g({}, n, a); }", &[])],
        );
        check_c(opportunities, &[("struct a { int n; };\nint g(struct a);\nint f(struct a b) { return g(b); }", &[])]);
    }
}
