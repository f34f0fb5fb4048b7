//! Measures the benefit of the layers of the chain: the queries of three small programs, asked with
//! each layer off.
//!
//! `cargo run --release -p lapidary-terms --example queries`

use lapidary_terms::{Answer, Chain, Config, Solver, SolverError, Sort, Term, Terms};
use std::hint::black_box;

fn main() -> Result<(), SolverError> {
    building();
    println!("{:22} {:22} {:>8} {:>10} {:>10}", "program", "layers", "queries", "to solver", "per CPU s");
    for (program, explore) in programs() {
        for (layers, config) in switches() {
            let mut chain = config.build()?;
            let mut terms = Terms::new();
            let start = processor_seconds();
            let queries = explore(&mut Explorer { terms: &mut terms, chain: &mut chain, queries: 0 });
            let rate = queries as f64 / (processor_seconds() - start);
            let solver = chain.statistics().layer("solver").map_or(0, |counts| counts.queries);
            println!("{program:22} {layers:22} {queries:>8} {solver:>10} {rate:>10.0}");
        }
    }
    Ok(())
}

/// The CPU time of this thread, which other programs do not affect. Z3 runs in this thread.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1e9
}

fn switches() -> [(&'static str, Config); 6] {
    let all = Config::default;
    [
        ("all", all()),
        ("without folding", Config { folding: false, ..all() }),
        ("without independence", Config { independence: false, ..all() }),
        ("without cache", Config { cache: false, ..all() }),
        ("cache only", Config { cache: true, ..Config::plain() }),
        ("none", Config::plain()),
    ]
}

type Program = fn(&mut Explorer<'_>) -> u64;

fn programs() -> [(&'static str, Program); 3] {
    [("parse digits", parse_digits), ("classify a triangle", classify_triangle), ("binary search", binary_search)]
}

struct Explorer<'a> {
    terms: &'a mut Terms,
    chain: &'a mut Chain,
    queries: u64,
}

impl Explorer<'_> {
    /// Follows both sides of a branch where they are possible.
    fn branch(
        &mut self,
        path: &mut Vec<Term>,
        condition: Term,
        go_on: &mut dyn FnMut(&mut Self, &mut Vec<Term>, bool),
    ) {
        for (side, holds) in [(condition, true), (self.terms.not(condition), false)] {
            if let Some(value) = self.terms.constant(side) {
                if value.is_true() {
                    go_on(self, path, holds);
                }
                continue;
            }
            path.push(side);
            self.queries += 1;
            if matches!(self.chain.solve(self.terms, path), Answer::Satisfiable(_)) {
                go_on(self, path, holds);
            }
            path.pop();
        }
    }
}

/// `for (char c : input) if (c < '0' || c > '9') return i; else number = number * 10 + (c - '0')`,
/// then `number == 1234`.
fn parse_digits(explorer: &mut Explorer<'_>) -> u64 {
    let number = explorer.terms.int(0);
    let input: Vec<Term> = (0..6).map(|_| explorer.terms.symbol("c", Sort::Bits(16))).collect();
    parse_from(explorer, &mut Vec::new(), &input, number);
    explorer.queries
}

fn parse_from(explorer: &mut Explorer<'_>, path: &mut Vec<Term>, input: &[Term], number: Term) {
    let terms = &mut *explorer.terms;
    let [symbol, rest @ ..] = input else {
        let expected = terms.int(1234);
        let equal = terms.equals(number, expected);
        return explorer.branch(path, equal, &mut |_, _, _| {});
    };
    let (low, high) = (terms.int('0' as i32), terms.int('9' as i32));
    let character = terms.zero_extend(*symbol, 32);
    let (large, small) = (terms.sle(low, character), terms.sle(character, high));
    let (ten, digit) = (terms.int(10), terms.sub(character, low));
    let product = terms.mul(number, ten);
    let next = terms.add(product, digit);
    explorer.branch(path, large, &mut |explorer, path, holds| {
        if holds {
            explorer.branch(path, small, &mut |explorer, path, holds| {
                if holds {
                    parse_from(explorer, path, rest, next);
                }
            });
        }
    });
}

/// The conditions of the well-known exercise, for three triangles one after the other.
fn classify_triangle(explorer: &mut Explorer<'_>) -> u64 {
    let sides: Vec<Term> = (0..9).map(|_| explorer.terms.symbol("side", Sort::Bits(32))).collect();
    triangle(explorer, &mut Vec::new(), &sides);
    explorer.queries
}

fn triangle(explorer: &mut Explorer<'_>, path: &mut Vec<Term>, sides: &[Term]) {
    let [a, b, c, rest @ ..] = sides else { return };
    let (a, b, c) = (*a, *b, *c);
    let terms = &mut *explorer.terms;
    let zero = terms.int(0);
    let mut conditions = [a, b, c].map(|side| terms.slt(zero, side)).to_vec();
    let sum = terms.add(a, b);
    conditions.push(terms.slt(c, sum));
    conditions.extend([terms.equals(a, b), terms.equals(b, c)]);
    decide(explorer, path, &conditions, rest);
}

fn decide(explorer: &mut Explorer<'_>, path: &mut Vec<Term>, conditions: &[Term], sides: &[Term]) {
    let [first, rest @ ..] = conditions else { return triangle(explorer, path, sides) };
    explorer.branch(path, *first, &mut |explorer, path, holds| {
        // Only positive sides are examined further.
        if holds || rest.len() < 3 {
            decide(explorer, path, rest, sides);
        }
    });
}

/// A search in an ordered array of symbols: each comparison depends on all before it.
fn binary_search(explorer: &mut Explorer<'_>) -> u64 {
    let terms = &mut *explorer.terms;
    let array: Vec<Term> = (0..16).map(|_| terms.symbol("element", Sort::Bits(32))).collect();
    let key = terms.symbol("key", Sort::Bits(32));
    let mut path: Vec<Term> = array.windows(2).map(|pair| terms.sle(pair[0], pair[1])).collect();
    search(explorer, &mut path, &array, key);
    explorer.queries
}

fn search(explorer: &mut Explorer<'_>, path: &mut Vec<Term>, array: &[Term], key: Term) {
    let Some(middle) = array.get(array.len() / 2).copied() else { return };
    let (less, equal) = (explorer.terms.slt(key, middle), explorer.terms.equals(key, middle));
    let (lower, upper) = (&array[..array.len() / 2], &array[array.len() / 2 + 1..]);
    explorer.branch(path, less, &mut |explorer, path, holds| match holds {
        true => search(explorer, path, lower, key),
        false => explorer.branch(path, equal, &mut |explorer, path, holds| {
            if !holds {
                search(explorer, path, upper, key);
            }
        }),
    });
}

/// Building calls per second, for constants and for terms with a symbol.
fn building() {
    const CALLS: i32 = 2_000_000;
    let mut terms = Terms::new();
    let start = processor_seconds();
    let mut sum = terms.int(0);
    for number in 0..CALLS / 2 {
        let number = terms.int(number & 0xffff);
        sum = terms.xor(sum, number);
    }
    black_box(sum);
    let constants = f64::from(CALLS) / (processor_seconds() - start);
    let start = processor_seconds();
    let mut sum = terms.symbol("x", Sort::Bits(32));
    for number in 0..CALLS / 2 {
        let number = terms.int(number);
        sum = terms.add(sum, number);
    }
    black_box(sum);
    let symbolic = f64::from(CALLS) / (processor_seconds() - start);
    println!(
        "building: {:.1} million calls a second on constants, {:.1} with a symbol\n",
        constants / 1e6,
        symbolic / 1e6
    );
}
