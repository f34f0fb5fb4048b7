//! Terms in SMT-LIB 2.
//!
//! Every term is written once per session, as a definition `tN` by which later ones name it, so that the text of a
//! question is as long as what is new in it. An application of an uninterpreted function is a constant `aN`; that equal
//! arguments give equal results is stated for each pair in a question (Ackermann), which leaves pure bit-vectors and floats.

use super::operations::{binary, unary};
use crate::{Constant, Node, Sort, Term, Terms};
use std::fmt::Write;

/// What the solver on the other side was told.
#[derive(Default)]
pub struct Script {
    /// By the number of the term.
    told: Vec<Option<Told>>,
    definitions: usize,
}

#[derive(Clone, Copy)]
struct Told {
    has_floats: bool,
}

impl Script {
    /// How many terms were told.
    pub fn definitions(&self) -> usize {
        self.definitions
    }

    /// Whether a told term has floats in it.
    pub fn has_floats(&self, term: Term) -> bool {
        self.told.get(term.index()).copied().flatten().is_some_and(|told| told.has_floats)
    }

    /// The definitions that `roots` need and that were not told before.
    pub fn definitions_for(&mut self, terms: &Terms, roots: &[Term]) -> String {
        let mut new = Vec::new();
        self.told.resize(terms.size(), None);
        terms.walk(roots, |term, _| {
            let unknown = self.told[term.index()].is_none();
            if unknown {
                new.push(term);
            }
            unknown
        });
        new.sort_unstable();
        let mut text = String::new();
        for term in new {
            self.tell(terms, term, &mut text);
        }
        text
    }

    fn tell(&mut self, terms: &Terms, term: Term, text: &mut String) {
        let node = terms.node(term);
        let sort = terms.sort(term);
        let has_floats = sort.is_float() || node.operands().iter().any(|operand| self.has_floats(*operand));
        self.told[term.index()] = Some(Told { has_floats });
        self.definitions += 1;
        let (name, sort) = (name(terms, term), sort_name(sort));
        let written = match node {
            Node::Constant(_) => Ok(()),
            Node::Symbol | Node::Apply(..) => writeln!(text, "(declare-fun {name} () {sort})"),
            _ => writeln!(text, "(define-fun {name} () {sort} {})", definition(terms, term)),
        };
        written.expect("writing to a string does not fail");
    }
}

/// By what a told term is called.
pub fn name(terms: &Terms, term: Term) -> String {
    let number = term.index();
    match terms.node(term) {
        Node::Constant(value) => literal(*value),
        Node::Symbol => format!("s{number}"),
        Node::Apply(..) => format!("a{number}"),
        _ => format!("t{number}"),
    }
}

/// The statement that two applications of a function with equal arguments have equal results.
pub fn congruence(terms: &Terms, a: Term, b: Term) -> Option<String> {
    let (Node::Apply(f, left), Node::Apply(g, right)) = (terms.node(a), terms.node(b)) else { return None };
    if f != g || left.len() != right.len() {
        return None;
    }
    if left.iter().zip(right).any(|(x, y)| terms.sort(*x) != terms.sort(*y)) {
        return None;
    }
    let mut equal = String::from("true");
    for (x, y) in left.iter().zip(right) {
        write!(equal, " (= {} {})", name(terms, *x), name(terms, *y)).expect("writing to a string does not fail");
    }
    Some(format!("(assert (=> (and {equal}) (= {} {})))\n", name(terms, a), name(terms, b)))
}

pub fn sort_name(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".into(),
        Sort::Bits(width) => format!("(_ BitVec {width})"),
        Sort::Single => "(_ FloatingPoint 8 24)".into(),
        Sort::Double => "(_ FloatingPoint 11 53)".into(),
    }
}

pub fn literal(value: Constant) -> String {
    match value {
        Constant::Bool(value) => value.to_string(),
        Constant::Bits { width, value } => format!("(_ bv{value} {width})"),
        Constant::Single(value) if value.is_nan() => "(_ NaN 8 24)".into(),
        Constant::Single(value) => format!("((_ to_fp 8 24) #x{:08x})", value.to_bits()),
        Constant::Double(value) if value.is_nan() => "(_ NaN 11 53)".into(),
        Constant::Double(value) => format!("((_ to_fp 11 53) #x{:016x})", value.to_bits()),
    }
}

fn definition(terms: &Terms, term: Term) -> String {
    let name = |term: Term| name(terms, term);
    match *terms.node(term) {
        Node::Unary(operation, a) => unary(operation, terms.sort(a), &name(a)),
        Node::Binary(operation, a, b) => format!("({} {} {})", binary(operation), name(a), name(b)),
        Node::Choice(condition, a, b) => format!("(ite {} {} {})", name(condition), name(a), name(b)),
        Node::Constant(_) | Node::Symbol | Node::Apply(..) => unreachable!("told by declarations"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_told_once() {
        let mut terms = Terms::new();
        let x = terms.symbol("a name with | bars", Sort::Bits(32));
        let three = terms.int(3);
        let sum = terms.add(x, three);
        let mut script = Script::default();
        let text = script.definitions_for(&terms, &[sum]);
        let expected = "(declare-fun s0 () (_ BitVec 32))\n(define-fun t2 () (_ BitVec 32) (bvadd s0 (_ bv3 32)))\n";
        assert_eq!(text, expected);
        let product = terms.mul(sum, x);
        assert_eq!(script.definitions_for(&terms, &[product]), "(define-fun t3 () (_ BitVec 32) (bvmul s0 t2))\n");
        assert!(!script.has_floats(product));
        let double = terms.to_double(product);
        script.definitions_for(&terms, &[double]);
        assert!(script.has_floats(double));
    }

    #[test]
    fn equal_arguments_give_equal_results() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Double));
        let (f, g) = (terms.apply("sin", &[x], Sort::Double), terms.apply("sin", &[y], Sort::Double));
        let other = terms.apply("cos", &[y], Sort::Double);
        assert_eq!(congruence(&terms, f, g).unwrap(), "(assert (=> (and true (= s0 s1)) (= a2 a3)))\n");
        assert_eq!(congruence(&terms, f, other), None);
    }
}
