//! Measures how long a progression takes on a formula of a million literals. The formula is a tree
//! of items whose clauses name random earlier items; two in a hundred have a second premise or a
//! second conclusion.
//!
//! Run with `cargo run --release -p lapidary-logic --example progression [LITERALS] [RUNS]`.

use lapidary_logic::{Cnf, Reasoner, Var, VarSet};
use std::time::Instant;

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let literals = numbers.first().copied().unwrap_or(1_000_000);
    let runs = numbers.get(1).copied().unwrap_or(9);
    let cnf = formula(literals);
    let started = Instant::now();
    let reasoner = Reasoner::new(&cnf);
    let prepared = started.elapsed();
    let whole = VarSet::full(cnf.variables());
    let mut times: Vec<f64> = (0..runs)
        .map(|_| {
            let started = Instant::now();
            let progression = reasoner.progression(&[], &whole);
            assert!(!progression.is_empty());
            started.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("literals,variables,clauses,prepare_ms,fastest_ms,median_ms,slowest_ms");
    println!(
        "{},{},{},{:.1},{:.1},{:.1},{:.1}",
        cnf.literal_count(),
        cnf.variables(),
        cnf.len(),
        prepared.as_secs_f64() * 1e3,
        times[0],
        times[times.len() / 2],
        times[times.len() - 1],
    );
}

/// A formula with four literals per variable, as in models of Java programs: two clauses, most with
/// two literals.
fn formula(literals: usize) -> Cnf {
    let variables = (literals / 4).max(2);
    let mut cnf = Cnf::new(variables);
    let mut random = Random(1);
    for index in 1..variables {
        let (this, parent) = (Var::new(index), Var::new((index - 1) / 8));
        cnf.imply(this, parent);
        let other = Var::new(random.below(index));
        let extra = Var::new(random.below(index));
        match random.below(100) {
            0 => cnf.add(&[this, extra], &[other]),
            1 => cnf.add(&[this], &[other, extra]),
            _ => cnf.add(&[this], &[other]),
        }
        .expect("every clause has a conclusion");
    }
    cnf
}

/// A linear congruential generator, so that the formula is the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % bound
    }
}
