//! Square roots compared with constants. The square root is monotone, so the range of its argument
//! can be computed. Solvers that know roots only as a circuit seldom find it.

use crate::{Binary, Constant, Term, Terms, Unary};

impl Terms {
    /// Turns a comparison of a root with a constant into one of the root's argument, for roots of
    /// doubles.
    pub(super) fn compare_root(&mut self, operation: Binary, a: Term, b: Term) -> Option<Term> {
        if let (Some(x), Some(Constant::Double(limit))) = (self.as_unary(Unary::SquareRoot, a), self.constant(b)) {
            let root = match operation {
                Binary::FloatLess => Roots { least: 0.0, greatest: limit.next_down() },
                Binary::FloatLessEqual => Roots { least: 0.0, greatest: limit },
                _ => Roots { least: limit, greatest: limit },
            };
            return Some(self.has_root(x, root));
        }
        let (Some(Constant::Double(limit)), Some(x)) = (self.constant(a), self.as_unary(Unary::SquareRoot, b)) else {
            return None;
        };
        let root = match operation {
            Binary::FloatLess => Roots { least: limit.next_up(), greatest: f64::INFINITY },
            Binary::FloatLessEqual => Roots { least: limit, greatest: f64::INFINITY },
            _ => Roots { least: limit, greatest: limit },
        };
        // Nothing is greater than infinity, and `next_up` stays there.
        let is_none = operation == Binary::FloatLess && limit == f64::INFINITY;
        Some(if is_none { self.bool(false) } else { self.has_root(x, root) })
    }

    /// The condition that the root of `x` is in the range. The root of a negative number is NaN,
    /// which is in no range.
    fn has_root(&mut self, x: Term, roots: Roots) -> Term {
        if roots.greatest < 0.0 {
            return self.bool(false);
        }
        let (least, greatest) = (self.double(least_square(roots.least)), self.double(greatest_square(roots.greatest)));
        let (from, to) = (self.fle(least, x), self.fle(x, greatest));
        self.all(&[from, to])
    }
}

/// A range of roots, inclusive at both ends.
struct Roots {
    least: f64,
    greatest: f64,
}

/// The least number whose root is at least `root`.
fn least_square(root: f64) -> f64 {
    if root <= 0.0 {
        return 0.0;
    }
    let mut square = root * root;
    while square.sqrt() < root {
        square = square.next_up();
    }
    while square > 0.0 && square.next_down().sqrt() >= root {
        square = square.next_down();
    }
    square
}

/// The greatest number whose root is at most `root`.
fn greatest_square(root: f64) -> f64 {
    let mut square = root * root;
    while square.sqrt() > root {
        square = square.next_down();
    }
    while square < f64::INFINITY && square.next_up().sqrt() <= root {
        square = square.next_up();
    }
    square
}

#[cfg(test)]
mod tests {
    use crate::{Assignment, Binary, Constant, Sort, Terms, Unary};

    #[test]
    fn comparisons_of_roots_are_those_of_their_arguments() {
        let numbers = [0.0, -0.0, 5e-324, 0.5, 1.0, 2.0, 3.0, 144.0, 1e300, f64::MAX, f64::INFINITY, -1.0, f64::NAN];
        let near = |number: f64| [number, number.next_up(), number.next_down(), number.sqrt(), number * number];
        let numbers: Vec<f64> = numbers.into_iter().flat_map(near).collect();
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Double);
        let root = terms.fsqrt(x);
        for limit in &numbers {
            let constant = terms.double(*limit);
            for operation in [Binary::FloatLess, Binary::FloatLessEqual, Binary::FloatEqual] {
                let (below, above) = (terms.binary(operation, root, constant), terms.binary(operation, constant, root));
                assert!(
                    terms
                        .reachable(&[below, above])
                        .iter()
                        .all(|term| terms.as_unary(Unary::SquareRoot, *term).is_none())
                );
                for number in &numbers {
                    let assignment: Assignment = [(x, Constant::Double(*number))].into_iter().collect();
                    let (real, limit) = (Constant::Double(number.sqrt()), Constant::Double(*limit));
                    let expected = [operation.apply(real, limit), operation.apply(limit, real)];
                    let found = [below, above].map(|term| terms.evaluate(term, &assignment));
                    assert_eq!(found, expected, "{operation:?} of the root of {number:e} and {limit:?}");
                }
            }
        }
    }
}
