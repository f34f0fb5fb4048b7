//! Tests that terms mean the same to Z3 as to this crate, and that no layer of the chain changes an
//! answer.

use lapidary_terms::{
    Answer, Assignment, Backend, Binary, Chain, Config, Constant, Curfew, Solver, Sort, Term, Terms, Unary,
};
use std::time::Duration;

fn plain() -> Chain {
    Config::plain().build().unwrap()
}

fn satisfiable(answer: Answer) -> Assignment {
    match answer {
        Answer::Satisfiable(assignment) => assignment,
        other => panic!("{other:?}"),
    }
}

#[test]
fn values_are_found_for_every_sort() {
    let mut terms = Terms::new();
    let (i, l, b) =
        (terms.symbol("i", Sort::Bits(32)), terms.symbol("l", Sort::Bits(64)), terms.symbol("b", Sort::Bool));
    let (f, d) = (terms.symbol("f", Sort::Single), terms.symbol("d", Sort::Double));
    let (square, big) = (terms.mul(i, i), terms.int(1764));
    let long = terms.sign_extend(i, 64);
    let (one_and_half, seven) = (terms.single(1.5), terms.double(7.25));
    let (sum, wide) = (terms.fadd(f, one_and_half), terms.to_double(f));
    let (forty, limit) = (terms.int(40), terms.int(50));
    let (small, eight) = (terms.fmul(d, seven), terms.single(8.0));
    let constraints = [
        terms.equals(square, big),
        terms.slt(forty, i),
        terms.slt(i, limit),
        terms.slt(long, l),
        terms.not(b),
        terms.feq(sum, eight),
        terms.flt(wide, small),
    ];
    let found = satisfiable(plain().solve(&mut terms, &constraints));
    assert_eq!(found.get(i), Some(Constant::bits(32, 42)));
    assert!(constraints.iter().all(|constraint| terms.evaluate(*constraint, &found).is_true()));
}

/// Each operation on a few significant values: the claim that one of Z3's results differs from ours
/// is unsatisfiable.
#[test]
fn operations_mean_the_same_to_z3() {
    for operation in binary_operations() {
        let mut terms = Terms::new();
        let values = telling(operand_sort(operation));
        let mut claims = Claims::default();
        for (x, y) in values.iter().flat_map(|x| values.iter().map(move |y| (*x, *y))) {
            let (a, b) = (claims.symbol(&mut terms, x), claims.symbol(&mut terms, y));
            let term = terms.binary(operation, a, b);
            claims.add(&mut terms, term, operation.apply(x, y));
        }
        assert_eq!(claims.refute(&mut terms), Answer::Unsatisfiable, "{operation:?}");
    }
}

#[test]
fn conversions_mean_the_same_to_z3() {
    for (operation, sort) in unary_operations() {
        let mut terms = Terms::new();
        let mut claims = Claims::default();
        for x in telling(sort) {
            let a = claims.symbol(&mut terms, x);
            let term = terms.unary(operation, a);
            claims.add(&mut terms, term, operation.apply(x));
        }
        assert_eq!(claims.refute(&mut terms), Answer::Unsatisfiable, "{operation:?} of {sort}");
    }
}

/// The arguments of a conversion with a given result can be found, not only checked.
#[test]
fn arguments_of_conversions_are_found() {
    let casts = [Unary::ToInteger(32), Unary::ToInteger(64), Unary::RawBits];
    for (operation, sort) in casts.into_iter().flat_map(|cast| [(cast, Sort::Single), (cast, Sort::Double)]) {
        let mut terms = Terms::new();
        let x = terms.symbol("x", sort);
        let converted = terms.unary(operation, x);
        let wanted = terms.bits(terms.sort(converted).width(), 0x1234_5600);
        let constraint = terms.equals(converted, wanted);
        let found = satisfiable(plain().solve(&mut terms, &[constraint]));
        assert!(terms.evaluate(constraint, &found).is_true(), "{operation:?} of {sort}");
    }
}

/// Claims that terms over symbols with known values have certain values. The terms are built from
/// symbols, so that nothing is folded before Z3 sees it.
#[derive(Default)]
struct Claims {
    known: Vec<Term>,
    claimed: Vec<Term>,
}

impl Claims {
    fn symbol(&mut self, terms: &mut Terms, value: Constant) -> Term {
        let symbol = terms.symbol("a", value.sort());
        let value = terms.value(value);
        self.known.push(terms.equals(symbol, value));
        symbol
    }

    fn add(&mut self, terms: &mut Terms, term: Term, value: Constant) {
        let value = terms.value(value);
        self.claimed.push(terms.equals(term, value));
    }

    /// Asks Z3 for a wrong claim.
    fn refute(mut self, terms: &mut Terms) -> Answer {
        let all = terms.all(&self.claimed);
        self.known.push(terms.not(all));
        plain().solve(terms, &self.known)
    }
}

fn operand_sort(operation: Binary) -> Sort {
    use Binary::*;
    match operation {
        Conjunction => Sort::Bool,
        FloatAdd | FloatSubtract | FloatMultiply | FloatDivide | FloatLess | FloatLessEqual | FloatEqual => {
            Sort::Single
        }
        _ => Sort::Bits(8),
    }
}

fn telling(sort: Sort) -> Vec<Constant> {
    match sort {
        Sort::Bool => [true, false].map(Constant::Bool).to_vec(),
        Sort::Bits(width) => {
            let edge = 1u64 << (width - 1);
            [0, 1, 3, 7, edge - 1, edge, edge + 1, u64::MAX].map(|value| Constant::bits(width, value)).to_vec()
        }
        Sort::Single => {
            let mut values = vec![0.0, -0.0, 1.0, -1.5, 3e9, -1e20, 1e-45, f32::INFINITY, f32::NAN];
            values.extend([16777217.0, 2147483648.0, -2147483648.0, f32::MAX]);
            values.into_iter().map(Constant::Single).collect()
        }
        Sort::Double => {
            let mut values = vec![0.0, -0.0, 0.1, -1.5, 3e9, -1e20, 5e-324, f64::NEG_INFINITY, f64::NAN];
            values.extend([2147483647.5, -2147483648.9, 9.3e18, 1e300, 16777217.0]);
            values.into_iter().map(Constant::Double).collect()
        }
    }
}

fn binary_operations() -> Vec<Binary> {
    use Binary::*;
    vec![
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
        Concat,
        Equal,
        SignedLess,
        SignedLessEqual,
        UnsignedLess,
        UnsignedLessEqual,
        Conjunction,
        FloatAdd,
        FloatSubtract,
        FloatMultiply,
        FloatDivide,
        FloatLess,
        FloatLessEqual,
        FloatEqual,
    ]
}

fn unary_operations() -> Vec<(Unary, Sort)> {
    let mut operations = vec![
        (Unary::Not, Sort::Bool),
        (Unary::Negate, Sort::Bits(8)),
        (Unary::Complement, Sort::Bits(8)),
        (Unary::SignExtend(32), Sort::Bits(8)),
        (Unary::ZeroExtend(32), Sort::Bits(8)),
        (Unary::Extract { high: 6, low: 2 }, Sort::Bits(8)),
        (Unary::ToSingle, Sort::Double),
        (Unary::ToDouble, Sort::Single),
        (Unary::FromRawBits, Sort::Bits(32)),
        (Unary::FromRawBits, Sort::Bits(64)),
        (Unary::SquareRoot, Sort::Single),
    ];
    for sort in [Sort::Single, Sort::Double] {
        let both = [Unary::FloatNegate, Unary::IsNan, Unary::ToInteger(32), Unary::ToInteger(64), Unary::RawBits];
        operations.extend(both.map(|operation| (operation, sort)));
    }
    for sort in [Sort::Bits(32), Sort::Bits(64)] {
        operations.extend([Unary::ToSingle, Unary::ToDouble].map(|operation| (operation, sort)));
    }
    operations
}

#[test]
fn hard_questions_end_at_the_time_limit() {
    let mut terms = Terms::new();
    let config = Config { time_limit: Duration::from_millis(300), ..Config::default() };
    let mut chain = config.build().unwrap();
    let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(64)));
    let product = terms.mul(x, y);
    let semiprime = terms.long(4_611_685_975_477_714_963);
    let one = terms.long(1);
    let limit = terms.long(1 << 32);
    let mut constraints = vec![terms.equals(product, semiprime)];
    for symbol in [x, y] {
        constraints.extend([terms.slt(one, symbol), terms.slt(symbol, limit)]);
    }
    assert!(matches!(chain.solve(&mut terms, &constraints), Answer::Unknown(_)));
    let small = terms.slt(x, one);
    assert!(matches!(chain.solve(&mut terms, &[small]), Answer::Satisfiable(_)));
}

#[test]
fn functions_are_functions() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Double));
    let (f, g) = (terms.apply("sin", &[x], Sort::Double), terms.apply("sin", &[y], Sort::Double));
    let (less, same) = (terms.flt(f, g), terms.equals(x, y));
    let mut chain = Config { validation: true, ..Config::default() }.build().unwrap();
    assert_eq!(chain.solve(&mut terms, &[less, same]), Answer::Unsatisfiable);
    let found = satisfiable(chain.solve(&mut terms, &[less]));
    assert!(found.get(f).is_some() && found.get(g).is_some());
}

#[test]
fn remainders_of_floats_are_true_ones() {
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::Double);
    let (three, two, ten) = (terms.double(3.0), terms.double(2.0), terms.double(10.0));
    let remainder = terms.frem(x, three);
    let constraints = [terms.feq(remainder, two), terms.flt(x, ten), terms.flt(two, x)];
    match Config::default().build().unwrap().solve(&mut terms, &constraints) {
        Answer::Satisfiable(found) => {
            let Some(Constant::Double(value)) = found.get(x) else { panic!("no value") };
            assert_eq!(value % 3.0, 2.0);
        }
        Answer::Unknown(_) => {}
        Answer::Unsatisfiable => panic!("5 and 8 are such numbers"),
    }
}

/// A process receives the same text as the library; `pipe.py` is one that reads lines, as `z3 -in`
/// does.
#[test]
fn a_solver_in_a_process_answers_too() {
    let program = concat!("python3 ", env!("CARGO_MANIFEST_DIR"), "/tests/pipe.py libz3.so.4");
    let config = Config { backend: Backend::Command(program.into()), ..Config::default() };
    let mut chain = config.build().unwrap();
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(32)));
    let (sum, ten) = (terms.xor(x, y), terms.int(10));
    let (less, more) = (terms.slt(sum, ten), terms.ult(x, y));
    let (d, half) = (terms.symbol("d", Sort::Double), terms.double(0.5));
    let large = terms.flt(half, d);
    let constraints = [less, more, large];
    let found = satisfiable(chain.solve(&mut terms, &constraints));
    assert!(constraints.iter().all(|constraint| terms.evaluate(*constraint, &found).is_true()));
    let (product, reverse) = (terms.mul(x, y), terms.ult(y, x));
    let odd = terms.equals(product, ten);
    assert_eq!(chain.solve(&mut terms, &[odd, reverse, more]), Answer::Unsatisfiable);
}

#[test]
fn hard_questions_about_floats_end_at_the_time_limit() {
    let mut terms = Terms::new();
    let config = Config { time_limit: Duration::from_millis(300), ..Config::default() };
    let mut chain = config.build().unwrap();
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.symbol(name, Sort::Double));
    let (quotient, product) = (terms.fdiv(x, y), terms.fmul(y, z));
    let root = terms.fsqrt(product);
    let sum = terms.fmul(quotient, root);
    let target = terms.double(1.234567891234);
    let constraints = [terms.feq(sum, target), terms.flt(target, x), terms.flt(x, y)];
    // Without the limit there would be no answer for hours.
    assert_ne!(chain.solve(&mut terms, &constraints), Answer::Unsatisfiable);
}

#[test]
fn too_deep_a_term_is_unknown() {
    let mut terms = Terms::new();
    let config = Config { time_limit: Duration::from_secs(2), ..Config::plain() };
    let mut chain = config.build().unwrap();
    let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(8)));
    let three = terms.bits(8, 3);
    for (depth, known) in [(20, true), (50_000, false)] {
        let deep = (0..depth).fold(x, |deep, _| {
            let conjunction = terms.and(deep, y);
            terms.xor(conjunction, x)
        });
        let constraint = terms.equals(deep, three);
        let answer = chain.solve(&mut terms, &[constraint]);
        assert_eq!(matches!(answer, Answer::Satisfiable(_)), known, "{depth}: {answer:?}");
    }
}

/// A product of two large primes, whose factors cannot be found in the time of a test.
#[test]
fn a_question_can_be_ended_while_it_is_asked() {
    let curfew = Curfew::default();
    let time_limit = Duration::from_secs(600);
    let mut chain = Config { curfew: curfew.clone(), time_limit, ..Config::plain() }.build().unwrap();
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(64)));
    let (product, number) = (terms.mul(x, y), terms.long(2_147_483_647 * 2_147_483_629));
    let (one, large) = (terms.long(1), terms.long(1 << 32));
    let mut constraints = vec![terms.equals(product, number)];
    constraints.extend([x, y].into_iter().flat_map(|factor| [terms.slt(one, factor), terms.slt(factor, large)]));
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        curfew.impose();
    });
    assert!(matches!(chain.solve(&mut terms, &constraints), Answer::Unknown(_)));
    assert!(matches!(chain.solve(&mut terms, &constraints[1..2]), Answer::Unknown(_)));
}

#[test]
fn programs_and_libraries_that_are_no_solvers_are_refused() {
    let built = Config { backend: Backend::Command("no-such-program".into()), ..Config::default() }.build();
    assert!(built.err().unwrap().to_string().contains("cannot run the solver `no-such-program`"));
    for command in ["cat", "true", "echo sat"] {
        let built = Config { backend: Backend::Command(command.into()), ..Config::default() }.build();
        let error = built.err().expect(command).to_string();
        assert!(error.contains(command) && error.contains("does not speak SMT-LIB 2"), "{error}");
    }
    for (library, reason) in [("libc.so.6", "it is not Z3"), ("/no/such/libz3.so", "/no/such/libz3.so")] {
        let built = Config { backend: Backend::Library(library.into()), ..Config::default() }.build();
        assert!(built.err().expect(library).to_string().contains(reason));
    }
}
