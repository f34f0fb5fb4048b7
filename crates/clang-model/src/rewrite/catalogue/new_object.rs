//! Replaces the only call of a function that creates an object by a new object of that class:
//! `auto list = read(file);` → `auto list = std::vector<int>();`

use super::inline_function::removal;
use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, Mark, NodeId, TypeClass};

pub(crate) const KIND: &str = "result to new object";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let functions = program.nodes_of(Kind::Function).filter(|id| program.syntax.node(*id).is(Mark::Definition));
    let found = functions.filter(|_| program.syntax.is_cpp()).filter_map(|id| Some((id, replaced(program, id)?)));
    found.map(|(id, edits)| program.opportunity(KIND, id, "make a new object instead of calling", edits)).collect()
}

fn replaced(program: &Program<'_>, definition: NodeId) -> Option<Vec<Edit>> {
    let entity = program.syntax.node(definition).declares?;
    let result = program.syntax.get_type(program.syntax.type_of(definition)?.inner?);
    let [usage] = program.editable_uses(entity)? else { return None };
    let call = program.context(*usage).filter(|id| program.kind(*id) == Kind::Call)?;
    let (callee, _) = program.call_parts(call)?;
    let is_other = callee != program.outermost(*usage) || program.syntax.contains(definition, call);
    if result.class != TypeClass::Record || is_other || program.in_macro(call) || program.is_statement(call) {
        return None;
    }
    let words = program.type_words(definition)?;
    let class = program.slice(program.file(definition), words).trim_ascii();
    let mut edits = vec![program.replace(call, [class, b"()"].concat())];
    edits.extend(removal(program, entity)?);
    Some(edits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::{check_c, check_cpp};

    #[test]
    fn a_new_object_takes_the_place_of_a_result() {
        check_cpp(
            opportunities,
            &[
                (
                    "struct A { int n; };\nstatic A make(int n) { A a; a.n = n; return a; }\nint f() { A a = make(1); return a.n; }",
                    &["struct A { int n; };\nint f() { A a = A(); return a.n; }"],
                ),
                (
                    "template <class T> struct V { T t; };\nV<int> make();\nint f() { return make().t; }\nV<int> make() { return {}; }",
                    &["template <class T> struct V { T t; };\nint f() { return V<int>().t; }\n"],
                ),
            ],
        );
    }

    #[test]
    fn other_results_stay() {
        check_cpp(
            opportunities,
            &[
                ("int make() { return 1; }\nint f() { return make(); }", &[]),
                ("struct A {};\nA &make() { static A a; return a; }\nvoid f() { A a = make(); }", &[]),
                ("struct A {};\nA make() { return A(); }\nvoid f() { A a = make(), b = make(); }", &[]),
                ("struct A {};\nA make() { return A(); }\nvoid f() { make(); }", &[]),
            ],
        );
        check_c(
            opportunities,
            &[(
                "struct a { int n; };\nstruct a make(void) { struct a b = {1}; return b; }\nint f(void) { return make().n; }",
                &[],
            )],
        );
    }
}
