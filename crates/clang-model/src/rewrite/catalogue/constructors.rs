//! Removes initialisers of constructors and default arguments, one by one.

use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{EntityId, Kind, NodeId};
use std::ops::Range;

pub(crate) const MEMBER: &str = "constructor initialiser";
pub(crate) const DEFAULT: &str = "default value";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    program
        .nodes()
        .flat_map(|id| match program.kind(id) {
            Kind::Constructor => members(program, id),
            Kind::Parameter | Kind::Field => default(program, id),
            _ => Vec::new(),
        })
        .collect()
}

/// A member initialiser, such as `x(1)` in `A() : x(1), y(2) {}`.
pub(crate) struct Initialiser {
    pub refers: Option<EntityId>,
    /// The range to delete, including a comma or the colon.
    pub removal: Range<usize>,
}

pub(crate) fn initialisers(program: &Program<'_>, constructor: NodeId) -> Vec<Initialiser> {
    let Some((colon, end)) = list(program, constructor) else { return Vec::new() };
    let file = program.file(constructor);
    let parts = program.list(file, colon.end..end);
    let is_name = |id: &NodeId| matches!(program.kind(*id), Kind::MemberReference | Kind::TypeReference);
    let names: Vec<NodeId> = program.syntax.children(constructor).filter(is_name).collect();
    let refers = |part: &Range<usize>| {
        let name = names.iter().find(|id| part.contains(&program.range(**id).start));
        name.and_then(|id| program.syntax.node(*id).refers)
    };
    let removal = |at: usize| match (at.checked_sub(1), parts.get(at + 1)) {
        (Some(before), _) => parts[before].end..parts[at].end,
        (None, Some(after)) => parts[at].start..after.start,
        (None, None) => colon.start..parts[at].end,
    };
    (0..parts.len()).map(|at| Initialiser { refers: refers(&parts[at]), removal: removal(at) }).collect()
}

/// Returns the colon and the start of the body.
fn list(program: &Program<'_>, constructor: NodeId) -> Option<(Range<usize>, usize)> {
    let file = program.file(constructor);
    let body = program.range(program.body(constructor)?).start;
    let name = program.name_range(constructor)?;
    let open = program.next_is(file, name.end, "(")?.range.start;
    let after = program.past_bracket(file, open)?;
    let mut tokens = program.tokens_in(file, after..body).iter();
    let colon = tokens.find(|token| program.spelled(file, token) == b":")?;
    Some((colon.range.clone(), body))
}

fn members(program: &Program<'_>, constructor: NodeId) -> Vec<Opportunity> {
    let found = initialisers(program, constructor).into_iter().map(|found| found.removal);
    let file = program.file(constructor);
    found
        .map(|range| Opportunity {
            label: program.label_at(file, range.clone(), "drop the initialiser"),
            kind: MEMBER,
            edits: vec![program.delete(constructor, range)],
        })
        .collect()
}

fn default(program: &Program<'_>, id: NodeId) -> Vec<Opportunity> {
    let range = program.initialisation(id);
    range
        .into_iter()
        .map(|range| program.opportunity(DEFAULT, id, "drop the default of", vec![program.delete(id, range)]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_cpp;

    #[test]
    fn initialisers_go_one_by_one() {
        check_cpp(
            opportunities,
            &[
                (
                    "struct A { int x, y; A() : x(1), y(2) {} };",
                    &["struct A { int x, y; A() : y(2) {} };", "struct A { int x, y; A() : x(1) {} };"],
                ),
                ("struct A { int x; A() : x(1) {} };", &["struct A { int x; A() {} };"]),
                ("struct A { A() {} };", &[]),
            ],
        );
    }

    #[test]
    fn defaults_go() {
        check_cpp(
            opportunities,
            &[(
                "void f(int a = 3); struct A { int x = 2; };",
                &["void f(int a); struct A { int x = 2; };", "void f(int a = 3); struct A { int x; };"],
            )],
        );
    }
}
