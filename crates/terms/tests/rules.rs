//! The law of the rules: whatever is built evaluates like the operation that was asked for. Random terms are built twice,
//! by the rules and, beside them, by computing with the values of the operands under random assignments.

use lapidary_terms::{Assignment, Binary, Constant, Sort, Term, Terms, Unary};
use proptest::prelude::*;

const SYMBOLS: usize = 3;
const ROUNDS: usize = 6;

/// A term and what it must be under each assignment.
#[derive(Clone)]
struct Twin {
    term: Term,
    values: [Constant; ROUNDS],
}

struct Workshop {
    terms: Terms,
    assignments: [Assignment; ROUNDS],
    made: Vec<Twin>,
}

/// One step of building: which operation, and which earlier terms it takes.
#[derive(Clone, Debug)]
struct Step {
    operation: u8,
    operands: [u8; 3],
    detail: u64,
}

fn steps(count: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = (any::<u8>(), any::<[u8; 3]>(), edge_number());
    let step = step.prop_map(|(operation, operands, detail)| Step { operation, operands, detail });
    prop::collection::vec(step, 1..count)
}

/// Numbers near the edges of all widths are where rules go wrong.
fn edge_number() -> impl Strategy<Value = u64> {
    let near_power = (0u32..64, -2i64..3).prop_map(|(power, offset)| (1u64 << power).wrapping_add(offset as u64));
    prop_oneof![any::<u64>(), 0u64..10, near_power.clone(), near_power.prop_map(|value| value.wrapping_neg())]
}

impl Workshop {
    fn new(sorts: &[Sort], seeds: &[u64]) -> Workshop {
        let mut terms = Terms::new();
        let mut assignments: [Assignment; ROUNDS] = Default::default();
        let mut made = Vec::new();
        let mut seeds = seeds.iter().copied().cycle();
        for sort in sorts.iter().flat_map(|sort| [*sort; SYMBOLS]) {
            let term = terms.symbol("s", sort);
            let values = [(); ROUNDS].map(|()| constant(sort, seeds.next().unwrap()));
            assignments.iter_mut().zip(values).for_each(|(assignment, value)| assignment.set(term, value));
            made.push(Twin { term, values });
        }
        Workshop { terms, assignments, made }
    }

    fn constant(&mut self, value: Constant) {
        let term = self.terms.value(value);
        self.made.push(Twin { term, values: [value; ROUNDS] });
    }

    fn pick(&self, index: u8, fits: impl Fn(Sort) -> bool) -> Option<Twin> {
        let fitting: Vec<_> = self.made.iter().filter(|twin| fits(self.terms.sort(twin.term))).collect();
        // The newest are the most interesting.
        let last = fitting.len().checked_sub(1)?;
        Some(fitting[last - usize::from(index) % fitting.len().min(12)].clone())
    }

    fn unary(&mut self, operation: Unary, a: &Twin) {
        let term = self.terms.unary(operation, a.term);
        self.made.push(Twin { term, values: a.values.map(|value| operation.apply(value)) });
    }

    fn binary(&mut self, operation: Binary, a: &Twin, b: &Twin) {
        let term = self.terms.binary(operation, a.term, b.term);
        let mut values = a.values;
        values.iter_mut().zip(b.values).for_each(|(x, y)| *x = operation.apply(*x, y));
        self.made.push(Twin { term, values });
    }

    fn choice(&mut self, condition: &Twin, a: &Twin, b: &Twin) {
        let term = self.terms.ite(condition.term, a.term, b.term);
        let mut values = a.values;
        for (index, value) in values.iter_mut().enumerate() {
            *value = if condition.values[index].is_true() { *value } else { b.values[index] };
        }
        self.made.push(Twin { term, values });
    }

    /// Does a step if there are operands for it.
    fn step(&mut self, step: &Step) -> Option<()> {
        let [i, j, k] = step.operands;
        match step.operation % 8 {
            0 => {
                let sort = self.terms.sort(self.pick(i, |_| true)?.term);
                self.constant(constant(sort, step.detail));
            }
            1 => {
                let condition = self.pick(i, |sort| sort == Sort::Bool)?;
                let a = self.pick(j, |_| true)?;
                let sort = self.terms.sort(a.term);
                let b = self.pick(k, |other| other == sort)?;
                self.choice(&condition, &a, &b);
            }
            2 | 3 => {
                let a = self.pick(i, |_| true)?;
                let operations = unary_operations(self.terms.sort(a.term), step.detail);
                self.unary(operations[usize::from(j) % operations.len()], &a);
            }
            _ => {
                let a = self.pick(i, |_| true)?;
                let sort = self.terms.sort(a.term);
                let b = self.pick(j, |other| other == sort)?;
                let operations = binary_operations(sort);
                self.binary(operations[usize::from(k) % operations.len()], &a, &b);
            }
        }
        Some(())
    }

    fn check(&self) -> Result<(), TestCaseError> {
        for twin in &self.made {
            prop_assert_eq!(self.terms.sort(twin.term), twin.values[0].sort(), "{}", self.terms.show(twin.term));
            for (assignment, value) in self.assignments.iter().zip(twin.values) {
                let found = self.terms.evaluate(twin.term, assignment);
                prop_assert_eq!(found, value, "{} under {:?}", self.terms.show(twin.term), assignment);
            }
        }
        Ok(())
    }
}

fn constant(sort: Sort, seed: u64) -> Constant {
    match sort {
        Sort::Bool => Constant::Bool(seed & 1 == 1),
        Sort::Bits(width) => Constant::bits(width, seed),
        Sort::Single if seed.is_multiple_of(3) => Constant::Single(seed as i8 as f32 / 2.0),
        Sort::Single => Constant::Single(f32::from_bits(seed as u32)).canonical(),
        Sort::Double if seed.is_multiple_of(3) => Constant::Double(seed as i8 as f64 / 2.0),
        Sort::Double => Constant::Double(f64::from_bits(seed)).canonical(),
    }
}

fn unary_operations(sort: Sort, detail: u64) -> Vec<Unary> {
    match sort {
        Sort::Bool => vec![Unary::Not],
        Sort::Bits(width) => {
            let wide = width + (detail % u64::from(65 - width)) as u8;
            let high = (detail % u64::from(width)) as u8;
            let low = ((detail >> 8) % u64::from(high + 1)) as u8;
            let mut operations = vec![
                Unary::Negate,
                Unary::Complement,
                Unary::SignExtend(wide),
                Unary::ZeroExtend(wide),
                Unary::Extract { high, low },
                Unary::Extract { high, low: 0 },
                Unary::ToSingle,
                Unary::ToDouble,
            ];
            operations.extend(matches!(width, 32 | 64).then_some(Unary::FromRawBits));
            operations
        }
        Sort::Single | Sort::Double => vec![
            Unary::FloatNegate,
            Unary::SquareRoot,
            Unary::IsNan,
            Unary::ToSingle,
            Unary::ToDouble,
            Unary::ToInteger(32),
            Unary::ToInteger(64),
            Unary::RawBits,
        ]
        .into_iter()
        .filter(|operation| {
            !matches!((operation, sort), (Unary::ToSingle, Sort::Single) | (Unary::ToDouble, Sort::Double))
        })
        .collect(),
    }
}

fn binary_operations(sort: Sort) -> Vec<Binary> {
    use Binary::*;
    match sort {
        Sort::Bool => vec![Conjunction, Equal],
        Sort::Bits(width) => {
            let mut operations = vec![
                Add,
                Subtract,
                Multiply,
                Divide,
                Remainder,
                And,
                Or,
                Xor,
                ShiftLeft,
                ShiftRight,
                ShiftRightUnsigned,
                Equal,
                SignedLess,
                SignedLessEqual,
                UnsignedLess,
                UnsignedLessEqual,
            ];
            operations.extend((width <= 32).then_some(Concat));
            operations
        }
        Sort::Single | Sort::Double => {
            vec![FloatAdd, FloatSubtract, FloatMultiply, FloatDivide, FloatLess, FloatLessEqual, FloatEqual, Equal]
        }
    }
}

fn build(sorts: &[Sort], seeds: &[u64], steps: &[Step]) -> Workshop {
    let mut workshop = Workshop::new(sorts, seeds);
    steps.iter().for_each(|step| {
        workshop.step(step);
    });
    workshop
}

fn cases(standard: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { cases: asked.map_or(standard, |asked: u32| asked.max(standard)), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn terms_of_ints_and_bytes_mean_what_was_asked(
        seeds in prop::collection::vec(edge_number(), 40), steps in steps(60),
    ) {
        build(&[Sort::Bool, Sort::Bits(8), Sort::Bits(32)], &seeds, &steps).check()?;
    }

    #[test]
    fn terms_of_tiny_numbers_mean_what_was_asked(
        seeds in prop::collection::vec(any::<u64>(), 40), steps in steps(60),
    ) {
        build(&[Sort::Bits(1), Sort::Bits(2), Sort::Bits(3)], &seeds, &steps).check()?;
    }

    #[test]
    fn terms_of_longs_and_floats_mean_what_was_asked(
        seeds in prop::collection::vec(edge_number(), 40), steps in steps(60),
    ) {
        build(&[Sort::Bits(64), Sort::Single, Sort::Double], &seeds, &steps).check()?;
    }

    /// Values are those of Rust's operators, which are Java's.
    #[test]
    fn ints_compute_like_java_s(a in edge_number(), b in edge_number()) {
        let (a, b) = (a as i32, b as i32);
        let mut terms = Terms::new();
        let (x, y) = (terms.int(a), terms.int(b));
        let distance = terms.int(b & 31);
        for (term, expected) in [
            (terms.add(x, y), a.wrapping_add(b)),
            (terms.sub(x, y), a.wrapping_sub(b)),
            (terms.mul(x, y), a.wrapping_mul(b)),
            (terms.neg(x), a.wrapping_neg()),
            (terms.shl(x, distance), a.wrapping_shl(b as u32)),
            (terms.ashr(x, distance), a.wrapping_shr(b as u32)),
            (terms.lshr(x, distance), (a as u32).wrapping_shr(b as u32) as i32),
        ] {
            prop_assert_eq!(term, terms.int(expected));
        }
        if b != 0 {
            prop_assert_eq!(terms.sdiv(x, y), terms.int(a.wrapping_div(b)));
            prop_assert_eq!(terms.srem(x, y), terms.int(a.wrapping_rem(b)));
        }
        prop_assert_eq!(terms.slt(x, y), terms.bool(a < b));
        prop_assert_eq!(terms.ule(x, y), terms.bool(a as u32 <= b as u32));
    }

    #[test]
    fn casts_are_java_s(bits in edge_number()) {
        let (single, double) = (f32::from_bits(bits as u32), f64::from_bits(bits));
        let mut terms = Terms::new();
        let (f, d, l, i) = (terms.single(single), terms.double(double), terms.long(bits as i64), terms.int(bits as i32));
        prop_assert_eq!(terms.to_int(f), terms.int(single as i32));
        prop_assert_eq!(terms.to_long(f), terms.long(single as i64));
        prop_assert_eq!(terms.to_int(d), terms.int(double as i32));
        prop_assert_eq!(terms.to_long(d), terms.long(double as i64));
        prop_assert_eq!(terms.to_single(d), terms.single(double as f32));
        prop_assert_eq!(terms.to_double(f), terms.double(f64::from(single)));
        prop_assert_eq!(terms.to_single(l), terms.single(bits as i64 as f32));
        prop_assert_eq!(terms.to_double(i), terms.double(f64::from(bits as i32)));
    }
}
