//! Mutants: programs with one small mistake. Whether it is visible has to be tested.

use super::Type;
use super::dice::Dice;
use super::equal::negated;
use super::inspect::{each_block, each_expression};
use super::syntax::{Expr, Program, Stmt};

/// A mutant, and a description of the change; `None` if nothing could be changed.
pub fn mutated(program: &Program, seed: u64) -> Option<(Program, &'static str)> {
    let mut dice = Dice::new(seed);
    (0..8).find_map(|_| {
        let mut mutant = program.clone();
        let what = if dice.one_in(4) { statement(&mut mutant, &mut dice) } else { expression(&mut mutant, &mut dice) };
        what.filter(|_| mutant != *program).map(|what| (mutant, what))
    })
}

fn statement(program: &mut Program, dice: &mut Dice) -> Option<&'static str> {
    let mut places = 0;
    each_block(&mut program.entry.body, &mut |block| places += block.len());
    let chosen = dice.below(places.max(1));
    let (mut seen, mut done) = (0, None);
    each_block(&mut program.entry.body, &mut |block| {
        let here = (seen..seen + block.len()).contains(&chosen).then(|| chosen - seen);
        seen += block.len();
        let Some(place) = here else { return };
        done = match &mut block[place] {
            Stmt::Print(_) | Stmt::Do(_) | Stmt::Assign(..) => {
                block.remove(place);
                Some("a statement is gone")
            }
            Stmt::If(_, yes, no) if !no.is_empty() => {
                std::mem::swap(yes, no);
                Some("branches are swapped")
            }
            Stmt::For(_, from, _, _) => {
                *from = Expr::Int(1);
                Some("a loop begins later")
            }
            Stmt::Throw(class, _) => {
                *class = "UnsupportedOperationException";
                Some("another exception")
            }
            _ => None,
        };
    });
    done
}

fn expression(program: &mut Program, dice: &mut Dice) -> Option<&'static str> {
    let mut places = 0;
    each_expression(&mut program.entry.body, &mut |_| places += 1);
    let chosen = dice.below(places.max(1));
    let (mut seen, mut done) = (0, None);
    each_expression(&mut program.entry.body, &mut |expr| {
        if seen == chosen {
            done = changed(expr, dice);
        }
        seen += 1;
    });
    done
}

fn changed(expr: &mut Expr, dice: &mut Dice) -> Option<&'static str> {
    match expr {
        Expr::Int(number) => {
            *number = number.wrapping_add(if dice.one_in(2) { 1 } else { -1 });
            Some("a constant")
        }
        Expr::Long(number) => {
            *number = number.wrapping_add(1);
            Some("a constant")
        }
        Expr::Bool(truth) => {
            *truth = !*truth;
            Some("a constant")
        }
        Expr::Text(text) => {
            text.push('x');
            Some("a constant")
        }
        Expr::Char(character) => {
            *character = if *character == 'a' { 'b' } else { 'a' };
            Some("a constant")
        }
        Expr::Constant(constant) => {
            *constant = (*constant + 1) % 3;
            Some("a constant")
        }
        Expr::Binary(operator, left, right) => {
            *operator = other_operator(operator, left.type_() == Type::Text, right.type_(), dice)?;
            Some("an operator")
        }
        Expr::Unary("!", operand) => {
            *expr = (**operand).clone();
            Some("a condition")
        }
        Expr::Field(_, name @ ("size" | "price"), _) => {
            *name = if *name == "size" { "price" } else { "size" };
            Some("a field")
        }
        Expr::Call(call) => {
            let other = other_method(&call.name)?;
            other.clone_into(&mut call.name);
            Some("a call")
        }
        _ if expr.type_() == Type::Bool => {
            *expr = Expr::not(expr.clone());
            Some("a condition")
        }
        _ => None,
    }
}

fn other_operator(operator: &str, is_text: bool, right: Type, dice: &mut Dice) -> Option<&'static str> {
    Some(match operator {
        "+" if !is_text && right != Type::Text => "-",
        "-" => "+",
        "*" => "+",
        "/" => "%",
        "%" => "/",
        "&" => "|",
        "|" => "^",
        "^" => "&",
        "<<" => ">>",
        ">>" => ">>>",
        ">>>" => "<<",
        "&&" => "||",
        "||" => "&&",
        "<" if dice.one_in(2) => "<=",
        "<=" if dice.one_in(2) => "<",
        ">" if dice.one_in(2) => ">=",
        ">=" if dice.one_in(2) => ">",
        "<" | "<=" | ">" | ">=" | "==" | "!=" => negated(operator),
        _ => return None,
    })
}

fn other_method(name: &str) -> Option<&'static str> {
    Some(match name {
        "max" => "min",
        "min" => "max",
        "getSize" => "getPrice",
        "getPrice" => "getSize",
        "x" => "y",
        "y" => "x",
        "sum" => "x",
        "equals" => "startsWith",
        "peek" => "poll",
        "poll" => "peek",
        "total" => "bump",
        "bump" => "total",
        _ => return None,
    })
}
