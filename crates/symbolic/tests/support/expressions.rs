//! Random Java methods over numbers and arrays: typed expressions, loops, switches, exceptions. The
//! same seed gives the same methods.

use lapidary_common::Random;

fn one_of<'a>(random: &mut Random, choices: &[&'a str]) -> &'a str {
    choices[random.below(choices.len())]
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    Int,
    Long,
    Float,
    Double,
    Boolean,
    Char,
}

const RESULTS: [Type; 5] = [Type::Int, Type::Long, Type::Float, Type::Double, Type::Boolean];

impl Type {
    pub fn name(self) -> &'static str {
        match self {
            Type::Int => "int",
            Type::Long => "long",
            Type::Float => "float",
            Type::Double => "double",
            Type::Boolean => "boolean",
            Type::Char => "char",
        }
    }
}

/// How hard the methods are for a solver. `Solvable` methods use only integers, which are
/// multiplied and divided by constants.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Difficulty {
    Anything,
    Solvable,
}

pub struct Writer {
    random: Random,
    difficulty: Difficulty,
    /// The number of loops around the current statement.
    loops: usize,
}

impl Writer {
    pub fn new(seed: u64, difficulty: Difficulty) -> Writer {
        Writer { random: Random::new(seed), difficulty, loops: 0 }
    }

    /// The types of the parameters `a`, `b` and so on.
    pub fn parameters(&self) -> &'static [Type] {
        match self.difficulty {
            Difficulty::Anything => &[Type::Int, Type::Long, Type::Boolean, Type::Char, Type::Float, Type::Double],
            Difficulty::Solvable => &[Type::Int, Type::Long, Type::Boolean, Type::Char],
        }
    }

    /// A static method of this name.
    pub fn method(&mut self, name: &str) -> (Type, String) {
        let kinds = if self.difficulty == Difficulty::Anything { RESULTS.len() } else { 2 };
        let result = RESULTS[self.random.below(kinds)];
        let parameters: Vec<String> =
            self.parameters().iter().zip('a'..).map(|(type_, letter)| format!("{} {letter}", type_.name())).collect();
        let mut body = "int x = a; long y = b; int[] g = {a, 5, -1, (int) b};".to_owned();
        if self.difficulty == Difficulty::Anything {
            body += " double z = f;";
        }
        let statements = match self.difficulty {
            Difficulty::Anything => 5,
            Difficulty::Solvable => 3,
        };
        for _ in 0..statements {
            body += &format!("\n        {}", self.statement(2));
        }
        let returned = self.expression(result, 3);
        let parameters = parameters.join(", ");
        let name = format!("static {} {name}({parameters})", result.name());
        (result, format!("    {name} {{\n        {body}\n        return {returned};\n    }}\n"))
    }

    /// A constant of a type, often a boundary value.
    pub fn constant(&mut self, type_: Type) -> String {
        const INTS: &[&str] =
            &["0", "1", "(-1)", "2", "7", "31", "33", "100", "65536", "Integer.MAX_VALUE", "Integer.MIN_VALUE"];
        const LONGS: &[&str] =
            &["0L", "1L", "(-1L)", "63L", "4294967296L", "Long.MAX_VALUE", "Long.MIN_VALUE", "12345678901L"];
        const FLOATS: &[&str] = &["0f", "(-0f)", "1.5f", "0.1f", "Float.NaN", "Float.MAX_VALUE", "1e-45f", "(-3e9f)"];
        const DOUBLES: &[&str] =
            &["0.0", "(-0.0)", "2.5", "0.1", "Double.NaN", "1e300", "4.9e-324", "(-1e19)", "(1 / 0.0)"];
        match type_ {
            Type::Int => one_of(&mut self.random, INTS),
            Type::Long => one_of(&mut self.random, LONGS),
            Type::Float => one_of(&mut self.random, FLOATS),
            Type::Double => one_of(&mut self.random, DOUBLES),
            Type::Boolean => one_of(&mut self.random, &["true", "false"]),
            Type::Char => one_of(&mut self.random, &["'a'", "'\\0'", "'\\uffff'", "'0'"]),
        }
        .to_owned()
    }

    fn variable(&mut self, type_: Type) -> String {
        let indices = &["i", "j"][..self.loops.min(2)];
        match type_ {
            Type::Int => one_of(&mut self.random, &[&["a", "x", "g.length"], indices].concat()),
            Type::Long => one_of(&mut self.random, &["b", "y"]),
            Type::Boolean => "c",
            Type::Char => "d",
            Type::Float => "e",
            Type::Double => one_of(&mut self.random, &["f", "z"]),
        }
        .to_owned()
    }

    fn number_type(&mut self) -> Type {
        let all = [Type::Int, Type::Long, Type::Char, Type::Float, Type::Double];
        all[self.random.below(if self.difficulty == Difficulty::Anything { 5 } else { 3 })]
    }

    /// An expression of a type, nested at most this deep.
    pub fn expression(&mut self, type_: Type, depth: usize) -> String {
        if depth == 0 || self.random.below(8) == 0 {
            return if self.random.below(3) == 0 { self.constant(type_) } else { self.variable(type_) };
        }
        match self.random.below(10) {
            0 => {
                let condition = self.expression(Type::Boolean, depth - 1);
                let (yes, no) = (self.expression(type_, depth - 1), self.expression(type_, depth - 1));
                format!("({condition} ? {yes} : {no})")
            }
            1 if type_ != Type::Boolean => self.cast(type_, depth),
            _ => match type_ {
                Type::Boolean => self.condition(depth),
                Type::Char => format!("(char) ({})", self.expression(Type::Int, depth - 1)),
                Type::Int | Type::Long => self.integer(type_, depth),
                Type::Float | Type::Double => {
                    let operator = one_of(&mut self.random, &["+", "-", "*", "/", "%"]);
                    let (left, right) = (self.expression(type_, depth - 1), self.expression(type_, depth - 1));
                    format!("({left} {operator} {right})")
                }
            },
        }
    }

    fn cast(&mut self, type_: Type, depth: usize) -> String {
        let from = self.number_type();
        let inner = self.expression(from, depth - 1);
        let narrow = one_of(&mut self.random, &["", "(byte) ", "(short) ", "(char) "]);
        format!("({}) {narrow}({inner})", type_.name())
    }

    fn integer(&mut self, type_: Type, depth: usize) -> String {
        let left = self.expression(type_, depth - 1);
        match self.random.below(12) {
            0 => format!("(-{left})"),
            1 => format!("(~{left})"),
            2 => format!("g[{} & 3]", self.expression(Type::Int, depth - 1)),
            3 => format!("g[{}]", self.expression(Type::Int, 1)),
            4 | 5 => {
                let operator = one_of(&mut self.random, &["*", "/", "%"]);
                let right = match self.difficulty {
                    Difficulty::Anything => self.expression(type_, depth - 1),
                    Difficulty::Solvable => self.constant(type_),
                };
                format!("({left} {operator} {right})")
            }
            6 => {
                let operator = one_of(&mut self.random, &["<<", ">>", ">>>"]);
                format!("({left} {operator} {})", self.expression(Type::Int, depth - 1))
            }
            _ => {
                let operator = one_of(&mut self.random, &["+", "-", "&", "|", "^"]);
                format!("({left} {operator} {})", self.expression(type_, depth - 1))
            }
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        if self.random.below(3) == 0 {
            let operator = one_of(&mut self.random, &["&&", "||", "^", "&", "|", "=="]);
            let (left, right) = (self.expression(Type::Boolean, depth - 1), self.expression(Type::Boolean, depth - 1));
            return format!("({left} {operator} !{right})");
        }
        let type_ = self.number_type();
        let operator = one_of(&mut self.random, &["<", "<=", ">", ">=", "==", "!="]);
        let (left, right) = (self.expression(type_, depth - 1), self.expression(type_, depth - 1));
        format!("({left} {operator} {right})")
    }

    fn statement(&mut self, depth: usize) -> String {
        match self.random.below(if depth == 0 { 4 } else { 9 }) {
            0 => format!("x = {};", self.expression(Type::Int, 2)),
            1 => {
                format!("y {} {};", one_of(&mut self.random, &["=", "+=", "^=", "-="]), self.expression(Type::Long, 2))
            }
            2 => format!("g[{} & 3] += {};", self.expression(Type::Int, 1), self.expression(Type::Int, 1)),
            3 if self.difficulty == Difficulty::Anything => {
                let target = one_of(&mut self.random, &["z", "x", "e", "d"]);
                format!("{target} += {};", self.expression(Type::Double, 2))
            }
            3 => format!("x {} {};", one_of(&mut self.random, &["+=", "-=", "|="]), self.expression(Type::Char, 1)),
            4 | 5 => {
                let condition = self.expression(Type::Boolean, 2);
                format!("if ({condition}) {{ {} }} else {{ {} }}", self.statement(depth - 1), self.statement(depth - 1))
            }
            6 if self.loops < 2 => self.loop_(depth),
            6 | 7 => {
                let subject = self.expression(Type::Int, 1);
                let (one, two) = (self.statement(depth - 1), self.statement(depth - 1));
                format!("switch ({subject} & 3) {{ case 0: {one} case 2: {two} break; default: x++; }}")
            }
            _ => {
                let (body, handler) = (self.statement(depth - 1), self.statement(0));
                let caught =
                    one_of(&mut self.random, &["ArithmeticException", "IndexOutOfBoundsException", "RuntimeException"]);
                format!("try {{ {body} }} catch ({caught} caught) {{ {handler} }} finally {{ y++; }}")
            }
        }
    }

    fn loop_(&mut self, depth: usize) -> String {
        let index = ["i", "j"][self.loops];
        self.loops += 1;
        let (body, condition) = (self.statement(depth - 1), self.expression(Type::Boolean, 1));
        self.loops -= 1;
        let rounds = 2 + self.random.below(3);
        format!("for (int {index} = 0; {index} < {rounds}; {index}++) {{ {body} if ({condition}) break; }}")
    }
}
