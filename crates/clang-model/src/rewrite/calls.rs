//! A call becomes one of its arguments, or the object it is made on: `f(x, y)` → `x`, `std::move(x)` → `x`.

use super::Opportunity;
use super::operands::is_sensible;
use super::program::Program;
use lapidary_clang::{Kind, NodeId};

pub(crate) const KIND: &str = "call to argument";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let calls = program.nodes_of(Kind::Call).filter(|id| program.overloaded_operator(*id).is_none());
    calls.flat_map(|id| at(program, id)).collect()
}

fn at(program: &Program<'_>, call: NodeId) -> Vec<Opportunity> {
    let Some((callee, arguments)) = parts(program, call) else { return Vec::new() };
    let object = program.peeled(callee);
    let object = (program.kind(object) == Kind::Member).then(|| program.syntax.children(object).next()).flatten();
    let kept = object.into_iter().chain(arguments).filter(|part| !program.in_macro(*part));
    let kept = kept.filter(|part| is_sensible(program, call, *part));
    kept.map(|part| program.opportunity(KIND, call, "keep an argument of", program.hoist(call, part))).collect()
}

/// What is called and the arguments in the text; none for a constructor, which is not called by a name of its own.
pub(crate) fn parts(program: &Program<'_>, call: NodeId) -> Option<(NodeId, Vec<NodeId>)> {
    let range = program.range(call);
    let children = program.children(call);
    let callee = *children.first()?;
    let is_called = program.range(callee).start == range.start && program.range(callee) != range;
    let is_written = |id: &NodeId| program.range(*id).start >= program.range(callee).end;
    let is_closed = program.text(call).ends_with(b")");
    (is_called && is_closed).then(|| (callee, children[1..].iter().copied().filter(is_written).collect()))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_c, check_cpp};
    use super::*;

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
