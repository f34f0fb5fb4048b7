//! Replaces literals by the plainest of their kind, and `x += e` by `x = e`.

use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, NodeId};

pub(crate) const NUMBER: &str = "number";
pub(crate) const TEXT: &str = "string";
pub(crate) const ASSIGNMENT: &str = "plain assignment";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    program
        .nodes()
        .flat_map(|id| match program.kind(id) {
            Kind::Literal => numbers(program, id),
            Kind::StringLiteral => texts(program, id),
            Kind::CompoundAssignment => assignments(program, id),
            _ => Vec::new(),
        })
        .collect()
}

/// Replaces numbers by 0 or 1. The measure rejects this for plain ones: 1 does not become 1, nor 0
/// become 1.
fn numbers(program: &Program<'_>, id: NodeId) -> Vec<Opportunity> {
    let is_number = matches!(program.text(id).first(), Some(b'0'..=b'9' | b'.' | b'\''));
    let plainer = ["0", "1"].into_iter().filter(|_| is_number);
    let plainer = plainer.map(|with| (with, program.replace(id, with)));
    plainer.map(|(with, edit)| program.opportunity(NUMBER, id, &format!("write {with} for"), vec![edit])).collect()
}

fn texts(program: &Program<'_>, id: NodeId) -> Vec<Opportunity> {
    let is_free = !program
        .syntax
        .ancestors(id)
        .any(|id| matches!(program.kind(id), Kind::Assembly | Kind::StaticAssert | Kind::Attribute | Kind::Linkage));
    let edit = is_free.then(|| program.replace(id, "\"\""));
    edit.into_iter().map(|edit| program.opportunity(TEXT, id, "empty", vec![edit])).collect()
}

fn assignments(program: &Program<'_>, id: NodeId) -> Vec<Opportunity> {
    let operator = program.operator(id);
    let edits = operator.into_iter().map(|(range, _)| vec![program.put(id, range, "=")]);
    edits.map(|edits| program.opportunity(ASSIGNMENT, id, "only assign in", edits)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_c;

    #[test]
    fn numbers_become_zero_or_one() {
        check_c(
            opportunities,
            &[
                ("int x = 42;", &["int x = 0;", "int x = 1;"]),
                ("int x = 'a';", &["int x = 0;", "int x = 1;"]),
                ("int x = 1;", &["int x = 0;"]),
                ("int x = 0;", &[]),
                ("#define N 3\nint x = N;", &[]),
            ],
        );
    }

    #[test]
    fn strings_become_empty() {
        check_c(
            opportunities,
            &[
                ("char *s = \"a\" \"b\";", &["char *s = \"\";"]),
                ("char *s = \"\";", &[]),
                ("void f(void) { __asm__(\"nop\"); }", &[]),
            ],
        );
    }

    #[test]
    fn compound_assignments_become_plain() {
        check_c(opportunities, &[("void f(int a) { a += a; }", &["void f(int a) { a = a; }"])]);
    }
}
