//! Writing of annotations and type annotations.

use super::Writer;
use super::layout::Layout;
use crate::raw::Constant as Raw;
use crate::{Annotation, ElementValue, LocalRange, Position, TypeAnnotation, TypeTarget, WriteError};

impl<'c> Writer<'c> {
    pub fn annotations(&mut self, annotations: &'c [Annotation]) -> Result<(), WriteError> {
        self.list("annotations", annotations, Self::annotation)
    }

    pub fn parameter_annotations(&mut self, lists: &'c [Vec<Annotation>]) -> Result<(), WriteError> {
        self.out.short_count("annotated parameters", lists.len())?;
        lists.iter().try_for_each(|list| self.annotations(list))
    }

    pub fn type_annotations(
        &mut self,
        annotations: &'c [TypeAnnotation],
        layout: Option<&Layout>,
    ) -> Result<(), WriteError> {
        self.list("type annotations", annotations, |this, annotation| {
            this.type_target(&annotation.target, layout)?;
            this.out.short_count("steps of a type path", annotation.path.len())?;
            for step in &annotation.path {
                this.out.bytes(&[step.kind, step.argument]);
            }
            this.annotation(&annotation.annotation)
        })
    }

    pub fn element_value(&mut self, value: &'c ElementValue) -> Result<(), WriteError> {
        match value {
            ElementValue::Byte(value) => self.number(b'B', Raw::Integer(*value as u32)),
            ElementValue::Char(value) => self.number(b'C', Raw::Integer(*value as u32)),
            ElementValue::Short(value) => self.number(b'S', Raw::Integer(*value as u32)),
            ElementValue::Boolean(value) => self.number(b'Z', Raw::Integer(*value as u32)),
            ElementValue::Int(value) => self.number(b'I', Raw::Integer(*value as u32)),
            ElementValue::Long(value) => self.number(b'J', Raw::Long(*value as u64)),
            ElementValue::Float(bits) => self.number(b'F', Raw::Float(*bits)),
            ElementValue::Double(bits) => self.number(b'D', Raw::Double(*bits)),
            ElementValue::String(text) => self.number(b's', Raw::Utf8(text.as_bytes())),
            ElementValue::Class(descriptor) => self.number(b'c', Raw::Utf8(descriptor.as_bytes())),
            ElementValue::Enum { descriptor, constant } => {
                self.out.u1(b'e');
                self.text(descriptor)?;
                self.text(constant)
            }
            ElementValue::Annotation(annotation) => {
                self.out.u1(b'@');
                self.annotation(annotation)
            }
            ElementValue::Array(values) => {
                self.out.u1(b'[');
                self.list("array elements", values, Self::element_value)
            }
        }
    }

    fn annotation(&mut self, annotation: &'c Annotation) -> Result<(), WriteError> {
        self.text(&annotation.descriptor)?;
        self.list("annotation elements", &annotation.elements, |this, element| {
            this.text(&element.name)?;
            this.element_value(&element.value)
        })
    }

    fn number(&mut self, tag: u8, constant: Raw<'c>) -> Result<(), WriteError> {
        let index = match constant {
            Raw::Utf8(bytes) => self.pool.utf8(bytes)?,
            other => self.pool.add(other)?,
        };
        self.out.u1(tag);
        self.out.u2(index);
        Ok(())
    }

    fn type_target(&mut self, target: &TypeTarget, layout: Option<&Layout>) -> Result<(), WriteError> {
        match *target {
            TypeTarget::ClassTypeParameter(index) => self.out.bytes(&[0x00, index]),
            TypeTarget::MethodTypeParameter(index) => self.out.bytes(&[0x01, index]),
            TypeTarget::Supertype(index) => self.tagged(0x10, index),
            TypeTarget::ClassTypeParameterBound { parameter, bound } => self.out.bytes(&[0x11, parameter, bound]),
            TypeTarget::MethodTypeParameterBound { parameter, bound } => self.out.bytes(&[0x12, parameter, bound]),
            TypeTarget::Field => self.out.u1(0x13),
            TypeTarget::Return => self.out.u1(0x14),
            TypeTarget::Receiver => self.out.u1(0x15),
            TypeTarget::FormalParameter(index) => self.out.bytes(&[0x16, index]),
            TypeTarget::Throws(index) => self.tagged(0x17, index),
            _ => return self.code_target(target, layout.ok_or(WriteError::PositionWithoutCode)?),
        }
        Ok(())
    }

    fn code_target(&mut self, target: &TypeTarget, layout: &Layout) -> Result<(), WriteError> {
        match target {
            TypeTarget::LocalVariable(ranges) => self.ranges(0x40, ranges, layout),
            TypeTarget::ResourceVariable(ranges) => self.ranges(0x41, ranges, layout),
            TypeTarget::Catch(handler) => {
                self.tagged(0x42, *handler);
                Ok(())
            }
            TypeTarget::InstanceOf(position) => self.placed(0x43, *position, None, layout),
            TypeTarget::New(position) => self.placed(0x44, *position, None, layout),
            TypeTarget::ConstructorReference(position) => self.placed(0x45, *position, None, layout),
            TypeTarget::MethodReference(position) => self.placed(0x46, *position, None, layout),
            TypeTarget::Cast { position, argument } => self.placed(0x47, *position, Some(*argument), layout),
            TypeTarget::ConstructorCallArgument { position, argument } => {
                self.placed(0x48, *position, Some(*argument), layout)
            }
            TypeTarget::MethodCallArgument { position, argument } => {
                self.placed(0x49, *position, Some(*argument), layout)
            }
            TypeTarget::ConstructorReferenceArgument { position, argument } => {
                self.placed(0x4a, *position, Some(*argument), layout)
            }
            TypeTarget::MethodReferenceArgument { position, argument } => {
                self.placed(0x4b, *position, Some(*argument), layout)
            }
            _ => Err(WriteError::PositionWithoutCode),
        }
    }

    fn tagged(&mut self, tag: u8, index: u16) {
        self.out.u1(tag);
        self.out.u2(index);
    }

    fn placed(&mut self, tag: u8, position: Position, argument: Option<u8>, layout: &Layout) -> Result<(), WriteError> {
        self.tagged(tag, layout.instruction(position)?);
        argument.into_iter().for_each(|argument| self.out.u1(argument));
        Ok(())
    }

    fn ranges(&mut self, tag: u8, ranges: &[LocalRange], layout: &Layout) -> Result<(), WriteError> {
        self.out.u1(tag);
        self.out.count("ranges of a local variable", ranges.len())?;
        for range in ranges {
            layout.write_range("local variable", range.start, range.end, &mut self.out)?;
            self.out.u2(range.index);
        }
        Ok(())
    }
}
