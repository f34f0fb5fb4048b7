//! Removes the tag of a struct that has a typedef. The typedef replaces the tag at each use.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, NodeId};

pub(crate) const KIND: &str = "struct tag";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let found = program.nodes_of(Kind::Typedef).filter_map(|id| Some((id, untagged(program, id)?)));
    found.map(|(id, edits)| program.opportunity(KIND, id, "drop the tag of", edits)).collect()
}

fn untagged(program: &Program<'_>, typedef: NodeId) -> Option<Vec<Edit>> {
    let (file, range) = (program.file(typedef), program.range(typedef));
    let name = program.name_range(typedef).filter(|name| name.end == range.end)?;
    let mut tokens = program.tokens_in(file, range.clone()).iter().skip(1);
    let word = tokens.next().filter(|token| matches!(program.spelled(file, token), b"struct" | b"union" | b"enum"))?;
    let tag = tokens.next()?;
    let is_defined = tokens.next().is_some_and(|token| program.spelled(file, token) == b"{");
    let is_direct = program.previous_is(file, name.start, "}").is_some();
    if !is_defined || !is_direct || !program.is_alone(typedef) {
        return None;
    }
    let class = program.syntax.type_of(typedef)?.declaration?;
    let text = program.slice(file, name);
    let uses = program.editable_uses(class)?.iter().map(|id| renamed(program, *id, range.end, text));
    let uses: Vec<Edit> = uses.collect::<Option<_>>()?;
    Some(uses.into_iter().chain([program.delete(typedef, word.range.end..tag.range.end)]).collect())
}

/// Replaces `struct tag` by the typedef. `None` before the typedef is declared.
fn renamed(program: &Program<'_>, usage: NodeId, known_from: usize, text: &[u8]) -> Option<Edit> {
    let (file, range) = (program.file(usage), program.range(usage));
    let word = program.before(file, range.start)?;
    let start = match program.spelled(file, word) {
        b"struct" | b"union" | b"enum" => word.range.start,
        _ => range.start,
    };
    (range.start >= known_from).then(|| program.put(usage, start..range.end, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_c;

    #[test]
    fn the_typedef_is_name_enough() {
        check_c(
            opportunities,
            &[
                ("typedef struct s { int f; } S; S x; struct s y;", &["typedef struct { int f; } S; S x; S y;"]),
                ("typedef struct s { struct s *f; } S;", &[]),
                ("typedef struct s S; struct s { int f; };", &[]),
            ],
        );
    }
}
