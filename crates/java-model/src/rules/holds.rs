//! Conditions of candidates, and the auxiliary variables that stand for them.

use lapidary_logic::{Cnf, Var};

/// A condition on candidates: true in all, in none, or only where a variable is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    Always,
    Never,
    If(Var),
}

impl Holds {
    /// The condition that a part is kept. A part that is not optional always is.
    pub fn if_any(var: Option<Var>) -> Holds {
        var.map_or(Holds::Always, Holds::If)
    }
}

/// The conjunction of two conditions.
pub(crate) type Both = (Holds, Holds);

/// The condition that at least one of the alternatives holds. If no single variable stands for it,
/// a fresh one does. It can be true only where an alternative holds, so requiring it requires one
/// of them.
pub(crate) fn any_of(cnf: &mut Cnf, alternatives: impl IntoIterator<Item = Both>) -> Holds {
    let mut possible: Vec<Both> = Vec::new();
    for alternative in alternatives {
        match alternative {
            (Holds::Never, _) | (_, Holds::Never) => {}
            (Holds::Always, Holds::Always) => return Holds::Always,
            (Holds::Always, only) => possible.push((only, Holds::Always)),
            both if possible.contains(&both) => {}
            both => possible.push(both),
        }
    }
    match possible.as_slice() {
        [] => Holds::Never,
        [only] => Holds::If(both(cnf, *only)),
        _ => {
            let literals: Vec<Var> = possible.into_iter().map(|alternative| both(cnf, alternative)).collect();
            let some = cnf.add_variable();
            cnf.add(&[some], &literals).expect("a clause with conclusions is implicative");
            Holds::If(some)
        }
    }
}

fn both(cnf: &mut Cnf, alternative: Both) -> Var {
    match alternative {
        (Holds::If(first), Holds::If(second)) if first != second => {
            let all = cnf.add_variable();
            cnf.imply(all, first);
            cnf.imply(all, second);
            all
        }
        (Holds::If(var), _) => var,
        _ => unreachable!("alternatives that always hold were sorted out"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary_logic::VarSet;

    #[test]
    fn a_disjunction_is_as_true_as_its_alternatives() {
        let mut cnf = Cnf::new(3);
        let [a, b, c] = [0, 1, 2].map(|index| Holds::If(Var::new(index)));
        assert_eq!(any_of(&mut cnf, [(a, Holds::Never)]), Holds::Never);
        assert_eq!(any_of(&mut cnf, [(a, b), (Holds::Always, Holds::Always)]), Holds::Always);
        assert_eq!(any_of(&mut cnf, [(Holds::Always, a), (Holds::Never, b)]), a);
        let Holds::If(either) = any_of(&mut cnf, [(a, b), (c, Holds::Always)]) else { panic!() };
        cnf.require(either);
        let solvable = |kept: &[usize]| {
            let aux: Vec<usize> = (3..cnf.variables()).collect();
            (0..1u32 << aux.len()).any(|choice| {
                let chosen = aux.iter().enumerate().filter(|(bit, _)| choice >> bit & 1 == 1).map(|(_, var)| *var);
                let set = VarSet::of(cnf.variables(), kept.iter().copied().chain(chosen).map(Var::new));
                cnf.is_satisfied_by(&set)
            })
        };
        assert!(solvable(&[0, 1]) && solvable(&[2]) && !solvable(&[0]) && !solvable(&[1]));
    }
}
