//! Sequences of statements, and the statements that contain no others.

use super::writer::{Scope, Writer};

impl Writer {
    pub(super) fn statements(&mut self, count: usize) {
        let outside = self.scope.clone();
        let goes_out = self.scope.depth == 0 && self.random.percent(20);
        let label = goes_out.then(|| self.name("out"));
        for number in 0..count {
            if let Some(label) = label.as_ref().filter(|_| number == count / 2) {
                self.guarded(&format!("goto {label};"));
            }
            self.statement();
        }
        if let Some(label) = label {
            self.line(&format!("{label}: ;"));
        }
        self.scope = outside;
    }

    /// Adds the body of a block, with a scope of its own.
    pub(super) fn body(&mut self, change: impl FnOnce(&mut Scope)) {
        let outside = self.scope.clone();
        self.scope.depth += 1;
        change(&mut self.scope);
        let count = 1 + self.random.below(3);
        self.statements(count);
        self.scope = outside;
    }

    fn statement(&mut self) {
        let is_deep = self.scope.depth >= 3;
        match self.random.below(if is_deep { 29 } else { 41 }) {
            0..=3 => self.assignment(),
            4 | 5 => self.compound_assignment(),
            6 | 7 => self.array_store(),
            8 | 9 => self.field_store(),
            10 | 11 => self.pointer_store(),
            12 => self.pointer_move(),
            13 => self.struct_copy(),
            14 => self.declaration(),
            15 | 16 => self.call(),
            17 => self.print(),
            18 | 19 => self.jump(),
            20 => self.library_call(),
            21 => self.walk(),
            22 => self.row(),
            23 => self.through_text(),
            24 => self.pointer_to_pointer(),
            25 => self.structs(),
            26..=28 => self.indirect_store(),
            29..=32 => self.condition(),
            33..=35 => self.for_loop(),
            36 | 37 => self.while_loop(),
            38 => self.do_loop(),
            _ => self.switch(),
        }
    }

    pub(super) fn assignment(&mut self) {
        let (target, value) = (self.number(), self.expression());
        self.watched(&target, &format!("{target} = {value}; @;"));
    }

    fn compound_assignment(&mut self) {
        let target = self.number();
        if self.random.percent(30) {
            return self.watched(&target, &format!("{target}++; @;"));
        }
        let (operator, value) = (*self.random.pick(&["+=", "-=", "^="]), self.expression());
        self.watched(&target, &format!("{target} {operator} {value}; @;"));
    }

    /// Stores to an array element. The stored value is watched, and no other operand can fail.
    fn array_store(&mut self) {
        let (element, value) = (self.element(), self.readable());
        self.watched(&value, &format!("@; {element} = {value};"));
    }

    fn field_store(&mut self) {
        let (field, value) = (self.field(), self.expression());
        self.line(&format!("{field} = {value};"));
    }

    fn pointer_store(&mut self) {
        let Some(pointer) = self.scope.pointers.last().cloned() else { return self.assignment() };
        let other = self.random.pick(&self.scope.pointers).clone();
        let (pointer, value) = (if self.random.percent(50) { pointer } else { other }, self.expression());
        let operator = if self.random.percent(70) { "=" } else { "+=" };
        self.line(&format!("*{pointer} {operator} {value};"));
    }

    fn pointer_move(&mut self) {
        let Some(pointer) = self.scope.pointers.last().cloned() else { return self.assignment() };
        // The address of a variable that goes out of scope before the pointer would dangle.
        let globals = ["g0", "g1", "g2"];
        let target = match self.random.below(3) {
            0 => format!("&{}", self.random.pick(&globals)),
            1 => format!("&table[{}]", self.index()),
            _ => self.random.pick(&self.scope.pointers).clone(),
        };
        self.line(&format!("{pointer} = {target};"));
    }

    fn struct_copy(&mut self) {
        let (to, from) = (self.random.pick(&self.scope.structs).clone(), self.random.pick(&self.scope.structs).clone());
        if to == "spare" || to == from {
            return self.field_store();
        }
        self.line(&format!("{to} = {from};"));
    }

    fn declaration(&mut self) {
        let (name, value) = (self.name("w"), self.expression());
        if self.random.percent(30) {
            let (other, second) = (self.name("w"), self.number_expression(1));
            self.watched(&name, &format!("int {name} = {value}, {other} = {second}; @;"));
            self.scope.numbers.push(other);
        } else {
            self.watched(&name, &format!("int {name} = {value}; @;"));
        }
        self.scope.numbers.push(name);
    }

    fn call(&mut self) {
        if self.scope.functions.is_empty() {
            return self.assignment();
        }
        let function = self.random.pick(&self.scope.functions).clone();
        let (argument, place) = (self.number_expression(1), self.target());
        let result = self.number();
        match self.random.below(4) {
            0 => self.line(&format!("{function}({argument}, &{place});")),
            1 => {
                let (other, chosen) = (self.random.pick(&self.scope.functions).clone(), self.name("op"));
                let decides = self.readable();
                let choice = format!("({decides} % 2 ? {function} : {other})");
                self.line(&format!("int (*{chosen})(int, int *) = {choice};"));
                self.watched(&result, &format!("{result} = {chosen}({argument}, &{place}); @;"));
            }
            _ => self.watched(&result, &format!("{result} = {function}({argument}, &{place}); @;")),
        }
    }

    pub(super) fn print(&mut self) {
        let (asked, other) = (self.readable(), self.readable());
        self.watched(&asked, &format!("@; printf(\"%d %d\\n\", {asked}, {other});"));
    }

    fn library_call(&mut self) {
        let is_main = self.scope.arrays.iter().any(|array| array == "list");
        match self.random.below(3) {
            0 if is_main => self.line("memcpy(list, table, sizeof list);"),
            1 => {
                let value = self.random.below(3);
                self.line(&format!("memset(table, {value}, sizeof table);"));
            }
            _ => {
                let (target, value) = (self.number(), self.number_expression(1));
                self.watched(&target, &format!("{target} = abs({value}); @;"));
            }
        }
    }

    fn walk(&mut self) {
        match self.scope.struct_pointers.last().cloned() {
            Some(pointer) => self.line(&format!("{pointer} = {pointer}->next;")),
            None => self.assignment(),
        }
    }

    fn row(&mut self) {
        let (index, value) = (self.readable(), self.expression());
        let target = self.number();
        match self.random.below(3) {
            0 => self.line(&format!("rows[(unsigned){index} % 3u].b = {value};")),
            1 => self.line(&format!("rows[(unsigned){index} % 3u].a += {value};")),
            _ => self.watched(&target, &format!("{target} = rows[(unsigned){index} % 3u].a; @;")),
        }
    }

    /// Passes a number through memory that only the library reads.
    fn through_text(&mut self) {
        let (from, to) = (self.readable(), self.number());
        match self.random.below(3) {
            0 => self.line(&format!("sprintf(text, \"%d\", {from});")),
            1 => self.watched(&to, &format!("{to} = atoi(text); @;")),
            _ => self.line(&format!("sscanf(text, \"%d\", &{to});")),
        }
    }

    fn pointer_to_pointer(&mut self) {
        let Some(pointer) = self.scope.pointers.last().cloned() else { return self.assignment() };
        let (name, value) = (self.name("pp"), self.expression());
        self.line(&format!("int **{name} = &{pointer};"));
        match self.random.percent(50) {
            true => self.line(&format!("**{name} = {value};")),
            false => self.line(&format!("*{name} = &g1;")),
        }
    }

    /// Writes a variable without naming it: as bytes, through `void *`, a macro, a union, a list of
    /// arguments or the library.
    fn indirect_store(&mut self) {
        let (object, value) = (self.random.pick(&self.scope.structs).clone(), self.readable());
        let (place, target) = (self.target(), self.number());
        match self.random.below(9) {
            0 => self.line(&format!("((int *)&{object})[1] = {value};")),
            1 => self.line(&format!("fill(&{object}, {value});")),
            2 => self.line(&format!("put(&{place}, {value});")),
            3 => self.line(&format!("put_all(2, {value}, &{place}, &{target});")),
            4 => self.line(&format!("SET({target}, {value});")),
            5 => self.line(&format!("bits.number = {value};")),
            6 => self.watched(&target, &format!("{target} = bits.bytes[1]; @;")),
            7 => self.watched(&target, &format!("{target} = errno; @;")),
            _ => self.line("qsort(table, 3, sizeof *table, by_size);"),
        }
        if self.random.percent(15) {
            self.line("strtol(g0 % 2 ? \"99999999999999999999\" : \"1\", 0, 10);");
        }
    }

    /// Passes or creates a struct.
    fn structs(&mut self) {
        let Some(pointer) = self.scope.struct_pointers.last().cloned().filter(|_| !self.scope.returns) else {
            return self.field_store();
        };
        let (target, value) = (self.number(), self.expression());
        let from = self.random.pick(&self.scope.structs).clone();
        if self.random.percent(60) {
            return self.watched(&target, &format!("{target} = pairs({from}, {pointer}); @;"));
        }
        let made = self.name("made");
        self.line(&format!("struct pair *{made} = malloc(sizeof *{made});"));
        self.line(&format!("{made}->a = {value};"));
        self.line(&format!("{made}->b = {target};"));
        self.line(&format!("{made}->next = {pointer};"));
        self.line(&format!("{pointer} = {made};"));
    }
}
