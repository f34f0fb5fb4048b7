//! Facts that only the text shows and the tree does not: operators, bodies, ends of statements.

use crate::program::{Place, Program};
use lapidary_clang::{Kind, TypeClass};
use std::ops::Range;

/// The effect of an operator on its operand, or on the left one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Assign,
    Step,
    AddressOf,
    Dereference,
    Comma,
    Other,
}

/// Returns the operator of a unary or binary expression. If a macro hides it, it is guessed from
/// the types of the operands.
pub(crate) fn operator(program: &Program<'_>, place: Place) -> Operator {
    let children: Vec<_> = program.children(place).collect();
    match (program.node(place).kind, &children[..]) {
        (Kind::CompoundAssignment, _) => Operator::Step,
        (Kind::Binary, [left, right, ..]) => binary(program, place, *left, *right),
        (Kind::Unary, [operand, ..]) => unary(program, place, *operand),
        _ => Operator::Other,
    }
}

fn binary(program: &Program<'_>, place: Place, left: Place, right: Place) -> Operator {
    let node = program.node(place);
    let (from, to) = (program.node(left).end as usize, program.node(right).start as usize);
    let file = program.file_of(place);
    let mut between = program.tokens_in(file, from..to).iter().map(|token| program.token_text(file, token));
    let spelled = between.rfind(|text| !matches!(*text, b")" | b"("));
    match spelled {
        Some(b"=") => Operator::Assign,
        Some(b",") if !node.in_macro => Operator::Comma,
        Some(_) if !node.in_macro => Operator::Other,
        _ if is_place(program.node(inside_parentheses(program, left)).kind) && !is_void(program, place) => {
            Operator::Assign
        }
        _ => Operator::Other,
    }
}

fn inside_parentheses(program: &Program<'_>, place: Place) -> Place {
    let inner = program.children(place).next().filter(|_| program.node(place).kind == Kind::Parentheses);
    inner.map_or(place, |inner| inside_parentheses(program, inner))
}

fn unary(program: &Program<'_>, place: Place, operand: Place) -> Operator {
    let node = program.node(place);
    let file = program.file_of(place);
    let text = &program.files[file].text;
    let own = text.get(node.range()).unwrap_or_default();
    if !node.in_macro {
        let is_postfix = program.node(operand).start == node.start;
        return match own {
            _ if is_postfix => Operator::Step,
            [b'+', b'+', ..] | [b'-', b'-', ..] => Operator::Step,
            [b'&', b'&', ..] => Operator::Other,
            [b'&', ..] => Operator::AddressOf,
            [b'*', ..] => Operator::Dereference,
            _ => Operator::Other,
        };
    }
    guessed_unary(program, place, operand)
}

fn guessed_unary(program: &Program<'_>, place: Place, operand: Place) -> Operator {
    let operand = inside_parentheses(program, operand);
    let (Some(whole), Some(part)) = (program.type_of(place), program.type_of(operand)) else { return Operator::Other };
    let syntax = program.syntax(place);
    let leads_to = |from: &lapidary_clang::Type, to: &lapidary_clang::Type| {
        from.class == TypeClass::Pointer
            && from.inner.is_some_and(|inner| syntax.get_type(inner).spelling == to.spelling)
    };
    if leads_to(whole, part) && is_place(program.node(operand).kind) {
        Operator::AddressOf
    } else if leads_to(part, whole) {
        Operator::Dereference
    } else if is_place(program.node(operand).kind) {
        Operator::Step
    } else {
        Operator::Other
    }
}

fn is_void(program: &Program<'_>, place: Place) -> bool {
    program.type_of(place).is_some_and(|found| found.class == TypeClass::Void)
}

fn is_place(kind: Kind) -> bool {
    matches!(kind, Kind::Name | Kind::Member | Kind::Subscript | Kind::Unary)
}

/// Returns the statements that a control structure or a label governs, with `else` second. Empty if
/// a macro hides them.
pub(crate) fn bodies_of(program: &Program<'_>, place: Place) -> Vec<Place> {
    let node = program.node(place);
    let children: Vec<_> = program.children(place).collect();
    match node.kind {
        _ if node.in_macro && !begins_with_its_keyword(program, place) => Vec::new(),
        Kind::If | Kind::While | Kind::For | Kind::RangeFor | Kind::Switch => {
            let end = header_end(program, place);
            children.into_iter().filter(|child| program.node(*child).start as usize >= end).collect()
        }
        Kind::Do => children.into_iter().take(1).collect(),
        Kind::Label | Kind::Case | Kind::Default => children.last().copied().into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Returns the position where the parentheses after the keyword close.
pub(crate) fn header_end(program: &Program<'_>, place: Place) -> usize {
    header(program, place).map_or(program.node(place).end as usize, |header| header.end)
}

/// Returns the parentheses after the keyword of a control structure.
pub(crate) fn header(program: &Program<'_>, place: Place) -> Option<Range<usize>> {
    header_from(program, place, program.node(place).start as usize)
}

/// Returns the first parentheses of a statement after some position.
pub(crate) fn header_from(program: &Program<'_>, place: Place, from: usize) -> Option<Range<usize>> {
    let file = program.file_of(place);
    let mut start = None;
    let mut depth = 0;
    for token in program.tokens_in(file, from..program.node(place).end as usize) {
        match program.token_text(file, token) {
            b"(" => {
                start = start.or(Some(token.range.start));
                depth += 1;
            }
            b")" => {
                depth -= 1;
                if depth == 0 {
                    return Some(start?..token.range.end);
                }
            }
            _ => {}
        }
    }
    None
}

fn begins_with_its_keyword(program: &Program<'_>, place: Place) -> bool {
    let keyword: &[u8] = match program.node(place).kind {
        Kind::If => b"if",
        Kind::While => b"while",
        Kind::For | Kind::RangeFor => b"for",
        Kind::Switch => b"switch",
        Kind::Do => b"do",
        Kind::Case => b"case",
        Kind::Default => b"default",
        _ => return false,
    };
    let text = program.text(place);
    text.starts_with(keyword)
        && !text.get(keyword.len()).is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'_')
}

/// Returns the range of a node. For a node from a macro, that of the whole macro call.
pub(crate) fn widened(program: &Program<'_>, place: Place) -> Range<usize> {
    let node = program.node(place);
    let range = node.range();
    if !node.in_macro {
        return range;
    }
    match program.expansion_around(place) {
        Some(whole) => range.start.min(whole.start)..range.end.max(whole.end),
        None => range,
    }
}

/// Returns the end of a statement including its semicolon, which the tree's `end` leaves out.
pub(crate) fn after_semicolon(program: &Program<'_>, file: usize, end: usize) -> usize {
    let tokens = &program.tokens[file];
    let next = tokens.get(tokens.partition_point(|token| token.range.start < end));
    match next {
        Some(token) if program.token_text(file, token) == b";" => token.range.end,
        _ => end,
    }
}
