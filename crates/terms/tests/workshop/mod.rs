//! Random terms, built twice: by the rules, and by computing with the values of the operands under
//! random assignments. Shared by several tests, none of which uses everything.
#![allow(dead_code)]

use lapidary_terms::{Assignment, Binary, Constant, Sort, Term, Terms, Unary};
use proptest::prelude::*;

const SYMBOLS: usize = 3;
const ROUNDS: usize = 6;

/// A term and its expected value under each assignment.
#[derive(Clone)]
pub struct Twin {
    pub term: Term,
    pub values: [Constant; ROUNDS],
}

pub struct Workshop {
    pub terms: Terms,
    pub assignments: [Assignment; ROUNDS],
    pub made: Vec<Twin>,
    /// The requested operations, with the terms that were built.
    pub log: Vec<(Asked, Term)>,
}

#[derive(Clone, Copy, Debug)]
pub enum Asked {
    Unary(Unary, Term),
    Binary(Binary, Term, Term),
    Choice(Term, Term, Term),
}

/// One step of building: an operation, and the earlier terms it takes.
#[derive(Clone, Debug)]
pub struct Step {
    operation: u8,
    operands: [u8; 3],
    detail: u64,
}

pub fn steps(count: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = (any::<u8>(), any::<[u8; 3]>(), edge_number());
    let step = step.prop_map(|(operation, operands, detail)| Step { operation, operands, detail });
    prop::collection::vec(step, 1..count)
}

/// Numbers near the limits of all widths, which is where rules go wrong.
pub fn edge_number() -> impl Strategy<Value = u64> {
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
        Workshop { terms, assignments, made, log: Vec::new() }
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
        self.log.push((Asked::Unary(operation, a.term), term));
        self.made.push(Twin { term, values: a.values.map(|value| operation.apply(value)) });
    }

    fn binary(&mut self, operation: Binary, a: &Twin, b: &Twin) {
        let term = self.terms.binary(operation, a.term, b.term);
        self.log.push((Asked::Binary(operation, a.term, b.term), term));
        let mut values = a.values;
        values.iter_mut().zip(b.values).for_each(|(x, y)| *x = operation.apply(*x, y));
        self.made.push(Twin { term, values });
    }

    fn choice(&mut self, condition: &Twin, a: &Twin, b: &Twin) {
        let term = self.terms.ite(condition.term, a.term, b.term);
        self.log.push((Asked::Choice(condition.term, a.term, b.term), term));
        let mut values = a.values;
        for (index, value) in values.iter_mut().enumerate() {
            *value = if condition.values[index].is_true() { *value } else { b.values[index] };
        }
        self.made.push(Twin { term, values });
    }

    /// Executes a step if there are operands for it.
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

    /// Checks that every term has its expected values.
    pub fn check(&self) -> Result<(), TestCaseError> {
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

pub fn build(sorts: &[Sort], seeds: &[u64], steps: &[Step]) -> Workshop {
    let mut workshop = Workshop::new(sorts, seeds);
    steps.iter().for_each(|step| {
        workshop.step(step);
    });
    workshop
}

/// The number of cases: the requested one, but never fewer than the standard.
pub fn cases(standard: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { cases: asked.map_or(standard, |asked: u32| asked.max(standard)), ..ProptestConfig::default() }
}
