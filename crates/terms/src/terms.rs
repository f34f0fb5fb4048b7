//! The arena of terms. Equal terms are stored once (hash-consing). Therefore comparing two terms is
//! comparing numbers, and a term that is used a thousand times is stored once.
//!
//! Invariants: an operand's number is smaller than that of the term that contains it, so numbers
//! are a topological order; every node was simplified by the rules in `build`, and none has only
//! constants as operands.

use crate::fold::{binary_sort, float_remainder, unary_sort};
use crate::support::Supports;
use crate::{Binary, Constant, Function, Map, Node, Sort, Term, Unary};
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

/// The function behind [`Terms::frem`]. Its value is known when its operands are.
pub(crate) const REMAINDER: &str = "%";

/// The arena in which terms are built and stored.
#[derive(Default)]
pub struct Terms {
    nodes: Vec<Node>,
    sorts: Vec<Sort>,
    numbers: HashTable<Term>,
    hasher: FixedState,
    symbol_names: Map<Term, Box<str>>,
    /// The number of symbols requested under each name.
    names: Map<Box<str>, u32>,
    functions: Vec<(Box<str>, Sort)>,
    function_numbers: Map<(Box<str>, Sort), Function>,
    pub(crate) supports: Supports,
}

impl Terms {
    pub fn new() -> Terms {
        Terms::default()
    }

    /// The number of different terms built.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.index()]
    }

    pub fn sort(&self, term: Term) -> Sort {
        self.sorts[term.index()]
    }

    /// The value of a term that depends on no symbol.
    pub fn constant(&self, term: Term) -> Option<Constant> {
        match self.nodes[term.index()] {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    pub fn value(&mut self, value: Constant) -> Term {
        let value = value.canonical();
        self.intern(Node::Constant(value), value.sort())
    }

    pub fn bool(&mut self, value: bool) -> Term {
        self.value(Constant::Bool(value))
    }

    /// The bit-vector of the lowest `width` bits of `value`.
    pub fn bits(&mut self, width: u8, value: u64) -> Term {
        debug_assert!((1..=64).contains(&width), "{width} bits");
        self.value(Constant::bits(width, value))
    }

    pub fn int(&mut self, value: i32) -> Term {
        self.bits(32, value as u64)
    }

    pub fn long(&mut self, value: i64) -> Term {
        self.bits(64, value as u64)
    }

    pub fn single(&mut self, value: f32) -> Term {
        self.value(Constant::Single(value))
    }

    pub fn double(&mut self, value: f64) -> Term {
        self.value(Constant::Double(value))
    }

    /// Creates a new symbol that may have any value. Every call gives another symbol; a name that
    /// is taken gets a number.
    pub fn symbol(&mut self, name: &str, sort: Sort) -> Term {
        let term = self.push(Node::Symbol, sort);
        let name = self.unused_name(name);
        self.symbol_names.insert(term, name);
        term
    }

    /// The name of a symbol.
    pub fn symbol_name(&self, term: Term) -> Option<&str> {
        self.symbol_names.get(&term).map(|name| &**name)
    }

    /// The result of an uninterpreted function, of which only one thing is known: equal arguments
    /// give equal results.
    pub fn apply(&mut self, name: &str, arguments: &[Term], sort: Sort) -> Term {
        let function = self.function(name, sort);
        self.intern(Node::Apply(function, arguments.into()), sort)
    }

    pub fn function_name(&self, function: Function) -> &str {
        &self.functions[function.0 as usize].0
    }

    pub fn function_sort(&self, function: Function) -> Sort {
        self.functions[function.0 as usize].1
    }

    /// The application of a known function to other arguments.
    pub(crate) fn apply_again(&mut self, function: Function, arguments: &[Term]) -> Term {
        match arguments {
            [a, b] if self.function_name(function) == REMAINDER => self.frem(*a, *b),
            _ => self.intern(Node::Apply(function, arguments.into()), self.function_sort(function)),
        }
    }

    /// Java's `%` on floats. For a solver it is an uninterpreted function; the solver's answers are
    /// checked with the true values.
    pub fn frem(&mut self, a: Term, b: Term) -> Term {
        match (self.constant(a), self.constant(b)) {
            (Some(x), Some(y)) => self.value(float_remainder(x, y)),
            _ => {
                let sort = self.sort(a);
                self.apply(REMAINDER, &[a, b], sort)
            }
        }
    }

    /// Builds a unary operation, simplified.
    pub fn unary(&mut self, operation: Unary, a: Term) -> Term {
        match operation {
            Unary::Not => self.not(a),
            Unary::Negate => self.neg(a),
            Unary::Complement => self.not_bits(a),
            Unary::SignExtend(width) => self.sign_extend(a, width),
            Unary::ZeroExtend(width) => self.zero_extend(a, width),
            Unary::Extract { high, low } => self.extract(a, high, low),
            Unary::FloatNegate => self.fneg(a),
            Unary::SquareRoot => self.fsqrt(a),
            Unary::IsNan => self.is_nan(a),
            Unary::ToSingle => self.to_single(a),
            Unary::ToDouble => self.to_double(a),
            Unary::ToInteger(width) => self.to_integer(a, width),
            Unary::RawBits => self.raw_bits(a),
            Unary::FromRawBits => self.from_raw_bits(a),
        }
    }

    /// Builds a binary operation, simplified.
    pub fn binary(&mut self, operation: Binary, a: Term, b: Term) -> Term {
        match operation {
            Binary::Add => self.add(a, b),
            Binary::Subtract => self.sub(a, b),
            Binary::Multiply => self.mul(a, b),
            Binary::Divide => self.sdiv(a, b),
            Binary::Remainder => self.srem(a, b),
            Binary::And => self.and(a, b),
            Binary::Or => self.or(a, b),
            Binary::Xor => self.xor(a, b),
            Binary::ShiftLeft => self.shl(a, b),
            Binary::ShiftRight => self.ashr(a, b),
            Binary::ShiftRightUnsigned => self.lshr(a, b),
            Binary::Concat => self.concat(a, b),
            Binary::Equal => self.equals(a, b),
            Binary::SignedLess => self.slt(a, b),
            Binary::SignedLessEqual => self.sle(a, b),
            Binary::UnsignedLess => self.ult(a, b),
            Binary::UnsignedLessEqual => self.ule(a, b),
            Binary::Conjunction => self.and_bool(a, b),
            Binary::FloatAdd => self.fadd(a, b),
            Binary::FloatSubtract => self.fsub(a, b),
            Binary::FloatMultiply => self.fmul(a, b),
            Binary::FloatDivide => self.fdiv(a, b),
            Binary::FloatLess => self.flt(a, b),
            Binary::FloatLessEqual => self.fle(a, b),
            Binary::FloatEqual => self.feq(a, b),
        }
    }

    fn unused_name(&mut self, name: &str) -> Box<str> {
        let mut candidate: Box<str> = name.into();
        loop {
            let uses = self.names.entry(candidate.clone()).or_insert(0);
            *uses += 1;
            if *uses == 1 {
                return candidate;
            }
            candidate = format!("{name}#{uses}").into();
        }
    }

    fn function(&mut self, name: &str, sort: Sort) -> Function {
        let next = Function(self.functions.len() as u32);
        let functions = &mut self.functions;
        *self.function_numbers.entry((name.into(), sort)).or_insert_with(|| {
            functions.push((name.into(), sort));
            next
        })
    }

    fn intern(&mut self, node: Node, sort: Sort) -> Term {
        let hash = self.hasher.hash_one(&node);
        if let Some(term) = self.numbers.find(hash, |term| self.nodes[term.index()] == node) {
            return *term;
        }
        let term = self.push(node, sort);
        let (nodes, hasher) = (&self.nodes, &self.hasher);
        self.numbers.insert_unique(hash, term, |term| hasher.hash_one(&nodes[term.index()]));
        term
    }

    fn push(&mut self, node: Node, sort: Sort) -> Term {
        let number = u32::try_from(self.nodes.len()).expect("fewer than four billion terms fit into memory");
        self.nodes.push(node);
        self.sorts.push(sort);
        Term(number)
    }
}

/// The primitives that the rules build with. They simplify nothing but constants.
impl Terms {
    pub(crate) fn plain_unary(&mut self, operation: Unary, a: Term) -> Term {
        let sort = unary_sort(operation, self.sort(a));
        self.intern(Node::Unary(operation, a), sort)
    }

    pub(crate) fn plain_binary(&mut self, operation: Binary, a: Term, b: Term) -> Term {
        let (a, b) = if operation.is_commutative() && self.belongs_left(b, a) { (b, a) } else { (a, b) };
        let sort = binary_sort(operation, self.sort(a), self.sort(b));
        self.intern(Node::Binary(operation, a, b), sort)
    }

    pub(crate) fn plain_choice(&mut self, condition: Term, a: Term, b: Term) -> Term {
        let sort = self.sort(a);
        self.intern(Node::Choice(condition, a, b), sort)
    }

    /// Returns whether `a` comes before `b` as an operand of a commutative operation: by number,
    /// constants last.
    pub(crate) fn belongs_left(&self, a: Term, b: Term) -> bool {
        (self.constant(a).is_some(), a) < (self.constant(b).is_some(), b)
    }

    /// The two operands in the order for commutative operations.
    pub(crate) fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        if self.belongs_left(b, a) { (b, a) } else { (a, b) }
    }

    /// The result on constants, and on `ite(c, constant, constant)` with a constant.
    pub(crate) fn fold_unary(&mut self, operation: Unary, a: Term) -> Option<Term> {
        if let Some(value) = self.constant(a) {
            return Some(self.value(operation.apply(value)));
        }
        let (condition, x, y) = self.constant_choice(a)?;
        let (x, y) = (self.value(operation.apply(x)), self.value(operation.apply(y)));
        Some(self.ite(condition, x, y))
    }

    pub(crate) fn fold_binary(&mut self, operation: Binary, a: Term, b: Term) -> Option<Term> {
        match (self.constant(a), self.constant(b)) {
            (Some(x), Some(y)) => Some(self.value(operation.apply(x, y))),
            (Some(x), None) => self.fold_choice(b, |y| operation.apply(x, y)),
            (None, Some(y)) => self.fold_choice(a, |x| operation.apply(x, y)),
            (None, None) => None,
        }
    }

    fn fold_choice(&mut self, choice: Term, function: impl Fn(Constant) -> Constant) -> Option<Term> {
        let (condition, x, y) = self.constant_choice(choice)?;
        let (x, y) = (self.value(function(x)), self.value(function(y)));
        Some(self.ite(condition, x, y))
    }

    fn constant_choice(&self, term: Term) -> Option<(Term, Constant, Constant)> {
        let Node::Choice(condition, a, b) = *self.node(term) else { return None };
        Some((condition, self.constant(a)?, self.constant(b)?))
    }

    /// The width of a bit-vector.
    pub(crate) fn width(&self, term: Term) -> u8 {
        self.sort(term).width()
    }

    /// A bit-vector constant as an unsigned number.
    pub(crate) fn number(&self, term: Term) -> Option<u64> {
        match self.constant(term) {
            Some(Constant::Bits { value, .. }) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn as_unary(&self, operation: Unary, term: Term) -> Option<Term> {
        match *self.node(term) {
            Node::Unary(found, a) if found == operation => Some(a),
            _ => None,
        }
    }

    pub(crate) fn as_binary(&self, operation: Binary, term: Term) -> Option<(Term, Term)> {
        match *self.node(term) {
            Node::Binary(found, a, b) if found == operation => Some((a, b)),
            _ => None,
        }
    }

    /// The operands `x` and `c` of `x ∘ c` with a constant `c`.
    pub(crate) fn with_constant(&self, operation: Binary, term: Term) -> Option<(Term, u64)> {
        let (a, b) = self.as_binary(operation, term)?;
        Some((a, self.number(b)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_are_one_and_symbols_never_are() {
        let mut terms = Terms::new();
        let (x, other) = (terms.symbol("x", Sort::Bits(32)), terms.symbol("x", Sort::Bits(32)));
        assert_ne!(x, other);
        assert_eq!(terms.symbol_name(other), Some("x#2"));
        let one = terms.int(1);
        assert_eq!(terms.add(x, one), terms.add(one, x));
        let size = terms.size();
        terms.add(one, x);
        assert_eq!(terms.size(), size);
    }

    #[test]
    fn names_made_unique_do_not_meet_given_ones() {
        let mut terms = Terms::new();
        let symbols = ["a", "a#2", "a"].map(|name| terms.symbol(name, Sort::Bool));
        let names: std::collections::BTreeSet<_> = symbols.iter().map(|s| terms.symbol_name(*s).unwrap()).collect();
        assert_eq!(names.len(), 3);
    }

    #[test]
    fn functions_are_identified_by_name_and_sort() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Double);
        let sine = terms.apply("sin", &[x], Sort::Double);
        assert_eq!(sine, terms.apply("sin", &[x], Sort::Double));
        assert_ne!(sine, terms.apply("cos", &[x], Sort::Double));
        assert_ne!(sine, terms.apply("sin", &[x], Sort::Single));
    }
}
