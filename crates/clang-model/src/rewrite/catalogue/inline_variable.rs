//! Replaces a variable that is read once by its initialiser. A variable that is only read may have
//! more uses if its initialiser is a single name or literal.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, NodeId};

pub(crate) const KIND: &str = "inline variable";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let found = program.nodes_of(Kind::Variable).filter_map(|id| Some((id, inlined(program, id)?)));
    found.map(|(id, edits)| program.opportunity(KIND, id, "inline", edits)).collect()
}

fn inlined(program: &Program<'_>, variable: NodeId) -> Option<Vec<Edit>> {
    let entity = program.syntax.node(variable).declares?;
    let value = program.initialiser(variable).filter(|id| !program.in_macro(*id))?;
    let uses = program.editable_uses(entity)?;
    let is_simple = matches!(program.kind(program.peeled(value)), Kind::Name | Kind::Literal);
    let is_wanted = uses.len() == 1 || (is_simple && uses.len() > 1);
    let is_list = program.kind(program.peeled(value)) == Kind::InitialiserList;
    let is_only_one = program.declarations(entity)?.len() == 1 && program.is_alone(variable);
    if !is_wanted || is_list || !is_only_one {
        return None;
    }
    let free = program.free_entities(value);
    let is_clear = |id: &NodeId| {
        program.kind(*id) == Kind::Name && !program.is_changed_at(*id) && program.are_visible_at(&free, *id)
    };
    let inlined =
        |id: &NodeId| program.replace(*id, program.text_in_place_of(value, program.text(value).to_vec(), *id));
    let declaration = program.delete(variable, program.whole_declaration(variable));
    let is_free = uses.iter().all(is_clear) && !uses.iter().any(|id| program.syntax.contains(variable, *id));
    is_free.then(|| uses.iter().map(inlined).chain([declaration]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::{check_c, check_cpp};

    #[test]
    fn the_initialiser_takes_the_place_of_the_use() {
        check_c(
            opportunities,
            &[
                ("int f(int a) { int x = a + 1; return x * 2; }", &["int f(int a) { return (a + 1) * 2; }"]),
                ("int f(int a) { int x = 3; return x * x; }", &["int f(int a) { return 3 * 3; }"]),
                ("char *s = \"a\";\nchar *f(void) { return s; }", &["char *f(void) { return \"a\"; }"]),
            ],
        );
    }

    #[test]
    fn what_cannot_be_inlined() {
        check_c(
            opportunities,
            &[
                ("int f(int a) { int x = a + 1; return x * x; }", &[]),
                ("int f(int a) { int x = a; x++; return 0; }", &[]),
                ("int f(int a) { int *p, x = a; p = &x; return *p; }", &[]),
                ("int f(int a) { for (int x = a; ; ) return x; }", &[]),
                ("int y; int f(void) { int x = y; { int y; return x + y; } }", &[]),
                ("int f(void) { int x[1] = {1}; return x[0]; }", &[]),
            ],
        );
    }

    #[test]
    fn references_are_only_names() {
        let source = "int f(int a) { int &r = a; return r + r; }";
        check_cpp(opportunities, &[(source, &["int f(int a) { return a + a; }"])]);
    }
}
