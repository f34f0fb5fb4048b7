//! Combines consecutive declarations of the same type: `int a; int b;` → `int a, b;`.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{FileId, Kind, NodeId};
use std::collections::HashMap;
use std::ops::Range;

pub(crate) const KIND: &str = "combine declarations";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let declarators: Vec<NodeId> =
        program.nodes().filter(|id| matches!(program.kind(*id), Kind::Variable | Kind::Field)).collect();
    let starting: HashMap<(FileId, usize), NodeId> =
        declarators.iter().rev().map(|id| ((program.file(*id), program.range(*id).start), *id)).collect();
    let found = declarators.into_iter().filter_map(|id| Some((id, combined(program, id, &starting)?)));
    found.map(|(id, edits)| program.opportunity(KIND, id, "join the next declaration to", edits)).collect()
}

fn combined(program: &Program<'_>, id: NodeId, starting: &HashMap<(FileId, usize), NodeId>) -> Option<Vec<Edit>> {
    let file = program.file(id);
    let semicolon = program.next_is(file, program.range(id).end, ";")?.range.clone();
    let following = program.after(file, semicolon.end)?.range.start;
    let next = *starting.get(&(file, following))?;
    let is_sibling = program.kind(next) == program.kind(id) && block(program, next) == block(program, id);
    let first = specifiers(program, group(program, id))?;
    let second = specifiers(program, (file, program.range(next)))?;
    let words = |range: &Range<usize>| -> Vec<&[u8]> {
        program.tokens_in(file, range.clone()).iter().map(|token| program.spelled(file, token)).collect()
    };
    let are_equal = words(&first.1) == words(&second.1) && first.0 == file;
    let end = program.after(file, second.1.end)?.range.start;
    (is_sibling && are_equal).then(|| vec![program.put(next, semicolon.start..end, ", ")])
}

/// Returns the range of the declaration that a declarator is the last of.
fn group(program: &Program<'_>, id: NodeId) -> (FileId, Range<usize>) {
    let statement = program.syntax.node(id).parent.filter(|id| program.kind(*id) == Kind::DeclarationStatement);
    let around = statement.map_or(program.range(id), |id| program.range(id));
    (program.file(id), around)
}

/// Returns the block, class or file that contains a declaration.
fn block(program: &Program<'_>, id: NodeId) -> Option<NodeId> {
    let mut around = program.syntax.ancestors(id);
    around.find(|id| program.kind(*id) != Kind::DeclarationStatement)
}

/// Returns everything before the declarators.
fn specifiers(program: &Program<'_>, place: (FileId, Range<usize>)) -> Option<(FileId, Range<usize>)> {
    let (file, range) = place;
    let words = program.type_words_in(file, range.clone())?;
    Some((file, range.start..words.end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_c;

    #[test]
    fn neighbours_of_one_type_are_joined() {
        check_c(
            opportunities,
            &[
                ("int a; int *b;", &["int a, *b;"]),
                (
                    "void f(void) { unsigned long a = 1, b; unsigned long c[2]; }",
                    &["void f(void) { unsigned long a = 1, b, c[2]; }"],
                ),
                ("struct s { int a; int b : 3; };", &["struct s { int a, b : 3; };"]),
                ("int a; char b;", &[]),
                ("static int a; int b;", &[]),
                ("int a; int f(void); int b;", &[]),
            ],
        );
    }
}
