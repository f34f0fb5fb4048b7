//! Replaces the long type name of an initialised variable by `auto`.

use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, NodeId};
use std::ops::Range;

pub(crate) const KIND: &str = "type to auto";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let variables = program.nodes_of(Kind::Variable).filter(|id| program.syntax.is_cpp() && program.is_alone(*id));
    let found = variables.filter_map(|id| Some((id, long_type(program, id)?)));
    found
        .map(|(id, range)| program.opportunity(KIND, id, "infer the type of", vec![program.put(id, range, "auto")]))
        .collect()
}

/// Returns the type of a local variable, if it is more than one word.
fn long_type(program: &Program<'_>, variable: NodeId) -> Option<Range<usize>> {
    program.syntax.node(variable).parent.filter(|id| program.kind(*id) == Kind::DeclarationStatement)?;
    program.initialiser(variable)?;
    let words = program.type_words(variable)?;
    (program.tokens_in(program.file(variable), words.clone()).len() > 1).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::{check, check_c, check_cpp};

    #[test]
    fn long_types_are_inferred() {
        check_cpp(
            opportunities,
            &[
                (
                    "namespace n { struct A {}; } n::A g(); void f() { n::A a = g(); }",
                    &["namespace n { struct A {}; } n::A g(); void f() { auto a = g(); }"],
                ),
                ("void f() { int x = 1; }", &[]),
            ],
        );
        check_c(opportunities, &[("void f(void) { unsigned long x = 1; }", &[])]);
    }

    #[test]
    fn the_language_of_the_compilation_decides_and_not_the_name() {
        let in_cpp: [(&str, &[&str]); 1] =
            [("void f() { unsigned long x = 1; (void)x; }", &["void f() { auto x = 1; (void)x; }"])];
        for (name, arguments) in [("case.h", ["-xc++"]), ("case.c", ["-xc++"]), ("case.inc", ["-xc++"])] {
            check(name, &arguments, opportunities, &in_cpp);
        }
        check("case.cpp", &["-xc"], opportunities, &[("void f(void) { unsigned long x = 1; }", &[])]);
    }
}
