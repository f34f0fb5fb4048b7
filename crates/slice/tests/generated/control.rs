//! Conditions, loops and jumps. Every loop has a counter that nothing else writes.

use super::writer::Writer;

impl Writer {
    /// Adds a jump that not every run takes.
    pub(super) fn jump(&mut self) {
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

    pub(super) fn guarded(&mut self, jump: &str) {
        let condition = self.comparison();
        self.open(&format!("if ({condition}) {{"));
        self.line(jump);
        self.close("}");
    }

    pub(super) fn give_back(&mut self) {
        let (asked, value) = (self.readable(), self.number_expression(1));
        self.watched(&asked, &format!("@; return {asked} + {value};"));
    }

    pub(super) fn condition(&mut self) {
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

    /// Adds single statements without braces, in a chain of alternatives.
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

    /// Adds a loop made of a label and a jump.
    pub(super) fn backward(&mut self) {
        let (counter, label) = (self.name("c"), self.name("again"));
        let first = self.random.below(4);
        self.line(&format!("int {counter} = {first};"));
        self.line(&format!("{label}: ;"));
        self.body(|_| {});
        self.open(&format!("if ({counter}-- > 0) {{"));
        self.line(&format!("goto {label};"));
        self.close("}");
    }

    pub(super) fn for_loop(&mut self) {
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

    pub(super) fn while_loop(&mut self) {
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

    pub(super) fn do_loop(&mut self) {
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

    pub(super) fn switch(&mut self) {
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
