//! The global variables and functions of a random program.

use super::writer::{LENGTH, Writer};

/// Functions that write memory in less common ways.
const HELPERS: &str = "\
union bits { int number; signed char bytes[4]; } bits;
#define SET(place, value) ((place) = (value))
void fill(void *object, int value) { memset(object, value & 3, 2 * sizeof value); }
void put(void *place, int value) { char *to = place; for (int i = 0; i < 4; i++) *to++ = ((char *)&value)[i]; }
void put_all(int count, int value, ...) {
va_list list;
va_start(list, value);
for (int i = 0; i < count; i++)
*va_arg(list, int *) = value + i;
va_end(list);
}
int by_size(const void *a, const void *b) {
int left = *(const int *)a, right = *(const int *)b;
return (left > right) - (left < right);
}";

impl Writer {
    pub(super) fn globals(&mut self) {
        self.line("#include <errno.h>");
        self.line("#include <stdarg.h>");
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
        HELPERS.lines().for_each(|line| self.line(line));
    }

    pub(super) fn function(&mut self, number: usize) {
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

    /// Adds a function that takes one struct by value and another by address.
    pub(super) fn function_of_structs(&mut self) {
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

    /// Adds a recursive call with an argument that falls from at most 3.
    fn recursion(&mut self, name: &str) {
        let (left, found) = (self.name("left"), self.name("v"));
        self.line(&format!("int {left} = (int)((unsigned)n % 4u);"));
        self.open(&format!("if ({left} > 0) {{"));
        self.line(&format!("int {found} = {name}({left} - 1, out);"));
        let target = self.number();
        self.watched(&target, &format!("{target} += {found}; @;"));
        self.close("}");
    }

    pub(super) fn main(&mut self) {
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
}
