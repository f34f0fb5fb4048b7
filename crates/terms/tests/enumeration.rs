//! Tests of the law of the rules by enumeration: small terms, either all of a kind or an even
//! selection, evaluate like the requested operations. Random terms seldom have the shape that a
//! rule matches; small ones have all shapes.

use lapidary_terms::{Assignment, Binary, Constant, Sort, Term, Terms, Unary};
use std::collections::BTreeMap;

/// A term and its expected value under each assignment.
#[derive(Clone)]
struct Twin {
    term: Term,
    values: Vec<Constant>,
}

struct Enumeration {
    terms: Terms,
    assignments: Vec<Assignment>,
    unary: Vec<Unary>,
    binary: Vec<Binary>,
}

/// The number of pairs of terms to combine in each step; the next constant is the number of
/// assignments.
const PAIRS: usize = 500;
const ASSIGNMENTS: usize = 12;

impl Enumeration {
    /// Two symbols and all constants; the symbols take pairs of them as values.
    fn new(constants: &[Constant], unary: Vec<Unary>, binary: Vec<Binary>) -> (Enumeration, Vec<Twin>) {
        let mut terms = Terms::new();
        let sort = constants[0].sort();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, sort));
        let count = constants.len();
        let pairs: Vec<_> = evenly(count, count, ASSIGNMENTS).map(|(i, j)| (constants[i], constants[j])).collect();
        let assignments = pairs.iter().map(|(a, b)| [(x, *a), (y, *b)].into_iter().collect()).collect();
        let mut leaves = vec![
            Twin { term: x, values: pairs.iter().map(|pair| pair.0).collect() },
            Twin { term: y, values: pairs.iter().map(|pair| pair.1).collect() },
        ];
        for value in constants {
            leaves.push(Twin { term: terms.value(*value), values: vec![*value; pairs.len()] });
        }
        (Enumeration { terms, assignments, unary, binary }, leaves)
    }

    /// Checks a term that was built, and keeps one twin of each.
    fn keep(&mut self, twin: Twin, kept: &mut BTreeMap<Term, Twin>) {
        if kept.get(&twin.term).is_some_and(|known| known.values == twin.values) {
            return;
        }
        for (assignment, value) in self.assignments.iter().zip(&twin.values) {
            let found = self.terms.evaluate(twin.term, assignment);
            assert_eq!(found, *value, "{} under {assignment:?}", self.terms.show(twin.term));
        }
        kept.insert(twin.term, twin);
    }

    fn combine_one(&mut self, a: &Twin, kept: &mut BTreeMap<Term, Twin>) {
        let sort = self.terms.sort(a.term);
        for operation in self.unary.clone().into_iter().filter(|operation| fits_unary(*operation, sort)) {
            let term = self.terms.unary(operation, a.term);
            let values = a.values.iter().map(|value| operation.apply(*value)).collect();
            self.keep(Twin { term, values }, kept);
        }
    }

    fn combine_two(&mut self, a: &Twin, b: &Twin, kept: &mut BTreeMap<Term, Twin>) {
        let sort = self.terms.sort(a.term);
        if sort != self.terms.sort(b.term) {
            return;
        }
        for operation in self.binary.clone().into_iter().filter(|operation| fits_binary(*operation, sort)) {
            let term = self.terms.binary(operation, a.term, b.term);
            let values = a.values.iter().zip(&b.values).map(|(x, y)| operation.apply(*x, *y)).collect();
            self.keep(Twin { term, values }, kept);
        }
        if sort == Sort::Bool {
            let term = self.terms.or_bool(a.term, b.term);
            let values =
                a.values.iter().zip(&b.values).map(|(x, y)| Constant::Bool(x.is_true() || y.is_true())).collect();
            self.keep(Twin { term, values }, kept);
        }
    }

    fn choose(&mut self, condition: &Twin, a: &Twin, b: &Twin, kept: &mut BTreeMap<Term, Twin>) {
        if self.terms.sort(condition.term) != Sort::Bool || self.terms.sort(a.term) != self.terms.sort(b.term) {
            return;
        }
        let term = self.terms.ite(condition.term, a.term, b.term);
        let branches = a.values.iter().zip(&b.values);
        let choose =
            |(condition, (a, b)): (&Constant, (&Constant, &Constant))| if condition.is_true() { *a } else { *b };
        let values = condition.values.iter().zip(branches).map(choose).collect();
        self.keep(Twin { term, values }, kept);
    }

    /// All terms with one more operation, then an even selection of larger ones.
    fn run(&mut self, leaves: Vec<Twin>) -> usize {
        let mut first = BTreeMap::new();
        for a in &leaves {
            self.combine_one(a, &mut first);
            leaves.iter().for_each(|b| self.combine_two(a, b, &mut first));
        }
        let first: Vec<Twin> = first.into_values().collect();
        let mut second = BTreeMap::new();
        first.iter().for_each(|a| self.combine_one(a, &mut second));
        for (i, j) in evenly(first.len(), leaves.len(), 2 * PAIRS) {
            self.combine_two(&first[i], &leaves[j], &mut second);
            self.combine_two(&leaves[j], &first[i], &mut second);
        }
        for (i, j) in evenly(first.len(), first.len(), PAIRS) {
            self.combine_two(&first[i], &first[j], &mut second);
        }
        // Two comparisons of the same operands are rare among all pairs, but rules match them.
        let conditions: Vec<&Twin> = first.iter().filter(|twin| self.terms.sort(twin.term) == Sort::Bool).collect();
        for (a, b) in conditions.iter().take(50).flat_map(|a| conditions.iter().take(50).map(move |b| (a, b))) {
            self.combine_two(a, b, &mut second);
        }
        let second: Vec<Twin> = second.into_values().collect();
        self.deeper(&first, &second, &leaves)
    }

    fn deeper(&mut self, first: &[Twin], second: &[Twin], leaves: &[Twin]) -> usize {
        let mut third = BTreeMap::new();
        for (i, j) in evenly(first.len(), leaves.len() * leaves.len(), PAIRS) {
            self.choose(&first[i], &leaves[j / leaves.len()], &leaves[j % leaves.len()], &mut third);
        }
        self.nested_choices(first, leaves, &mut third);
        for (i, j) in evenly(second.len(), first.len(), PAIRS) {
            self.combine_two(&second[i], &first[j], &mut third);
        }
        let chosen: Vec<Twin> = third.values().cloned().collect();
        for (i, j) in evenly(chosen.len(), leaves.len(), PAIRS) {
            self.combine_two(&chosen[i], &leaves[j], &mut third);
            self.combine_one(&chosen[i], &mut third);
        }
        third.len()
    }

    /// Nested choices of symbols, so that branches are often equal.
    fn nested_choices(&mut self, first: &[Twin], leaves: &[Twin], kept: &mut BTreeMap<Term, Twin>) {
        let conditions: Vec<&Twin> = first.iter().filter(|twin| self.terms.sort(twin.term) == Sort::Bool).collect();
        for (outer, inner) in conditions.iter().take(8).flat_map(|a| conditions.iter().take(8).map(move |b| (a, b))) {
            let mut choice = BTreeMap::new();
            self.choose(inner, &leaves[0], &leaves[1], &mut choice);
            for nested in choice.into_values() {
                for leaf in &leaves[..2] {
                    self.choose(outer, leaf, &nested, kept);
                    self.choose(outer, &nested, leaf, kept);
                }
            }
        }
    }
}

/// Pairs of numbers below `a` and `b`, spread over all of them.
fn evenly(a: usize, b: usize, count: usize) -> impl Iterator<Item = (usize, usize)> {
    let all = a * b;
    // A step without a common divisor with most sizes visits rows and columns alike.
    let step = (all / count).max(1) | 1;
    (0..all).step_by(step).map(move |index| (index / b, index % b))
}

fn fits_unary(operation: Unary, sort: Sort) -> bool {
    match (operation, sort) {
        (Unary::Not, sort) => sort == Sort::Bool,
        (_, Sort::Bool) => false,
        (Unary::Negate | Unary::Complement, sort) => matches!(sort, Sort::Bits(_)),
        (Unary::SignExtend(width) | Unary::ZeroExtend(width), Sort::Bits(narrow)) => narrow <= width,
        (Unary::Extract { high, .. }, Sort::Bits(width)) => high < width,
        (Unary::SignExtend(_) | Unary::ZeroExtend(_) | Unary::Extract { .. }, _) => false,
        (Unary::FromRawBits, sort) => matches!(sort, Sort::Bits(32 | 64)),
        (Unary::ToSingle, sort) => sort != Sort::Single,
        (Unary::ToDouble, sort) => sort != Sort::Double,
        (_, sort) => sort.is_float(),
    }
}

fn fits_binary(operation: Binary, sort: Sort) -> bool {
    use Binary::*;
    match operation {
        Equal => true,
        Conjunction => sort == Sort::Bool,
        FloatAdd | FloatSubtract | FloatMultiply | FloatDivide | FloatLess | FloatLessEqual | FloatEqual => {
            sort.is_float()
        }
        Concat => matches!(sort, Sort::Bits(width) if width <= 32),
        _ => matches!(sort, Sort::Bits(_)),
    }
}

#[rustfmt::skip]
fn bit_operations() -> Vec<Binary> {
    use Binary::*;
    vec![
        Add, Subtract, Multiply, Divide, Remainder, And, Or, Xor, ShiftLeft, ShiftRight, ShiftRightUnsigned, Concat,
        Equal, SignedLess, SignedLessEqual, UnsignedLess, UnsignedLessEqual, Conjunction,
    ]
}

fn numbers(width: u8, values: impl IntoIterator<Item = u64>) -> Vec<Constant> {
    values.into_iter().map(|value| Constant::bits(width, value)).collect()
}

#[test]
fn small_terms_of_two_bits() {
    let unary = vec![Unary::Not, Unary::Negate, Unary::Complement, Unary::SignExtend(4), Unary::ZeroExtend(4)];
    let (mut enumeration, leaves) = Enumeration::new(&numbers(2, 0..4), unary, bit_operations());
    assert!(enumeration.run(leaves) > 1_000);
}

#[test]
fn small_terms_of_bytes() {
    let unary = vec![
        Unary::Not,
        Unary::Complement,
        Unary::SignExtend(16),
        Unary::ZeroExtend(16),
        Unary::Extract { high: 7, low: 0 },
        Unary::Extract { high: 11, low: 4 },
    ];
    let values = numbers(8, [0, 1, 5, 0x7f, 0x80, 0xff]);
    let (mut enumeration, leaves) = Enumeration::new(&values, unary, bit_operations());
    assert!(enumeration.run(leaves) > 1_000);
}

#[test]
fn small_terms_of_floats() {
    let unary = vec![
        Unary::Not,
        Unary::FloatNegate,
        Unary::SquareRoot,
        Unary::IsNan,
        Unary::ToDouble,
        Unary::ToSingle,
        Unary::ToInteger(32),
        Unary::RawBits,
        Unary::FromRawBits,
    ];
    use Binary::*;
    let binary = vec![
        FloatAdd,
        FloatSubtract,
        FloatMultiply,
        FloatDivide,
        FloatLess,
        FloatLessEqual,
        FloatEqual,
        Equal,
        SignedLess,
    ];
    let values = [0.0, -0.0, 1.0, -1.0, 2.5, f32::NAN, f32::INFINITY].map(Constant::Single);
    let (mut enumeration, leaves) = Enumeration::new(&values, unary, binary);
    assert!(enumeration.run(leaves) > 300);
}

#[test]
fn small_terms_of_converted_ints() {
    let unary = vec![
        Unary::ToDouble,
        Unary::ToSingle,
        Unary::ToInteger(32),
        Unary::FloatNegate,
        Unary::IsNan,
        Unary::SignExtend(64),
        Unary::Extract { high: 31, low: 0 },
        Unary::FromRawBits,
        Unary::RawBits,
    ];
    use Binary::*;
    let binary = vec![Add, FloatAdd, FloatLess, FloatLessEqual, FloatEqual, SignedLess, Equal, Conjunction];
    let values = numbers(32, [0, 1, 16_777_217, 0x7fff_ffff, 0x8000_0000, u64::MAX, 0x7fc0_0001]);
    let (mut enumeration, leaves) = Enumeration::new(&values, unary, binary);
    assert!(enumeration.run(leaves) > 300);
}

#[test]
fn small_terms_of_converted_longs() {
    let unary = vec![Unary::ToDouble, Unary::ToSingle, Unary::ToInteger(64), Unary::Negate];
    use Binary::*;
    let binary = vec![Add, FloatLess, FloatEqual, SignedLess, Equal];
    // The third is rounded twice on its way to a double and from there to a single.
    let values = numbers(64, [0, 1, (1 << 60) + (1 << 36) + 1, i64::MAX as u64, 1 << 63]);
    let (mut enumeration, leaves) = Enumeration::new(&values, unary, binary);
    assert!(enumeration.run(leaves) > 100);
}
