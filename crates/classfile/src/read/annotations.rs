//! Reading of annotations and type annotations.

use super::Reader;
use super::code::Positions;
use crate::raw::Input;
use crate::{
    Annotation, Constant, Element, ElementValue, LocalRange, ParseError, PathStep, Position, Problem, TypeAnnotation,
    TypeTarget,
};

/// The nesting limit for annotations. No real annotation is nested this deep; the limit keeps
/// hostile files from exhausting the stack.
const DEEPEST: usize = 64;

impl<'a> Reader<'a> {
    pub fn annotations(&mut self, input: &mut Input<'a>) -> Result<Vec<Annotation>, ParseError> {
        input.list(4, |input| self.annotation(input, 0))
    }

    pub fn parameter_annotations(&mut self, input: &mut Input<'a>) -> Result<Vec<Vec<Annotation>>, ParseError> {
        let count = input.u1()?.into();
        input.entries(count, 2, |input| self.annotations(input))
    }

    /// Reads type annotations. Outside code there are no positions, and no target may name one.
    pub fn type_annotations(
        &mut self,
        input: &mut Input<'a>,
        positions: Option<&Positions>,
    ) -> Result<Vec<TypeAnnotation>, ParseError> {
        input.list(6, |input| {
            Ok(TypeAnnotation {
                target: type_target(input, positions)?,
                path: type_path(input)?,
                annotation: self.annotation(input, 0)?,
            })
        })
    }

    pub fn element_value(&mut self, input: &mut Input<'a>, depth: usize) -> Result<ElementValue, ParseError> {
        if depth > DEEPEST {
            return Err(input.error(Problem::TooDeep));
        }
        let tag = input.u1()?;
        Ok(match tag {
            b's' => ElementValue::String(self.resolver.text(input)?),
            b'c' => ElementValue::Class(self.resolver.text(input)?),
            b'e' => ElementValue::Enum { descriptor: self.resolver.text(input)?, constant: self.resolver.text(input)? },
            b'@' => ElementValue::Annotation(Box::new(self.annotation(input, depth + 1)?)),
            b'[' => ElementValue::Array(input.list(3, |input| self.element_value(input, depth + 1))?),
            _ => {
                let constant = self.resolver.constant(input)?;
                number(tag, constant).ok_or_else(|| input.error(Problem::Malformed("annotation element")))?
            }
        })
    }

    fn annotation(&mut self, input: &mut Input<'a>, depth: usize) -> Result<Annotation, ParseError> {
        let descriptor = self.resolver.text(input)?;
        let elements = input.list(5, |input| {
            Ok(Element { name: self.resolver.text(input)?, value: self.element_value(input, depth)? })
        })?;
        Ok(Annotation { descriptor, elements })
    }
}

fn number(tag: u8, constant: Constant) -> Option<ElementValue> {
    Some(match (tag, constant) {
        (b'B', Constant::Int(value)) => ElementValue::Byte(value),
        (b'C', Constant::Int(value)) => ElementValue::Char(value),
        (b'S', Constant::Int(value)) => ElementValue::Short(value),
        (b'Z', Constant::Int(value)) => ElementValue::Boolean(value),
        (b'I', Constant::Int(value)) => ElementValue::Int(value),
        (b'J', Constant::Long(value)) => ElementValue::Long(value),
        (b'F', Constant::Float(bits)) => ElementValue::Float(bits),
        (b'D', Constant::Double(bits)) => ElementValue::Double(bits),
        _ => return None,
    })
}

fn type_target(input: &mut Input<'_>, positions: Option<&Positions>) -> Result<TypeTarget, ParseError> {
    let kind = input.u1()?;
    Ok(match (kind, positions) {
        (0x00, _) => TypeTarget::ClassTypeParameter(input.u1()?),
        (0x01, _) => TypeTarget::MethodTypeParameter(input.u1()?),
        (0x10, _) => TypeTarget::Supertype(input.u2()?),
        (0x11, _) => TypeTarget::ClassTypeParameterBound { parameter: input.u1()?, bound: input.u1()? },
        (0x12, _) => TypeTarget::MethodTypeParameterBound { parameter: input.u1()?, bound: input.u1()? },
        (0x13, _) => TypeTarget::Field,
        (0x14, _) => TypeTarget::Return,
        (0x15, _) => TypeTarget::Receiver,
        (0x16, _) => TypeTarget::FormalParameter(input.u1()?),
        (0x17, _) => TypeTarget::Throws(input.u2()?),
        (0x40..=0x4b, None) => return Err(input.error(Problem::Misplaced("a type annotation of code"))),
        (_, Some(positions)) => code_target(kind, input, positions)?,
        _ => return Err(input.error(Problem::Malformed("type annotation"))),
    })
}

fn code_target(kind: u8, input: &mut Input<'_>, positions: &Positions) -> Result<TypeTarget, ParseError> {
    let ranges = |input: &mut Input<'_>| {
        input.list(6, |input| {
            let (start, end) = positions.range(input)?;
            Ok(LocalRange { start, end, index: input.u2()? })
        })
    };
    let argument = |input: &mut Input<'_>| -> Result<(Position, u8), ParseError> {
        Ok((positions.instruction(input)?, input.u1()?))
    };
    Ok(match kind {
        0x40 => TypeTarget::LocalVariable(ranges(input)?),
        0x41 => TypeTarget::ResourceVariable(ranges(input)?),
        0x42 => TypeTarget::Catch(input.u2()?),
        0x43 => TypeTarget::InstanceOf(positions.instruction(input)?),
        0x44 => TypeTarget::New(positions.instruction(input)?),
        0x45 => TypeTarget::ConstructorReference(positions.instruction(input)?),
        0x46 => TypeTarget::MethodReference(positions.instruction(input)?),
        0x47 => argument(input).map(|(position, argument)| TypeTarget::Cast { position, argument })?,
        0x48 => {
            argument(input).map(|(position, argument)| TypeTarget::ConstructorCallArgument { position, argument })?
        }
        0x49 => argument(input).map(|(position, argument)| TypeTarget::MethodCallArgument { position, argument })?,
        0x4a => argument(input)
            .map(|(position, argument)| TypeTarget::ConstructorReferenceArgument { position, argument })?,
        0x4b => {
            argument(input).map(|(position, argument)| TypeTarget::MethodReferenceArgument { position, argument })?
        }
        _ => return Err(input.error(Problem::Malformed("type annotation"))),
    })
}

fn type_path(input: &mut Input<'_>) -> Result<Vec<PathStep>, ParseError> {
    let length = input.u1()?.into();
    input.entries(length, 2, |input| Ok(PathStep { kind: input.u1()?, argument: input.u1()? }))
}
