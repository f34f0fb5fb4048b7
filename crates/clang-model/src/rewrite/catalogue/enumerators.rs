//! Replaces an enumerator by its value at each use, and removes it unless the value of the next one
//! follows from it.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{Kind, NodeId};

pub(crate) const KIND: &str = "enumerator to value";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    program.nodes_of(Kind::Enum).flat_map(|id| enumerators(program, id)).collect()
}

fn enumerators(program: &Program<'_>, id: NodeId) -> Vec<Opportunity> {
    let constants: Vec<NodeId> =
        program.syntax.children(id).filter(|id| program.kind(*id) == Kind::EnumConstant).collect();
    let mut next = Some(0);
    let mut found = Vec::new();
    for at in 0..constants.len() {
        let value = value(program, constants[at], next);
        next = value.and_then(|value| value.checked_add(1));
        let edits = value.and_then(|value| valued(program, id, &constants, at, value));
        found.extend(edits.map(|edits| program.opportunity(KIND, constants[at], "write the value of", edits)));
    }
    found
}

/// Returns the value of an enumerator, if it is a plain number.
fn value(program: &Program<'_>, constant: NodeId, next: Option<i64>) -> Option<i64> {
    let Some(written) = program.syntax.children(constant).find(|id| program.kind(*id).is_expression()) else {
        return next;
    };
    let text = std::str::from_utf8(program.text(written)).ok()?;
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let number = match digits.strip_prefix("0x") {
        Some(hexadecimal) => i64::from_str_radix(hexadecimal, 16),
        None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8),
        None => digits.parse::<i64>(),
    };
    number.ok().map(|number| sign * number)
}

fn valued(program: &Program<'_>, id: NodeId, constants: &[NodeId], at: usize, value: i64) -> Option<Vec<Edit>> {
    let uses = program.editable_uses(program.syntax.node(constants[at]).declares?)?;
    let text = if value < 0 { format!("({value})") } else { value.to_string() };
    let names = uses.iter().map(|id| program.replace(*id, text.clone()));
    Some(names.chain(removal(program, id, constants, at)).collect())
}

/// Removes the enumerator. Removes the whole enumeration with its last enumerator, if nothing names
/// it.
fn removal(program: &Program<'_>, id: NodeId, constants: &[NodeId], at: usize) -> Option<Edit> {
    let file = program.file(id);
    let range = program.range(constants[at]);
    let is_counted_from = constants.get(at + 1).is_some_and(|next| program.syntax.children(*next).next().is_none());
    if constants.len() == 1 {
        let is_unnamed = program.syntax.node(id).declares.is_some_and(|entity| program.uses(entity).is_empty());
        let end = program.next_is(file, program.range(id).end, ";").filter(|_| is_unnamed)?.range.end;
        return Some(program.delete(id, program.range(id).start..end));
    }
    if is_counted_from {
        return None;
    }
    match at.checked_sub(1) {
        Some(before) => Some(program.delete(id, program.range(constants[before]).end..range.end)),
        None => Some(program.delete(id, range.start..program.range(constants[1]).start)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_c;

    #[test]
    fn values_take_the_place_of_names() {
        check_c(
            opportunities,
            &[
                (
                    "enum e { A, B, C = 7 }; int x = B; enum e y = C;",
                    &["enum e { A, C = 7 }; int x = 1; enum e y = C;", "enum e { A, B }; int x = B; enum e y = 7;"],
                ),
                ("enum { A = 0x10 }; int x[A], y = A;", &["int x[16], y = 16;"]),
                ("enum { A = sizeof(int) }; int x = A;", &[]),
            ],
        );
    }
}
