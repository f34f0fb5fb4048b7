//! Terms in SMT-LIB 2.
//!
//! Every constraint is written once per session, as a definition `tN` that later queries refer to.
//! Within it each shared term is bound once, so the text is linear in the size of the graph. A
//! definition for every term would be even shorter, but Z3 walks through everything below a
//! definition when it reads it. An application of an uninterpreted function is a constant `aN`. For
//! each pair of applications in a query, the text states that equal arguments give equal results
//! (Ackermann). This leaves pure bit-vectors and floats.

use super::operations::{binary, unary};
use crate::{Constant, Map, Node, Sort, Term, Terms};
use std::fmt::Write;

/// The limit on the nesting of operations. Z3 needs quadratic time for deep terms and ignores its
/// time limit then.
pub const DEEPEST: u32 = 2_000;

/// The definitions that the solver has received.
#[derive(Default)]
pub struct Script {
    /// The named terms, each with whether it contains floats.
    told: Map<Term, bool>,
    size: usize,
}

impl Script {
    /// The number of terms written.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns whether a constraint that was written contains floats.
    pub fn has_floats(&self, term: Term) -> bool {
        self.told.get(&term).copied().unwrap_or(false)
    }

    /// The definitions that `constraints` need and that were not written before. `None` if a
    /// constraint is deeper than [`DEEPEST`].
    pub fn definitions_for(&mut self, terms: &Terms, constraints: &[Term]) -> Option<String> {
        let depth = |constraint: &Term| self.depth(terms, *constraint);
        if constraints.iter().any(|constraint| depth(constraint) > DEEPEST) {
            return None;
        }
        let mut named = constraints.to_vec();
        terms.walk(constraints, |term, node| {
            if let Node::Apply(_, arguments) = node {
                named.extend_from_slice(arguments);
            }
            !self.told.contains_key(&term)
        });
        named.sort_unstable();
        let mut text = String::new();
        for term in named {
            if !self.told.contains_key(&term) {
                self.define(terms, term, &mut text);
            }
        }
        Some(text)
    }

    fn depth(&self, terms: &Terms, root: Term) -> u32 {
        if self.told.contains_key(&root) {
            return 0;
        }
        let mut depths: Map<Term, u32> = Map::default();
        for term in terms.reachable(&[root]) {
            let below = terms.node(term).operands().iter().map(|operand| depths[operand] + 1).max();
            depths.insert(term, below.unwrap_or(0));
        }
        depths[&root]
    }

    fn define(&mut self, terms: &Terms, root: Term, text: &mut String) {
        let mut below = Vec::new();
        terms.walk(&[root], |term, node| {
            let new = !self.told.contains_key(&term);
            if new {
                below.push(term);
            }
            new && !matches!(node, Node::Apply(..))
        });
        below.sort_unstable();
        self.size += below.len();
        let mut floats: Map<Term, bool> = Map::default();
        let (mut body, mut bound) = (String::new(), 0);
        for term in below {
            let has_floats = self.is_of_floats(terms, term, &floats);
            floats.insert(term, has_floats);
            match terms.node(term) {
                Node::Constant(_) => {}
                Node::Symbol | Node::Apply(..) => {
                    self.told.insert(term, has_floats);
                    declare(terms, term, text);
                }
                _ if term == root => body.push_str(&definition(terms, term)),
                _ => {
                    bound += 1;
                    write_to(&mut body, format_args!("(let (({} {})) ", name(terms, term), definition(terms, term)));
                }
            }
        }
        self.told.insert(root, floats[&root]);
        if !body.is_empty() {
            let (name, sort) = (name(terms, root), sort_name(terms.sort(root)));
            write_to(text, format_args!("(define-fun {name} () {sort} {body}{})\n", ")".repeat(bound)));
        }
    }

    fn is_of_floats(&self, terms: &Terms, term: Term, below: &Map<Term, bool>) -> bool {
        let known = |operand: &Term| below.get(operand).copied().unwrap_or_else(|| self.has_floats(*operand));
        terms.sort(term).is_float() || terms.node(term).operands().iter().any(known)
    }
}

fn declare(terms: &Terms, term: Term, text: &mut String) {
    let (name, sort) = (name(terms, term), sort_name(terms.sort(term)));
    write_to(text, format_args!("(declare-fun {name} () {sort})\n"));
}

fn write_to(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string does not fail");
}

/// The name of a written term.
pub fn name(terms: &Terms, term: Term) -> String {
    let number = term.index();
    match terms.node(term) {
        Node::Constant(value) => literal(*value),
        Node::Symbol => format!("s{number}"),
        Node::Apply(..) => format!("a{number}"),
        _ => format!("t{number}"),
    }
}

/// The assertion that two applications of a function with equal arguments have equal results.
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
        write_to(&mut equal, format_args!(" (= {} {})", name(terms, *x), name(terms, *y)));
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
    fn constraints_are_written_once() {
        let mut terms = Terms::new();
        let x = terms.symbol("a name with | bars", Sort::Bits(32));
        let three = terms.int(3);
        let sum = terms.add(x, three);
        let product = terms.mul(sum, x);
        let less = terms.slt(product, sum);
        let mut script = Script::default();
        let expected = "(declare-fun s0 () (_ BitVec 32))\n\
                        (define-fun t4 () Bool (let ((t2 (bvadd s0 (_ bv3 32)))) \
                        (let ((t3 (bvmul s0 t2))) (bvslt t3 t2))))\n";
        assert_eq!(script.definitions_for(&terms, &[less]).unwrap(), expected);
        assert_eq!(script.definitions_for(&terms, &[less]).unwrap(), "");
        let is_three = terms.equals(x, three);
        let opposite = terms.equals(less, is_three);
        let text = script.definitions_for(&terms, &[opposite]).unwrap();
        assert!(text.contains("t4") && !text.contains("t3"), "{text}");
        assert!(!script.has_floats(less));
    }

    #[test]
    fn floats_are_noticed() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Bits(64));
        let (double, half) = (terms.to_double(x), terms.double(0.5));
        let less = terms.flt(double, half);
        let mut script = Script::default();
        script.definitions_for(&terms, &[less]).unwrap();
        assert!(script.has_floats(less));
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
