//! Parsing of signatures by recursive descent with a depth limit.

use super::{ClassSignature, ClassType, GenericType, MAX_DEPTH, MethodSignature, Segment, TypeArgument, TypeParameter};
use crate::cursor::{Cursor, Parsed};
use crate::descriptor::BaseType;
use lapidary_classfile::Text;

pub fn class_signature(bytes: &[u8]) -> Parsed<ClassSignature> {
    let mut parser = Parser::new(bytes);
    let type_parameters = parser.type_parameters()?;
    let superclass = parser.class_type()?;
    let mut interfaces = Vec::new();
    while parser.cursor.peek().is_some() {
        interfaces.push(parser.class_type()?);
    }
    parser.cursor.finish(ClassSignature { type_parameters, superclass, interfaces })
}

pub fn method_signature(bytes: &[u8]) -> Parsed<MethodSignature> {
    let mut parser = Parser::new(bytes);
    let type_parameters = parser.type_parameters()?;
    parser.cursor.expect(b'(', "'('")?;
    let mut parameters = Vec::new();
    while !parser.cursor.skip(b')') {
        parameters.push(parser.any_type()?);
    }
    let result = if parser.cursor.skip(b'V') { None } else { Some(parser.any_type()?) };
    let mut throws = Vec::new();
    while parser.cursor.skip(b'^') {
        throws.push(parser.thrown_type()?);
    }
    parser.cursor.finish(MethodSignature { type_parameters, parameters, result, throws })
}

pub fn field_signature(bytes: &[u8]) -> Parsed<GenericType> {
    let mut parser = Parser::new(bytes);
    let parsed = parser.reference_type()?;
    parser.cursor.finish(parsed)
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Parser { cursor: Cursor::new(bytes), depth: 0 }
    }

    fn type_parameters(&mut self) -> Parsed<Vec<TypeParameter>> {
        let mut parameters = Vec::new();
        if self.cursor.skip(b'<') {
            while parameters.is_empty() || !self.cursor.skip(b'>') {
                parameters.push(self.type_parameter()?);
            }
        }
        Ok(parameters)
    }

    fn type_parameter(&mut self) -> Parsed<TypeParameter> {
        let name = self.cursor.name(b":", b".;[/<>")?;
        self.cursor.expect(b':', "':'")?;
        let class_bound = match self.cursor.peek() {
            Some(b'L' | b'T' | b'[') => Some(self.reference_type()?),
            _ => None,
        };
        let mut interface_bounds = Vec::new();
        while self.cursor.skip(b':') {
            interface_bounds.push(self.reference_type()?);
        }
        Ok(TypeParameter { name, class_bound, interface_bounds })
    }

    fn any_type(&mut self) -> Parsed<GenericType> {
        match self.cursor.peek().and_then(BaseType::from_letter) {
            Some(base) => {
                self.cursor.next("a type")?;
                Ok(GenericType::Base(base))
            }
            None => self.reference_type(),
        }
    }

    fn thrown_type(&mut self) -> Parsed<GenericType> {
        match self.cursor.peek() {
            Some(b'L' | b'T') => self.reference_type(),
            _ => Err(self.cursor.unexpected("a class or type variable")),
        }
    }

    fn reference_type(&mut self) -> Parsed<GenericType> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.cursor.too_deep(MAX_DEPTH));
        }
        let parsed = match self.cursor.peek() {
            Some(b'L') => GenericType::Class(self.class_type()?),
            Some(b'T') => GenericType::Variable(self.type_variable()?),
            Some(b'[') => {
                self.cursor.expect(b'[', "'['")?;
                GenericType::Array(Box::new(self.any_type()?))
            }
            _ => return Err(self.cursor.unexpected("a reference type")),
        };
        self.depth -= 1;
        Ok(parsed)
    }

    fn type_variable(&mut self) -> Parsed<Text> {
        self.cursor.expect(b'T', "'T'")?;
        let name = self.cursor.name(b";", b".[/<>:")?;
        self.cursor.expect(b';', "';'")?;
        Ok(name)
    }

    fn class_type(&mut self) -> Parsed<ClassType> {
        self.cursor.expect(b'L', "'L'")?;
        let mut segments = vec![self.segment(b"[>:")?];
        while self.cursor.skip(b'.') {
            segments.push(self.segment(b"[>:/")?);
        }
        self.cursor.expect(b';', "';'")?;
        Ok(ClassType { segments })
    }

    fn segment(&mut self, forbidden: &[u8]) -> Parsed<Segment> {
        let name = self.cursor.name(b";.<", forbidden)?;
        let mut arguments = Vec::new();
        if self.cursor.skip(b'<') {
            while arguments.is_empty() || !self.cursor.skip(b'>') {
                arguments.push(self.type_argument()?);
            }
        }
        Ok(Segment { name, arguments })
    }

    fn type_argument(&mut self) -> Parsed<TypeArgument> {
        if self.cursor.skip(b'*') {
            Ok(TypeArgument::Any)
        } else if self.cursor.skip(b'+') {
            self.reference_type().map(TypeArgument::Extends)
        } else if self.cursor.skip(b'-') {
            self.reference_type().map(TypeArgument::Super)
        } else {
            self.reference_type().map(TypeArgument::Exact)
        }
    }
}
