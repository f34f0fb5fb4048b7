//! Reading of attributes by name and place.

use super::Reader;
use super::code::Positions;
use crate::raw::{self, Input};
use crate::{
    Attribute, Constant, EnclosingMethod, InnerClass, MethodParameter, ParseError, Problem, RecordComponent, Text,
};

/// The element that carries the attribute. An attribute without a meaning there is kept as bytes.
#[derive(Clone, Copy)]
pub(super) enum Place<'p> {
    Class,
    Field,
    Method(MethodHead<'p>),
    Code(MethodHead<'p>, &'p Positions),
    RecordComponent,
}

/// The parts of a method that are needed to read its code.
#[derive(Clone, Copy)]
pub(super) struct MethodHead<'p> {
    pub access: u16,
    pub name: &'p Text,
    pub descriptor: &'p Text,
}

impl<'a> Reader<'a> {
    pub fn attribute(&mut self, raw: &raw::Attribute<'a>, place: Place<'_>) -> Result<Attribute, ParseError> {
        // The name and the length precede the content.
        let name_offset = raw.offset.saturating_sub(6);
        let name = self.resolver.utf8_at(raw.name, name_offset)?;
        let mut input = Input::new(raw.bytes, raw.offset);
        let decoded = match place {
            Place::Class => self.class_attribute(name, &mut input),
            Place::Field => self.field_attribute(name, &mut input),
            Place::Method(head) => self.method_attribute(name, &mut input, head),
            Place::Code(head, positions) => self.code_attribute(name, &mut input, head, positions),
            Place::RecordComponent => self.common_attribute(name, &mut input),
        };
        match decoded {
            Ok(Some(attribute)) if input.left() == 0 => Ok(attribute),
            _ => {
                Ok(Attribute::Unknown { name: self.resolver.text_at(raw.name, name_offset)?, bytes: raw.bytes.into() })
            }
        }
    }

    fn class_attribute(&mut self, name: &[u8], input: &mut Input<'a>) -> Result<Option<Attribute>, ParseError> {
        Ok(Some(match name {
            b"SourceFile" => Attribute::SourceFile(self.resolver.text(input)?),
            b"InnerClasses" => Attribute::InnerClasses(input.list(8, |input| self.inner_class(input))?),
            b"EnclosingMethod" => Attribute::EnclosingMethod(EnclosingMethod {
                class: self.resolver.class(input)?,
                method: self.resolver.optional_name_and_type(input)?,
            }),
            b"SourceDebugExtension" => Attribute::SourceDebugExtension(input.take(input.left())?.to_vec()),
            b"BootstrapMethods" => {
                Attribute::BootstrapMethods(input.list(4, |input| self.resolver.bootstrap_method(input))?)
            }
            b"Module" => Attribute::Module(Box::new(self.module(input)?)),
            b"ModulePackages" => Attribute::ModulePackages(input.list(2, |input| self.resolver.package(input))?),
            b"ModuleMainClass" => Attribute::ModuleMainClass(self.resolver.class(input)?),
            b"NestHost" => Attribute::NestHost(self.resolver.class(input)?),
            b"NestMembers" => Attribute::NestMembers(self.resolver.classes(input)?),
            b"Record" => Attribute::Record(input.list(6, |input| self.record_component(input))?),
            b"PermittedSubclasses" => Attribute::PermittedSubclasses(self.resolver.classes(input)?),
            _ => return self.member_attribute(name, input),
        }))
    }

    fn field_attribute(&mut self, name: &[u8], input: &mut Input<'a>) -> Result<Option<Attribute>, ParseError> {
        match name {
            b"ConstantValue" => self.constant_value(input).map(Some),
            _ => self.member_attribute(name, input),
        }
    }

    fn method_attribute(
        &mut self,
        name: &[u8],
        input: &mut Input<'a>,
        head: MethodHead<'_>,
    ) -> Result<Option<Attribute>, ParseError> {
        Ok(Some(match name {
            b"Code" => Attribute::Code(Box::new(self.code(input, head)?)),
            b"Exceptions" => Attribute::Exceptions(self.resolver.classes(input)?),
            b"RuntimeVisibleParameterAnnotations" => {
                Attribute::RuntimeVisibleParameterAnnotations(self.parameter_annotations(input)?)
            }
            b"RuntimeInvisibleParameterAnnotations" => {
                Attribute::RuntimeInvisibleParameterAnnotations(self.parameter_annotations(input)?)
            }
            b"AnnotationDefault" => Attribute::AnnotationDefault(self.element_value(input, 0)?),
            b"MethodParameters" => {
                let count = input.u1()?.into();
                Attribute::MethodParameters(input.entries(count, 4, |input| self.method_parameter(input))?)
            }
            _ => return self.member_attribute(name, input),
        }))
    }

    fn code_attribute(
        &mut self,
        name: &[u8],
        input: &mut Input<'a>,
        head: MethodHead<'_>,
        positions: &Positions,
    ) -> Result<Option<Attribute>, ParseError> {
        Ok(Some(match name {
            b"LineNumberTable" => Attribute::LineNumberTable(input.list(4, |input| positions.line_number(input))?),
            b"LocalVariableTable" => Attribute::LocalVariableTable(self.local_variables(input, positions)?),
            b"LocalVariableTypeTable" => Attribute::LocalVariableTypeTable(self.local_variables(input, positions)?),
            b"StackMapTable" => Attribute::StackMapTable(self.stack_map_table(input, head, positions)?),
            b"RuntimeVisibleTypeAnnotations" => {
                Attribute::RuntimeVisibleTypeAnnotations(self.type_annotations(input, Some(positions))?)
            }
            b"RuntimeInvisibleTypeAnnotations" => {
                Attribute::RuntimeInvisibleTypeAnnotations(self.type_annotations(input, Some(positions))?)
            }
            _ => return Ok(None),
        }))
    }

    /// Reads attributes that classes, fields and methods share.
    fn member_attribute(&mut self, name: &[u8], input: &mut Input<'a>) -> Result<Option<Attribute>, ParseError> {
        match name {
            b"Synthetic" => Ok(Some(Attribute::Synthetic)),
            b"Deprecated" => Ok(Some(Attribute::Deprecated)),
            _ => self.common_attribute(name, input),
        }
    }

    /// Reads attributes that record components share with classes, fields and methods.
    fn common_attribute(&mut self, name: &[u8], input: &mut Input<'a>) -> Result<Option<Attribute>, ParseError> {
        Ok(Some(match name {
            b"Signature" => Attribute::Signature(self.resolver.text(input)?),
            b"RuntimeVisibleAnnotations" => Attribute::RuntimeVisibleAnnotations(self.annotations(input)?),
            b"RuntimeInvisibleAnnotations" => Attribute::RuntimeInvisibleAnnotations(self.annotations(input)?),
            b"RuntimeVisibleTypeAnnotations" => {
                Attribute::RuntimeVisibleTypeAnnotations(self.type_annotations(input, None)?)
            }
            b"RuntimeInvisibleTypeAnnotations" => {
                Attribute::RuntimeInvisibleTypeAnnotations(self.type_annotations(input, None)?)
            }
            _ => return Ok(None),
        }))
    }

    fn constant_value(&mut self, input: &mut Input<'a>) -> Result<Attribute, ParseError> {
        match self.resolver.constant(input)? {
            value @ (Constant::Int(_)
            | Constant::Float(_)
            | Constant::Long(_)
            | Constant::Double(_)
            | Constant::String(_)) => Ok(Attribute::ConstantValue(value)),
            _ => Err(input.error(Problem::Malformed("ConstantValue"))),
        }
    }

    fn inner_class(&mut self, input: &mut Input<'a>) -> Result<InnerClass, ParseError> {
        Ok(InnerClass {
            inner: self.resolver.class(input)?,
            outer: self.resolver.optional_class(input)?,
            name: self.resolver.optional_text(input)?,
            access: input.u2()?,
        })
    }

    fn method_parameter(&mut self, input: &mut Input<'a>) -> Result<MethodParameter, ParseError> {
        Ok(MethodParameter { name: self.resolver.optional_text(input)?, access: input.u2()? })
    }

    fn record_component(&mut self, input: &mut Input<'a>) -> Result<RecordComponent, ParseError> {
        Ok(RecordComponent {
            name: self.resolver.text(input)?,
            descriptor: self.resolver.text(input)?,
            attributes: {
                let raw = raw::attributes(input)?;
                self.attributes(&raw, Place::RecordComponent)?
            },
        })
    }
}
