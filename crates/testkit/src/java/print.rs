//! Programs as Java source.

use super::escape;
use super::syntax::{Expr, Local, Method, Program, Stmt, Target, Type};
use super::templates;
use std::fmt::Write;

/// The source of one file: the class of the entry method and the classes that it uses.
pub fn printed(program: &Program) -> String {
    let mut printer = Printer { program, text: String::new(), indent: 1, marks: 0 };
    printer.class();
    let mut text = printer.text;
    text.extend(program.route.iter().map(|route| escape::printed(program, route)));
    templates::add_classes(program, &mut text);
    format!("import java.util.*;\nimport java.util.function.*;\n\n{text}")
}

struct Printer<'a> {
    program: &'a Program,
    text: String,
    indent: usize,
    marks: usize,
}

const NAMES: [&str; 4] = ["v", "x", "it", "local"];

impl Printer<'_> {
    fn class(&mut self) {
        let program = self.program;
        let static_ = if program.is_static { "static " } else { "" };
        let _ = writeln!(self.text, "public class {} {{", program.name);
        for (name, type_) in &program.fields {
            let _ = writeln!(self.text, "    {static_}{} {name};", self.type_(*type_));
        }
        self.method(&program.entry);
        program.helpers.iter().for_each(|helper| self.method(helper));
        self.text.push_str(&templates::own_methods(program, &self.text));
        self.text.push_str("}\n");
    }

    fn method(&mut self, method: &Method) {
        let static_ = if self.program.is_static { "static " } else { "" };
        let parameters: Vec<String> = method.parameters.iter().map(|local| self.declared(*local)).collect();
        let (returns, name) = (self.type_(method.returns), &method.name);
        let _ = writeln!(self.text, "\n    {static_}{returns} {name}({}) {{", parameters.join(", "));
        self.inside(&method.body);
        self.line("}");
    }

    fn inside(&mut self, body: &[Stmt]) {
        self.indent += 1;
        if self.program.style.has_marks {
            self.marks += 1;
            let mark = format!("System.out.print(\"<@{}@>\");", self.marks);
            self.line(&mark);
        }
        body.iter().for_each(|statement| self.statement(statement));
        self.indent -= 1;
    }

    fn block(&mut self, head: &str, body: &[Stmt]) {
        self.line(&format!("{head} {{"));
        self.inside(body);
        self.line("}");
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(&"    ".repeat(self.indent));
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Let(local, value) => self.line(&format!("{} = {};", self.declared(*local), self.expr(value))),
            Stmt::Assign(target, value) => self.line(&format!("{} = {};", self.expr(target), self.expr(value))),
            Stmt::Update(target, operator, value) => {
                self.line(&format!("{} {operator}= {};", self.expr(target), self.expr(value)));
            }
            Stmt::If(condition, yes, no) => {
                self.block(&format!("if ({})", self.expr(condition)), yes);
                if !no.is_empty() {
                    self.block("else", no);
                }
            }
            Stmt::For(local, from, to, body) => {
                let (name, from, to) = (self.name(*local), self.expr(from), self.expr(to));
                self.block(&format!("for (int {name} = {from}; {name} < {to}; {name}++)"), body);
            }
            Stmt::While(condition, body) => self.block(&format!("while ({})", self.expr(condition)), body),
            Stmt::Each(local, over, body) => {
                self.block(&format!("for ({} : {})", self.declared(*local), self.expr(over)), body);
            }
            Stmt::Switch(on, cases, other) => self.switch(on, cases, other),
            Stmt::Try(body, class, handler) => {
                self.block("try", body);
                self.block(&format!("catch ({class} caught{})", self.indent), handler);
            }
            Stmt::Finally(body) => {
                self.block("try", body);
                self.line("finally { }");
            }
            Stmt::Block(body) => self.block("", body),
            Stmt::Return(None) => self.line("return;"),
            Stmt::Return(Some(value)) => self.line(&format!("return {};", self.expr(value))),
            Stmt::Throw(class, message) => self.line(&format!("throw new {class}({});", self.expr(message))),
            Stmt::Print(value) => self.line(&format!("System.out.println({});", self.expr(value))),
            Stmt::Do(call) => self.line(&format!("{};", self.expr(call))),
        }
    }

    fn switch(&mut self, on: &Expr, cases: &[(Expr, Vec<Stmt>)], other: &[Stmt]) {
        self.line(&format!("switch ({}) {{", self.expr(on)));
        self.indent += 1;
        for (label, body) in cases {
            let label = match label {
                Expr::Constant(constant) => templates::COLOURS[*constant].to_owned(),
                other => self.expr(other),
            };
            self.case(&format!("case {label}:"), body);
        }
        self.case("default:", other);
        self.indent -= 1;
        self.line("}");
    }

    fn case(&mut self, label: &str, body: &[Stmt]) {
        self.line(&format!("{label} {{"));
        self.inside(body);
        self.line("}");
        if !super::inspect::leaves(body) {
            self.line("break;");
        }
    }

    fn name(&self, local: Local) -> String {
        format!("{}{}", NAMES[self.program.style.names % NAMES.len()], local.id)
    }

    fn declared(&self, local: Local) -> String {
        format!("{} {}", self.type_(local.type_), self.name(local))
    }

    fn type_(&self, type_: Type) -> String {
        templates::type_name(&self.program.name, type_)
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Int(i32::MIN) => "Integer.MIN_VALUE".to_owned(),
            Expr::Long(i64::MIN) => "Long.MIN_VALUE".to_owned(),
            Expr::Int(number) if *number < 0 => format!("({number})"),
            Expr::Int(number) => number.to_string(),
            Expr::Long(number) if *number < 0 => format!("({number}L)"),
            Expr::Long(number) => format!("{number}L"),
            Expr::Bool(truth) => truth.to_string(),
            Expr::Char(character) => format!("'{character}'"),
            Expr::Text(text) => format!("\"{text}\""),
            Expr::Null(type_) => format!("(({}) null)", self.type_(*type_)),
            Expr::Constant(constant) => format!("{}Colour.{}", self.program.name, templates::COLOURS[*constant]),
            Expr::Local(local) => self.name(*local),
            Expr::Own(field, _) => (*field).to_owned(),
            Expr::Field(object, name, _) => format!("{}.{name}", self.expr(object)),
            Expr::Unary(operator, operand) => format!("({operator} {})", self.expr(operand)),
            Expr::Binary(operator, left, right) => format!("({} {operator} {})", self.expr(left), self.expr(right)),
            Expr::Conditional(condition, yes, no) => {
                format!("({} ? {} : {})", self.expr(condition), self.expr(yes), self.expr(no))
            }
            Expr::Cast(type_, value) => format!("(({}) {})", self.type_(*type_), self.expr(value)),
            Expr::Element(array, index) => format!("{}[{}]", self.expr(array), self.expr(index)),
            Expr::Call(call) => {
                let arguments: Vec<String> = call.arguments.iter().map(|argument| self.expr(argument)).collect();
                let arguments = arguments.join(", ");
                match &call.target {
                    Target::Object(object) => format!("{}.{}({arguments})", self.expr(object), call.name),
                    Target::Library(class) => format!("{class}.{}({arguments})", call.name),
                    Target::Own => format!("{}({arguments})", call.name),
                    Target::New(class) if class.starts_with("java.") => format!("new {class}({arguments})"),
                    Target::New(class) => format!("new {}{class}({arguments})", self.program.name),
                }
            }
            Expr::Lambda(value) => self.lambda(value),
        }
    }

    fn lambda(&self, value: &Expr) -> String {
        let body = self.expr(value);
        match value.type_() {
            Type::Int => format!("((IntSupplier) () -> {body}).getAsInt()"),
            Type::Long => format!("((LongSupplier) () -> {body}).getAsLong()"),
            Type::Bool => format!("((BooleanSupplier) () -> {body}).getAsBoolean()"),
            type_ => format!("((Supplier<{}>) () -> {body}).get()", self.type_(type_)),
        }
    }
}
