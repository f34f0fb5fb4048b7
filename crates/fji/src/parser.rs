//! The parser: recursive descent with one token of look-ahead (three to tell a cast from
//! parentheses).
//!
//! Beyond figure 4, the parser follows the paper's own examples: `extends Object`,
//! `implements EmptyInterface` and the constructor may be omitted, `{ ... }` is an omitted body,
//! and an expression may be in parentheses. The height of expressions is bounded, so that no walk
//! over a program can exhaust the stack.

use crate::error::{FjiError, Position};
use crate::lexer::{Token, TokenKind, tokenize};
use crate::syntax::*;

const HEIGHT_LIMIT: usize = 100;

pub fn parse(source: &str) -> Result<Program, FjiError> {
    Parser { source, tokens: tokenize(source)?, next: 0, depth: 0, height: 0 }.program()
}

struct Parser<'a> {
    source: &'a str,
    tokens: Vec<Token<'a>>,
    /// The index of the next token; it never passes the end.
    next: usize,
    /// The nesting depth of the current expression.
    depth: usize,
    /// The height of the expression, or of the highest argument, that was parsed last.
    height: usize,
}

enum Member {
    Field(Variable),
    Constructor(Constructor),
    Method(Method),
}

impl Parser<'_> {
    fn program(&mut self) -> Result<Program, FjiError> {
        let mut program = Program::default();
        loop {
            match self.text() {
                "class" => program.declarations.push(Declaration::Class(self.class()?)),
                "interface" => program.declarations.push(Declaration::Interface(self.interface()?)),
                _ => break,
            }
        }
        if self.at_end() {
            return Ok(program);
        }
        if !self.starts_expression() {
            return Err(self.expected("a class, an interface or the main expression"));
        }
        let start = self.start();
        program.main = Some(self.expression()?);
        program.main_span = self.span_from(start);
        self.accept(";");
        if self.at_end() { Ok(program) } else { Err(self.expected("the end of the program")) }
    }

    fn class(&mut self) -> Result<Class, FjiError> {
        let start = self.start();
        self.expect("class")?;
        let name = self.name("the name of the class")?;
        let superclass =
            if self.accept("extends") { self.name("the name of the superclass")? } else { OBJECT.to_owned() };
        let implements_start = self.start();
        let (interface, implements_span) = if self.accept("implements") {
            (self.name("the name of the interface")?, self.span_from(implements_start))
        } else {
            (EMPTY_INTERFACE.to_owned(), Span::default())
        };
        let mut class = Class {
            name,
            superclass,
            interface,
            fields: Vec::new(),
            constructor: None,
            methods: Vec::new(),
            span: Span::default(),
            implements_span,
        };
        self.expect("{")?;
        while !self.accept("}") {
            self.member_into(&mut class)?;
        }
        class.span = self.span_from(start);
        Ok(class)
    }

    fn member_into(&mut self, class: &mut Class) -> Result<(), FjiError> {
        if class.constructor.is_some() && self.peek(1) == "(" {
            return Err(self.expected("a field, a method or `}` behind the constructor"));
        }
        match self.member()? {
            Member::Field(field) => class.fields.push(field),
            Member::Constructor(constructor) => class.constructor = Some(constructor),
            Member::Method(method) => class.methods.push(method),
        }
        Ok(())
    }

    fn member(&mut self) -> Result<Member, FjiError> {
        let start = self.start();
        let type_name = self.name("a field, a constructor, a method or `}`")?;
        if self.text() == "(" {
            return Ok(Member::Constructor(self.constructor_behind(type_name)?));
        }
        let name = self.name("the name of a field or a method")?;
        if self.accept(";") {
            return Ok(Member::Field(Variable { type_name, name }));
        }
        if self.text() != "(" {
            return Err(self.expected("`;` or `(`"));
        }
        let parameters = self.parameters()?;
        let body_start = self.start();
        let body = self.body()?;
        let signature = Signature { result: type_name, name, parameters, span: self.span_from(start) };
        Ok(Member::Method(Method { signature, body, body_span: self.span_from(body_start) }))
    }

    fn constructor_behind(&mut self, class: String) -> Result<Constructor, FjiError> {
        let parameters = self.parameters()?;
        self.expect("{")?;
        self.expect("super")?;
        let super_arguments = self.list(|parser| parser.name("the name of a parameter"))?;
        self.expect(";")?;
        let mut assignments = Vec::new();
        while !self.accept("}") {
            if self.text() != "this" {
                return Err(self.expected("`this.FIELD = FIELD;` or `}`"));
            }
            self.expect("this")?;
            self.expect(".")?;
            let field = self.name("the name of a field")?;
            self.expect("=")?;
            assignments.push((field, self.name("the name of a parameter")?));
            self.expect(";")?;
        }
        Ok(Constructor { class, parameters, super_arguments, assignments })
    }

    fn interface(&mut self) -> Result<Interface, FjiError> {
        let start = self.start();
        self.expect("interface")?;
        let name = self.name("the name of the interface")?;
        let mut signatures = Vec::new();
        self.expect("{")?;
        while !self.accept("}") {
            signatures.push(self.signature()?);
        }
        Ok(Interface { name, signatures, span: self.span_from(start) })
    }

    fn signature(&mut self) -> Result<Signature, FjiError> {
        let start = self.start();
        let result = self.name("a signature or `}`")?;
        let name = self.name("the name of the method")?;
        let parameters = self.parameters()?;
        self.expect(";")?;
        Ok(Signature { result, name, parameters, span: self.span_from(start) })
    }

    fn parameters(&mut self) -> Result<Vec<Variable>, FjiError> {
        self.list(|parser| {
            let type_name = parser.name("the type of a parameter")?;
            Ok(Variable { type_name, name: parser.name("the name of a parameter")? })
        })
    }

    fn body(&mut self) -> Result<Expression, FjiError> {
        self.expect("{")?;
        let body = match self.text() {
            "..." => {
                self.next += 1;
                Expression::Opaque
            }
            "return" => {
                self.next += 1;
                let value = self.expression()?;
                self.expect(";")?;
                value
            }
            _ => return Err(self.expected("`return` or `...`")),
        };
        self.expect("}")?;
        Ok(body)
    }

    fn expression(&mut self) -> Result<Expression, FjiError> {
        self.depth += 1;
        self.check_height(self.depth)?;
        let mut expression = self.primary()?;
        while self.accept(".") {
            expression = self.member_of(expression)?;
        }
        self.depth -= 1;
        Ok(expression)
    }

    fn member_of(&mut self, object: Expression) -> Result<Expression, FjiError> {
        let object_height = std::mem::take(&mut self.height);
        let object = Box::new(object);
        let member = self.name("the name of a field or a method")?;
        let expression = if self.text() == "(" {
            Expression::Call { object, method: member, arguments: self.arguments()? }
        } else {
            Expression::Field { object, field: member }
        };
        self.height = self.height.max(object_height) + 1;
        self.check_height(self.height)?;
        Ok(expression)
    }

    fn primary(&mut self) -> Result<Expression, FjiError> {
        self.height = 1;
        if self.at_identifier() || self.text() == "this" {
            self.next += 1;
            return Ok(Expression::Variable(self.tokens[self.next - 1].text.to_owned()));
        }
        if self.accept("...") {
            return Ok(Expression::Opaque);
        }
        if self.accept("new") {
            let class = self.name("the name of a class")?;
            let arguments = self.arguments()?;
            self.height += 1;
            return Ok(Expression::New { class, arguments });
        }
        if self.text() == "(" { self.cast_or_parentheses() } else { Err(self.expected("an expression")) }
    }

    /// Parses `(T) e` or `(e)`. A name in parentheses is a type exactly when an expression follows.
    fn cast_or_parentheses(&mut self) -> Result<Expression, FjiError> {
        self.expect("(")?;
        let operand_follows = self.tokens.get(self.next + 2).is_some_and(starts_expression);
        if self.at_identifier() && self.peek(1) == ")" && operand_follows {
            let type_name = self.name("a type")?;
            self.expect(")")?;
            let operand = Box::new(self.expression()?);
            self.height += 1;
            return Ok(Expression::Cast { type_name, operand });
        }
        let inner = self.expression()?;
        self.expect(")")?;
        Ok(inner)
    }

    fn arguments(&mut self) -> Result<Vec<Expression>, FjiError> {
        let mut highest = 0;
        let arguments = self.list(|parser| {
            let argument = parser.expression()?;
            highest = highest.max(parser.height);
            Ok(argument)
        })?;
        self.height = highest;
        Ok(arguments)
    }

    /// Parses `( element, element, … )`.
    fn list<T>(&mut self, mut element: impl FnMut(&mut Self) -> Result<T, FjiError>) -> Result<Vec<T>, FjiError> {
        self.expect("(")?;
        let mut elements = Vec::new();
        if self.accept(")") {
            return Ok(elements);
        }
        loop {
            elements.push(element(self)?);
            if self.accept(")") {
                return Ok(elements);
            }
            if !self.accept(",") {
                return Err(self.expected("`,` or `)`"));
            }
        }
    }

    fn check_height(&self, height: usize) -> Result<(), FjiError> {
        if height <= HEIGHT_LIMIT {
            return Ok(());
        }
        Err(FjiError::TooDeep { position: Position::of(self.source, self.start()), limit: HEIGHT_LIMIT })
    }

    fn text(&self) -> &str {
        self.peek(0)
    }

    fn peek(&self, ahead: usize) -> &str {
        self.tokens.get(self.next + ahead).map_or("", |token| token.text)
    }

    fn at_end(&self) -> bool {
        self.tokens[self.next].kind == TokenKind::End
    }

    fn at_identifier(&self) -> bool {
        self.tokens[self.next].kind == TokenKind::Identifier
    }

    fn starts_expression(&self) -> bool {
        starts_expression(&self.tokens[self.next])
    }

    fn start(&self) -> usize {
        self.tokens[self.next].range.start
    }

    /// The span from `start` to the end of the last token parsed.
    fn span_from(&self, start: usize) -> Span {
        Span(start..self.tokens[self.next - 1].range.end)
    }

    fn accept(&mut self, text: &str) -> bool {
        let found = self.text() == text;
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str) -> Result<(), FjiError> {
        if self.accept(text) { Ok(()) } else { Err(self.expected(&format!("`{text}`"))) }
    }

    fn name(&mut self, what: &str) -> Result<String, FjiError> {
        if !self.at_identifier() {
            return Err(self.expected(what));
        }
        self.next += 1;
        Ok(self.tokens[self.next - 1].text.to_owned())
    }

    fn expected(&self, what: &str) -> FjiError {
        FjiError::Syntax {
            position: Position::of(self.source, self.start()),
            expected: what.to_owned(),
            found: self.tokens[self.next].description(),
        }
    }
}

fn starts_expression(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Identifier || ["this", "new", "(", "..."].contains(&token.text)
}
