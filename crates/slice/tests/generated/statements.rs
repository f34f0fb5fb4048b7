//! The statements of a random program.
//!
//! Loops have a counter of their own that nothing else writes, and functions call only functions before them, so that
//! every run ends. Indices are taken modulo the length, pointers always point to something.

use super::random::Random;
use super::{Line, Watch};

pub(super) fn program(random: Random) -> Vec<Line> {
    let mut writer = Writer { random, lines: Vec::new(), scope: Scope::default(), names: 0, indent: 0 };
    writer.globals();
    let functions = 1 + writer.random.below(3);
    for number in 0..functions {
        writer.function(number);
    }
    writer.function_of_structs();
    writer.main();
    writer.lines
}

/// How many elements each array has.
const LENGTH: usize = 6;

/// What a statement may use at some place.
#[derive(Clone, Default)]
struct Scope {
    /// Variables that may be written, and those that may only be read.
    numbers: Vec<String>,
    counters: Vec<String>,
    pointers: Vec<String>,
    arrays: Vec<String>,
    structs: Vec<String>,
    struct_pointers: Vec<String>,
    functions: Vec<String>,
    /// How deep the statement stands, and whether `break` and `continue` would end the right thing.
    depth: usize,
    may_break: bool,
    may_continue: bool,
    /// What a `return` hands over; nothing in `main`.
    returns: bool,
}

struct Writer {
    random: Random,
    lines: Vec<Line>,
    scope: Scope,
    names: usize,
    indent: usize,
}

impl Writer {
    fn line(&mut self, text: &str) {
        let text = format!("{:indent$}{text}", "", indent = 4 * self.indent);
        self.lines.push(Line { text, watch: None });
    }

    /// A line that writes down a variable: `watched` has `@` where that happens.
    fn watched(&mut self, variable: &str, watched: &str) {
        let indent = 4 * self.indent;
        let text = format!("{:indent$}{}", "", watched.replace("@, ", "").replace("@; ", "").replace(" @;", ""));
        let call = format!("WATCH(LINE, {variable})");
        let watch = Watch { variable: variable.to_owned(), text: watched.replace('@', &call) };
        self.lines.push(Line { text, watch: Some(watch) });
    }

    fn open(&mut self, text: &str) {
        self.line(text);
        self.indent += 1;
    }

    fn close(&mut self, text: &str) {
        self.indent -= 1;
        self.line(text);
    }

    fn name(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}{}", self.names)
    }

    fn globals(&mut self) {
        self.line("#include <stdio.h>");
        self.line("#include <stdlib.h>");
        self.line("#include <string.h>");
        self.line("struct pair { int a; int b; struct pair *next; };");
        for number in 0..3 {
            let name = format!("g{number}");
            let value = if self.random.percent(50) { format!(" = {}", self.random.below(9)) } else { String::new() };
            self.line(&format!("int {name}{value};"));
            self.scope.numbers.push(name);
        }
        self.line(&format!("int table[{LENGTH}] = {{ 3, 1, 4 }};"));
        self.scope.arrays.push("table".to_owned());
        self.line("struct pair spare = { 5, 9, &spare };");
        self.line("struct pair rows[3] = { { 1, 2, &spare }, { 3, 4, &spare }, { 5, 6, &spare } };");
        self.line("char text[40] = \"0\";");
        self.scope.structs.push("spare".to_owned());
    }

    /// A function that takes a struct by value and another one by its address.
    fn function_of_structs(&mut self) {
        let outside = self.scope.clone();
        self.open("int pairs(struct pair here, struct pair *there) {");
        self.scope.structs.push("here".to_owned());
        self.scope.struct_pointers.push("there".to_owned());
        self.scope.returns = true;
        let count = 1 + self.random.below(3);
        self.statements(count);
        self.line("return here.a + there->b;");
        self.close("}");
        self.scope = outside;
    }

    fn function(&mut self, number: usize) {
        let outside = self.scope.clone();
        let name = format!("f{number}");
        self.open(&format!("int {name}(int n, int *out) {{"));
        self.scope.numbers.push("n".to_owned());
        self.scope.pointers.push("out".to_owned());
        self.scope.returns = true;
        if self.random.percent(30) {
            let kept = self.name("kept");
            let first = self.random.below(5);
            self.line(&format!("static int {kept} = {first};"));
            self.scope.numbers.push(kept);
        }
        if self.random.percent(25) {
            self.recursion(&name);
        }
        let count = 2 + self.random.below(4);
        self.statements(count);
        self.give_back();
        self.close("}");
        self.scope = outside;
        self.scope.functions.push(name);
    }

    /// The function calls itself with a number that falls from at most 3.
    fn recursion(&mut self, name: &str) {
        let (left, found) = (self.name("left"), self.name("v"));
        self.line(&format!("int {left} = (int)((unsigned)n % 4u);"));
        self.open(&format!("if ({left} > 0) {{"));
        self.line(&format!("int {found} = {name}({left} - 1, out);"));
        let target = self.number();
        self.watched(&target, &format!("{target} += {found}; @;"));
        self.close("}");
    }

    fn main(&mut self) {
        self.open("int main(int argc, char **argv) {");
        for number in 0..4 {
            let name = format!("v{number}");
            match self.random.below(4) {
                0 => self.watched(&name, &format!("int {name} = atoi(argv[{}]); @;", 1 + number % 2)),
                1 => {
                    self.line(&format!("int {name};"));
                    let value = self.number_expression(1);
                    self.watched(&name, &format!("{name} = {value}; @;"));
                }
                _ => {
                    let value = self.number_expression(1);
                    self.watched(&name, &format!("int {name} = {value}; @;"));
                }
            }
            self.scope.numbers.push(name);
        }
        self.line(&format!("int list[{LENGTH}] = {{ 2, 7, 1, 8 }};"));
        self.scope.arrays.push("list".to_owned());
        self.line("struct pair one = { 1, 2, &spare };");
        self.line("struct pair two = { 3, 4, &one };");
        self.scope.structs.extend(["one".to_owned(), "two".to_owned()]);
        self.line("struct pair *at = &two;");
        self.scope.struct_pointers.push("at".to_owned());
        self.line("int *p = &v0;");
        self.line("int *q = list + 2;");
        self.scope.pointers.extend(["p".to_owned(), "q".to_owned()]);
        let count = 6 + self.random.below(8);
        self.statements(count);
        if self.random.percent(30) {
            self.backward();
        }
        for _ in 0..2 {
            self.print();
        }
        self.line("return 0;");
        self.close("}");
    }

    fn statements(&mut self, count: usize) {
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

    fn statement(&mut self) {
        let is_deep = self.scope.depth >= 3;
        match self.random.below(if is_deep { 26 } else { 38 }) {
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
            26..=29 => self.condition(),
            30..=32 => self.for_loop(),
            33 | 34 => self.while_loop(),
            35 => self.do_loop(),
            _ => self.switch(),
        }
    }

    fn number(&mut self) -> String {
        self.random.pick(&self.scope.numbers).clone()
    }

    fn readable(&mut self) -> String {
        match self.scope.counters.is_empty() || self.random.percent(75) {
            true => self.number(),
            false => self.random.pick(&self.scope.counters).clone(),
        }
    }

    fn index(&mut self) -> String {
        match self.random.percent(40) {
            true => self.random.below(LENGTH).to_string(),
            false => format!("(unsigned){} % {LENGTH}u", self.readable()),
        }
    }

    fn element(&mut self) -> String {
        let array = self.random.pick(&self.scope.arrays).clone();
        format!("{array}[{}]", self.index())
    }

    fn field(&mut self) -> String {
        let field = if self.random.percent(50) { "a" } else { "b" };
        if !self.scope.struct_pointers.is_empty() && self.random.percent(40) {
            let pointer = self.random.pick(&self.scope.struct_pointers).clone();
            let next = if self.random.percent(30) { "->next" } else { "" };
            return format!("{pointer}{next}->{field}");
        }
        format!("{}.{field}", self.random.pick(&self.scope.structs))
    }

    /// An expression of plain variables and numbers, which cannot fail whatever they hold.
    fn number_expression(&mut self, depth: usize) -> String {
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

    /// An expression that may also read memory.
    fn expression(&mut self) -> String {
        let plain = self.number_expression(2);
        let memory = match self.random.below(8) {
            0 => self.element(),
            1 => self.field(),
            2 if !self.scope.pointers.is_empty() => format!("*{}", self.random.pick(&self.scope.pointers)),
            _ => return plain,
        };
        if self.random.percent(50) { memory } else { format!("({memory} + {plain})") }
    }

    fn comparison(&mut self) -> String {
        let operator = *self.random.pick(&["<", ">", "==", "!=", "<="]);
        let (left, right) = (self.expression(), self.random.below(8));
        let first = format!("{left} % 7 {operator} {right}");
        if self.random.percent(20) { format!("{first} || {} > {}", self.readable(), right) } else { first }
    }

    fn assignment(&mut self) {
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

    /// What is stored is asked about, and no other operand can fail.
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

    fn target(&mut self) -> String {
        match self.random.below(4) {
            0 => self.element(),
            1 => self.field(),
            _ => self.number(),
        }
    }

    fn pointer_move(&mut self) {
        let Some(pointer) = self.scope.pointers.last().cloned() else { return self.assignment() };
        // The address of a variable that ends before the pointer does would dangle.
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

    fn print(&mut self) {
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

    /// A jump that not every run takes.
    fn jump(&mut self) {
        match self.random.below(5) {
            0 | 1 if self.scope.may_break => self.guarded("break;"),
            2 | 3 if self.scope.may_continue => self.guarded("continue;"),
            4 if self.scope.returns && self.random.percent(60) => {
                let condition = self.comparison();
                self.open(&format!("if ({condition}) {{"));
                self.give_back();
                self.close("}");
            }
            4 if self.random.percent(15) => self.guarded("exit(3);"),
            _ => self.assignment(),
        }
    }

    fn guarded(&mut self, jump: &str) {
        let condition = self.comparison();
        self.open(&format!("if ({condition}) {{"));
        self.line(jump);
        self.close("}");
    }

    fn give_back(&mut self) {
        let (asked, value) = (self.readable(), self.number_expression(1));
        self.watched(&asked, &format!("@; return {asked} + {value};"));
    }

    /// What a block governs, with a scope of its own.
    fn body(&mut self, change: impl FnOnce(&mut Scope)) {
        let outside = self.scope.clone();
        self.scope.depth += 1;
        change(&mut self.scope);
        let count = 1 + self.random.below(3);
        self.statements(count);
        self.scope = outside;
    }

    fn condition(&mut self) {
        match self.random.below(5) {
            0 => return self.unbraced(),
            1 => {
                let (target, value) = (self.number(), self.expression());
                self.line(&format!("if (({target} = {value}) % 3 > 0 && {target}++ % 4 != 1) {{"));
                self.indent += 1;
            }
            2 | 3 => {
                let (asked, right) = (self.readable(), self.number_expression(1));
                self.watched(&asked, &format!("@; if ({asked} % 5 > {right} % 3) {{"));
                self.indent += 1;
            }
            _ => {
                let condition = self.comparison();
                self.open(&format!("if ({condition}) {{"));
            }
        }
        self.body(|_| {});
        if self.random.percent(45) {
            self.indent -= 1;
            self.open("} else {");
            self.body(|_| {});
        }
        self.close("}");
    }

    /// Single statements without braces, with a chain of alternatives.
    fn unbraced(&mut self) {
        for number in 0..1 + self.random.below(3) {
            let condition = self.comparison();
            self.line(&format!("{}if ({condition})", if number > 0 { "else " } else { "" }));
            self.single();
        }
        if self.random.percent(50) {
            self.line("else");
            self.single();
        }
    }

    fn single(&mut self) {
        let (target, value) = (self.number(), self.expression());
        self.indent += 1;
        self.line(&format!("{target} = {value};"));
        self.indent -= 1;
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

    /// A number that goes through memory which only the library looks at.
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

    /// A struct that is handed over or made.
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

    /// A loop made of a label and a jump.
    fn backward(&mut self) {
        let (counter, label) = (self.name("c"), self.name("again"));
        let first = self.random.below(4);
        self.line(&format!("int {counter} = {first};"));
        self.line(&format!("{label}: ;"));
        self.body(|_| {});
        self.open(&format!("if ({counter}-- > 0) {{"));
        self.line(&format!("goto {label};"));
        self.close("}");
    }

    fn for_loop(&mut self) {
        let (counter, bound) = (self.name("i"), self.readable());
        let step = if self.random.percent(75) { format!("{counter}++") } else { format!("{counter} += 2") };
        let first = self.random.below(2);
        if self.random.percent(50) {
            let asked = if self.random.percent(50) { counter.clone() } else { bound.clone() };
            self.watched(&asked, &format!("for (int {counter} = {first}; @, {counter} < {bound} % 5; {step}) {{"));
        } else {
            let bound = 2 + self.random.below(3);
            self.watched(&counter, &format!("for (int {counter} = {first}; @, {counter} < {bound}; {step}) {{"));
        }
        self.indent += 1;
        self.body(|scope| {
            (scope.may_break, scope.may_continue) = (true, true);
            scope.counters.push(counter);
        });
        self.close("}");
    }

    fn while_loop(&mut self) {
        let (counter, first) = (self.name("c"), 1 + self.random.below(4));
        self.line(&format!("int {counter} = {first};"));
        match self.random.below(3) {
            0 => {
                let asked = self.readable();
                self.watched(&asked, &format!("while ({counter} > 0 && (@, {asked} != 3)) {{"));
                self.indent += 1;
                self.line(&format!("{counter}--;"));
            }
            1 => self.open(&format!("while ({counter}-- > 0) {{")),
            _ => {
                self.open("while (1) {");
                self.open(&format!("if ({counter}-- <= 0) {{"));
                self.line("break;");
                self.close("}");
            }
        }
        self.body(|scope| {
            (scope.may_break, scope.may_continue) = (true, true);
            scope.counters.push(counter);
        });
        self.close("}");
    }

    fn do_loop(&mut self) {
        let (counter, first, extra) = (self.name("c"), self.random.below(4), self.readable());
        self.line(&format!("int {counter} = {first};"));
        self.open("do {");
        self.line(&format!("{counter}--;"));
        let inside = counter.clone();
        self.body(|scope| {
            (scope.may_break, scope.may_continue) = (true, true);
            scope.counters.push(inside);
        });
        self.indent -= 1;
        self.watched(&extra, &format!("}} while ({counter} > 0 && (@, {extra} != 2));"));
    }

    fn switch(&mut self) {
        let asked = self.readable();
        self.watched(&asked, &format!("@; switch ({asked} % 4) {{"));
        let cases = 1 + self.random.below(3);
        for case in 0..cases {
            self.open(&format!("case {case}:"));
            self.body(|scope| scope.may_break = true);
            if self.random.percent(70) {
                self.line("break;");
            }
            self.indent -= 1;
        }
        if self.random.percent(60) {
            self.open("default:");
            self.body(|scope| scope.may_break = true);
            self.indent -= 1;
        }
        self.line("}");
    }
}
