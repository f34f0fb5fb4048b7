//! Strips `new` of optional parts: `new T[n]` → `new T`, `new T()` → `new T`.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, NodeId};

pub(crate) const KIND: &str = "allocation";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let found = program.nodes_of(Kind::New).filter_map(|id| Some((id, bare(program, id)?)));
    found.map(|(id, edit)| program.opportunity(KIND, id, "allocate just one thing in", vec![edit])).collect()
}

/// Removes the brackets after the type, if they come last and are empty or those of an array.
fn bare(program: &Program<'_>, id: NodeId) -> Option<Edit> {
    let (file, range) = (program.file(id), program.range(id));
    let mut tokens = program.tokens_in(file, range.clone()).iter().skip(1);
    let open = tokens.find(|token| matches!(program.spelled(file, token), b"(" | b"[" | b"{"))?.range.clone();
    let is_placed = program.previous_is(file, open.start, "new").is_some();
    let is_last = program.past_bracket(file, open.start)? == range.end;
    let is_array = program.slice(file, open.clone()) == b"[";
    let is_empty = program.tokens_in(file, open.start..range.end).len() == 2;
    (!is_placed && is_last && (is_array || is_empty)).then(|| program.delete(id, open.start..range.end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_cpp;

    #[test]
    fn brackets_that_need_not_be_there_go() {
        check_cpp(
            opportunities,
            &[
                ("int *f(int n) { return new int[n + 1]; }", &["int *f(int n) { return new int; }"]),
                ("struct A {}; A *f() { return new A(); }", &["struct A {}; A *f() { return new A; }"]),
                ("int *f() { return new int{}; }", &["int *f() { return new int; }"]),
            ],
        );
    }

    #[test]
    fn values_and_places_stay() {
        check_cpp(
            opportunities,
            &[
                ("int *f() { return new int(3); }", &[]),
                ("int *f() { return new int; }", &[]),
                ("typedef int (*F)(); F *f() { return new (F); }", &[]),
                ("int (*f())[2] { return new int[3][2]; }", &[]),
            ],
        );
    }
}
