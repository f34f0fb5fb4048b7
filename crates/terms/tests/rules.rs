//! Tests of the law of the rules: every built term evaluates like the requested operation, and Z3
//! finds no values for which it does not.

use crate::workshop;

use lapidary_terms::{Answer, Config, Solver, Sort, Term, Terms};
use proptest::prelude::*;
use workshop::{Asked, Workshop, build, cases, edge_number, steps};

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn terms_of_ints_and_bytes_have_the_requested_value(
        seeds in prop::collection::vec(edge_number(), 40), steps in steps(60),
    ) {
        build(&[Sort::Bool, Sort::Bits(8), Sort::Bits(32)], &seeds, &steps).check()?;
    }

    #[test]
    fn terms_of_tiny_numbers_have_the_requested_value(
        seeds in prop::collection::vec(any::<u64>(), 40), steps in steps(60),
    ) {
        build(&[Sort::Bits(1), Sort::Bits(2), Sort::Bits(3)], &seeds, &steps).check()?;
    }

    #[test]
    fn terms_of_longs_and_floats_have_the_requested_value(
        seeds in prop::collection::vec(edge_number(), 40), steps in steps(60),
    ) {
        build(&[Sort::Bits(64), Sort::Single, Sort::Double], &seeds, &steps).check()?;
    }

    /// The expected values are those of Rust's operators, which agree with Java's.
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

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn z3_finds_no_value_for_which_a_rule_is_wrong(seeds in prop::collection::vec(any::<u64>(), 40), steps in steps(30)) {
        let mut workshop = build(&[Sort::Bool, Sort::Bits(3), Sort::Bits(5)], &seeds, &steps);
        let claims = claims(&mut workshop);
        let mut solver = Config::plain().build().unwrap();
        let answer = solver.solve(&mut workshop.terms, &claims);
        prop_assert!(!matches!(answer, Answer::Satisfiable(_)), "{:?}", answer);
    }
}

/// The claims that some step's result differs from the operation on fresh symbols, which stand for
/// the operands and which no rule can look into.
fn claims(workshop: &mut Workshop) -> Vec<Term> {
    let (mut definitions, mut right) = (Vec::new(), Vec::new());
    let is_of_bits = |terms: &Terms, term: Term| !terms.sort(term).is_float();
    for (asked, built) in workshop.log.clone() {
        let terms = &mut workshop.terms;
        let mut hide = |terms: &mut Terms, term: Term| {
            let symbol = terms.symbol("hidden", terms.sort(term));
            definitions.push(terms.equals(symbol, term));
            symbol
        };
        let plain = match asked {
            Asked::Unary(operation, a) if is_of_bits(terms, built) && is_of_bits(terms, a) => {
                let a = hide(terms, a);
                terms.unary(operation, a)
            }
            Asked::Binary(operation, a, b) if is_of_bits(terms, a) => {
                let (a, b) = (hide(terms, a), hide(terms, b));
                terms.binary(operation, a, b)
            }
            Asked::Choice(condition, a, b) if is_of_bits(terms, a) => {
                let (condition, a, b) = (hide(terms, condition), hide(terms, a), hide(terms, b));
                terms.ite(condition, a, b)
            }
            _ => continue,
        };
        right.push(terms.equals(plain, built));
    }
    let all = workshop.terms.all(&right);
    definitions.push(workshop.terms.not(all));
    definitions
}
