//! Terms as text for people: operations and symbols by name, with long terms cut.

use crate::{Node, Term, Terms};
use std::fmt::Write;

const LONGEST: usize = 2_000;

impl Terms {
    /// The term as text, like `(SignedLess (Add x 3) y)`. A long term is truncated.
    pub fn show(&self, term: Term) -> String {
        let mut text = String::new();
        let mut open = vec![Piece::Term(term)];
        while let Some(piece) = open.pop() {
            match piece {
                Piece::Close => text.push(')'),
                Piece::Term(term) => self.show_one(term, &mut text, &mut open),
            }
            if text.len() > LONGEST {
                text.push('…');
                break;
            }
        }
        text
    }

    fn show_one(&self, term: Term, text: &mut String, open: &mut Vec<Piece>) {
        if !text.is_empty() && !text.ends_with('(') {
            text.push(' ');
        }
        let node = self.node(term);
        let written = match node {
            Node::Constant(value) => write!(text, "{value}"),
            Node::Symbol => write!(text, "{}", self.symbol_name(term).unwrap_or("?")),
            Node::Unary(operation, _) => write!(text, "({operation:?}"),
            Node::Binary(operation, _, _) => write!(text, "({operation:?}"),
            Node::Choice(..) => write!(text, "(ite"),
            Node::Apply(function, _) => write!(text, "({}", self.function_name(*function)),
        };
        written.expect("writing to a string does not fail");
        if !matches!(node, Node::Constant(_) | Node::Symbol) {
            open.push(Piece::Close);
            open.extend(node.operands().iter().rev().map(|operand| Piece::Term(*operand)));
        }
    }
}

enum Piece {
    Term(Term),
    Close,
}

#[cfg(test)]
mod tests {
    use crate::{Sort, Terms};

    #[test]
    fn terms_are_readable() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::Bits(32)), terms.symbol("y", Sort::Bits(32)));
        let three = terms.int(-3);
        let sum = terms.add(x, three);
        let less = terms.slt(sum, y);
        assert_eq!(terms.show(less), "(SignedLess (Add x -3) y)");
    }
}
