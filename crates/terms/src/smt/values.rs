//! Parsing of the values in a solver's answer.

use crate::{Constant, Sort};

/// The values in an answer to `get-value`, in the order of the query. `None` if the answer is
/// malformed.
pub fn parse_values(answer: &str, sorts: &[Sort]) -> Option<Vec<Constant>> {
    let Expression::List(pairs) = parse(answer)? else { return None };
    if pairs.len() != sorts.len() {
        return None;
    }
    let value = |(pair, sort): (&Expression, &Sort)| match pair {
        Expression::List(items) => value_of(items.get(1)?, *sort),
        Expression::Atom(_) => None,
    };
    pairs.iter().zip(sorts).map(value).collect()
}

enum Expression {
    Atom(String),
    List(Vec<Expression>),
}

impl Expression {
    fn atom(&self) -> Option<&str> {
        match self {
            Expression::Atom(text) => Some(text),
            Expression::List(_) => None,
        }
    }
}

fn parse(text: &str) -> Option<Expression> {
    let mut open: Vec<Vec<Expression>> = vec![Vec::new()];
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    for token in spaced.split_whitespace() {
        match token {
            "(" => open.push(Vec::new()),
            ")" => {
                let list = Expression::List(open.pop()?);
                open.last_mut()?.push(list);
            }
            atom => open.last_mut()?.push(Expression::Atom(atom.into())),
        }
    }
    let mut whole = open.pop().filter(|_| open.is_empty())?;
    whole.pop().filter(|_| whole.is_empty())
}

fn value_of(expression: &Expression, sort: Sort) -> Option<Constant> {
    match (sort, expression) {
        (Sort::Bool, Expression::Atom(text)) => Some(Constant::Bool(text == "true")),
        (Sort::Bits(width), _) => Some(Constant::bits(width, bits_of(expression)?)),
        (Sort::Single | Sort::Double, Expression::List(items)) => float_of(items, sort),
        _ => None,
    }
}

/// Parses `#x1f`, `#b101` or `(_ bv5 32)`.
fn bits_of(expression: &Expression) -> Option<u64> {
    match expression {
        Expression::Atom(text) => match text.strip_prefix("#x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => u64::from_str_radix(text.strip_prefix("#b")?, 2).ok(),
        },
        Expression::List(items) => items.get(1)?.atom()?.strip_prefix("bv")?.parse().ok(),
    }
}

/// Parses `(fp sign exponent significand)`, `(_ +oo 8 24)`, `(_ -zero 8 24)` or `(_ NaN 8 24)`.
fn float_of(items: &[Expression], sort: Sort) -> Option<Constant> {
    let (exponent_width, significand_width) = if sort == Sort::Single { (8, 23) } else { (11, 52) };
    let infinity = ((1u64 << exponent_width) - 1) << significand_width;
    let sign = 1u64 << (exponent_width + significand_width);
    let bits = match (items.first()?.atom()?, items.get(1)?.atom()) {
        ("fp", _) => {
            let [_, sign, exponent, significand] = items else { return None };
            let upper = bits_of(sign)? << exponent_width | bits_of(exponent)?;
            upper << significand_width | bits_of(significand)?
        }
        (_, Some("+zero")) => 0,
        (_, Some("-zero")) => sign,
        (_, Some("+oo")) => infinity,
        (_, Some("-oo")) => sign | infinity,
        (_, Some("NaN")) => infinity | 1,
        _ => return None,
    };
    Some(from_bits(bits, sort))
}

fn from_bits(bits: u64, sort: Sort) -> Constant {
    match sort {
        Sort::Single => Constant::Single(f32::from_bits(bits as u32)).canonical(),
        _ => Constant::Double(f64::from_bits(bits)).canonical(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_exactly() {
        let answer =
            "((s0 #x80000000)\n (s1 (fp #b1 #x80 #b00000000000000000000001))\n (s2 false) (s3 (_ bv5 7)) (s4 #b101))";
        let sorts = [Sort::Bits(32), Sort::Single, Sort::Bool, Sort::Bits(7), Sort::Bits(3)];
        let values = parse_values(answer, &sorts).unwrap();
        let expected = [
            Constant::bits(32, 0x8000_0000),
            Constant::Single(f32::from_bits(0xc000_0001)),
            Constant::Bool(false),
            Constant::bits(7, 5),
            Constant::bits(3, 5),
        ];
        assert_eq!(values, expected);
    }

    #[test]
    fn special_floats_are_read() {
        let answer = "((a (_ +zero 11 53)) (b (_ -zero 11 53)) (c (_ +oo 11 53)) (d (_ -oo 8 24)) (e (_ NaN 11 53)))";
        let sorts = [Sort::Double, Sort::Double, Sort::Double, Sort::Single, Sort::Double];
        let expected = [
            Constant::Double(0.0),
            Constant::Double(-0.0),
            Constant::Double(f64::INFINITY),
            Constant::Single(f32::NEG_INFINITY),
            Constant::Double(f64::NAN),
        ];
        assert_eq!(parse_values(answer, &sorts).unwrap(), expected);
    }

    #[test]
    fn nonsense_is_refused() {
        for answer in ["", "(", "((a #x1f)", "((a #xzz))", "((a))", "(error \"line 1\")", "((a #x1) (b #x1))", "))"] {
            assert_eq!(parse_values(answer, &[Sort::Bits(8)]), None, "{answer}");
        }
    }
}
