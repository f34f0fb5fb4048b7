//! Replaces `union` by `struct`, in its definition and wherever the keyword precedes its tag.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{FileId, Kind, NodeId};

pub(crate) const KIND: &str = "union to struct";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let found = program.nodes_of(Kind::Union).filter_map(|id| Some((id, changed(program, id)?)));
    found.map(|(id, edits)| program.opportunity(KIND, id, "make a struct of", edits)).collect()
}

fn changed(program: &Program<'_>, union: NodeId) -> Option<Vec<Edit>> {
    let entity = program.syntax.node(union).declares?;
    let declared = program.declarations(entity)?.into_iter().map(|id| (program.file(id), program.range(id).start));
    let words = declared.filter_map(|(file, at)| word(program, file, at));
    let used = program.editable_uses(entity)?.iter();
    let used = used.filter_map(|id| {
        let before = program.before(program.file(*id), program.range(*id).start)?;
        word(program, program.file(*id), before.range.start)
    });
    Some(words.chain(used).collect())
}

fn word(program: &Program<'_>, file: FileId, at: usize) -> Option<Edit> {
    let token = program.next_is(file, at, "union")?;
    Some(Edit { file, range: token.range.clone(), with: b"struct".to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_c;

    #[test]
    fn a_union_becomes_a_struct_everywhere() {
        check_c(
            opportunities,
            &[
                ("union u { int a; char b; }; union u x;", &["struct u { int a; char b; }; struct u x;"]),
                ("struct s { union { int a; }; };", &["struct s { struct { int a; }; };"]),
            ],
        );
    }
}
