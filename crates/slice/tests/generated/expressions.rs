//! Expressions of a random program. Indices are taken modulo the length of the array.

use super::writer::{LENGTH, Writer};

impl Writer {
    pub(super) fn number(&mut self) -> String {
        self.random.pick(&self.scope.numbers).clone()
    }

    pub(super) fn readable(&mut self) -> String {
        match self.scope.counters.is_empty() || self.random.percent(75) {
            true => self.number(),
            false => self.random.pick(&self.scope.counters).clone(),
        }
    }

    pub(super) fn index(&mut self) -> String {
        match self.random.percent(40) {
            true => self.random.below(LENGTH).to_string(),
            false => format!("(unsigned){} % {LENGTH}u", self.readable()),
        }
    }

    pub(super) fn element(&mut self) -> String {
        let array = self.random.pick(&self.scope.arrays).clone();
        format!("{array}[{}]", self.index())
    }

    pub(super) fn field(&mut self) -> String {
        let field = if self.random.percent(50) { "a" } else { "b" };
        if !self.scope.struct_pointers.is_empty() && self.random.percent(40) {
            let pointer = self.random.pick(&self.scope.struct_pointers).clone();
            let next = if self.random.percent(30) { "->next" } else { "" };
            return format!("{pointer}{next}->{field}");
        }
        format!("{}.{field}", self.random.pick(&self.scope.structs))
    }

    pub(super) fn target(&mut self) -> String {
        match self.random.below(4) {
            0 => self.element(),
            1 => self.field(),
            _ => self.number(),
        }
    }

    /// Returns an expression of plain variables and numbers, which cannot fail for any values.
    pub(super) fn number_expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.percent(30) {
            return if self.random.percent(30) { self.random.below(10).to_string() } else { self.readable() };
        }
        let (left, right) = (self.number_expression(depth - 1), self.number_expression(depth - 1));
        match self.random.below(9) {
            0..=2 => format!("({left} + {right})"),
            3 => format!("({left} - {right})"),
            4 => format!("({left} * {})", 2 + self.random.below(3)),
            5 => format!("({left} ^ {right})"),
            6 => format!("({left} % {})", 2 + self.random.below(5)),
            7 => format!("({left} > {right} ? {left} : {right})"),
            _ => format!("({left} && {right})"),
        }
    }

    /// Returns an expression that may also read memory.
    pub(super) fn expression(&mut self) -> String {
        let plain = self.number_expression(2);
        let memory = match self.random.below(8) {
            0 => self.element(),
            1 => self.field(),
            2 if !self.scope.pointers.is_empty() => format!("*{}", self.random.pick(&self.scope.pointers)),
            _ => return plain,
        };
        if self.random.percent(50) { memory } else { format!("({memory} + {plain})") }
    }

    pub(super) fn comparison(&mut self) -> String {
        let operator = *self.random.pick(&["<", ">", "==", "!=", "<="]);
        let (left, right) = (self.expression(), self.random.below(8));
        let first = format!("{left} % 7 {operator} {right}");
        if self.random.percent(20) { format!("{first} || {} > {}", self.readable(), right) } else { first }
    }
}
