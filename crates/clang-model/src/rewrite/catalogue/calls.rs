//! Replaces a call by one of its arguments, or by its object: `f(x, y)` → `x`, `std::move(x)` →
//! `x`.

use super::operands::{EFFECT, is_sensible};
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, NodeId};

pub(crate) const KIND: &str = "call to argument";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let calls = program.nodes_of(Kind::Call).filter(|id| program.overloaded_operator(*id).is_none());
    calls.flat_map(|id| at(program, id)).collect()
}

fn at(program: &Program<'_>, call: NodeId) -> Vec<Opportunity> {
    let Some((callee, arguments)) = program.call_parts(call) else { return Vec::new() };
    let object = program.peeled(callee);
    let object = (program.kind(object) == Kind::Member).then(|| program.syntax.children(object).next()).flatten();
    let kept = object.into_iter().chain(arguments).filter(|part| !program.in_macro(*part));
    let kept = kept.filter(|part| is_sensible(program, call, *part));
    let kind = if program.is_statement(call) { EFFECT } else { KIND };
    kept.map(|part| program.opportunity(kind, call, "keep an argument of", program.hoist(call, part))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::{check_c, check_cpp};

    #[test]
    fn arguments_take_the_place_of_calls() {
        check_c(
            opportunities,
            &[
                (
                    "int g(int, char *); int f(char *s) { return 2 * g(1 + 2, s); }",
                    &["int g(int, char *); int f(char *s) { return 2 * (1 + 2); }"],
                ),
                (
                    "int g(int); void f(void) { g(g(1)); }",
                    &["int g(int); void f(void) { g(1); }", "int g(int); void f(void) { g(1); }"],
                ),
            ],
        );
    }

    #[test]
    fn objects_and_moved_values_too() {
        check_cpp(
            opportunities,
            &[
                (
                    "template <class T> T &&move(T &t); int f(int a) { return move(a); }",
                    &["template <class T> T &&move(T &t); int f(int a) { return a; }"],
                ),
                ("struct A { A g(); }; A f(A a) { return a.g(); }", &["struct A { A g(); }; A f(A a) { return a; }"]),
                ("struct A { A(int); }; A f() { return A(3); }", &[]),
            ],
        );
    }
}
