//! The walk through the parts of a class file that visits every class name.

use lapidary_classfile::{
    Annotation, Attribute, Attributed, Class, Code, Constant, ElementValue, Instruction, MemberRef, Text,
    VerificationType,
};
use lapidary_jvm::{ClassSignature, GenericType, MethodSignature};

/// A name as it was found: by itself, or in a longer text.
pub(crate) enum Name<'a> {
    Text(&'a Text),
    Bytes(&'a [u8]),
}

impl Name<'_> {
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Name::Text(text) => text.as_bytes(),
            Name::Bytes(bytes) => bytes,
        }
    }

    pub fn to_text(&self) -> Text {
        match self {
            Name::Text(text) => Text::clone(text),
            Name::Bytes(bytes) => Text::from_bytes(bytes),
        }
    }
}

/// Receives each name; array types name the class of their elements.
pub(crate) type Sink<'a> = &'a mut dyn FnMut(Name<'_>);

/// Visits every class named anywhere in the class, including itself; some more than once.
pub(super) fn in_class(class: &Class, found: Sink<'_>) {
    found(Name::Text(&class.name));
    class.superclass.iter().chain(&class.interfaces).for_each(|name| found(Name::Text(name)));
    in_attributes(&class.attributes, found);
    for field in &class.fields {
        in_descriptor(&field.descriptor, found);
        in_attributes(&field.attributes, found);
    }
    for method in &class.methods {
        in_descriptor(&method.descriptor, found);
        in_attributes(&method.attributes, found);
    }
}

/// Visits `p/A`, or the element class of an array descriptor.
pub(super) fn in_type(name: &Text, found: Sink<'_>) {
    if name.as_bytes().first() == Some(&b'[') { in_descriptor(name, found) } else { found(Name::Text(name)) }
}

/// Visits the classes in a field or method descriptor.
pub(super) fn in_descriptor(descriptor: &Text, found: Sink<'_>) {
    let mut rest = descriptor.as_bytes();
    while let Some(start) = rest.iter().position(|byte| *byte == b'L') {
        let Some(length) = rest[start..].iter().position(|byte| *byte == b';') else { return };
        found(Name::Bytes(&rest[start + 1..start + length]));
        rest = &rest[start + length..];
    }
}

/// Visits the classes in a generic signature of a class, method or anything else.
pub(super) fn in_signature(signature: &Text, found: Sink<'_>) {
    let bytes = signature.as_bytes();
    let classes = ClassSignature::parse(bytes).map(|parsed| parsed.mentions().classes);
    let classes = classes.or_else(|_| MethodSignature::parse(bytes).map(|parsed| parsed.mentions().classes));
    let classes = classes.or_else(|_| GenericType::parse_field(bytes).map(|parsed| parsed.mentions().classes));
    classes.into_iter().flatten().for_each(|name| found(Name::Text(&name)));
}

pub(super) fn in_annotation(annotation: &Annotation, found: Sink<'_>) {
    in_descriptor(&annotation.descriptor, found);
    annotation.elements.iter().for_each(|element| in_element_value(&element.value, found));
}

pub(super) fn in_element_value(value: &ElementValue, found: Sink<'_>) {
    match value {
        ElementValue::Enum { descriptor, .. } | ElementValue::Class(descriptor) => in_descriptor(descriptor, found),
        ElementValue::Annotation(annotation) => in_annotation(annotation, found),
        ElementValue::Array(values) => values.iter().for_each(|value| in_element_value(value, found)),
        _ => {}
    }
}

pub(super) fn in_constant(constant: &Constant, found: Sink<'_>) {
    match constant {
        Constant::Class(name) => in_type(name, found),
        Constant::MethodType(descriptor) => in_descriptor(descriptor, found),
        Constant::MethodHandle(handle) => in_member(&handle.member, found),
        Constant::Dynamic(dynamic) => in_descriptor(&dynamic.descriptor, found),
        _ => {}
    }
}

pub(super) fn in_member(member: &MemberRef, found: Sink<'_>) {
    in_type(&member.owner, found);
    in_descriptor(&member.descriptor, found);
}

pub(super) fn in_attributes(attributes: &[Attribute], found: Sink<'_>) {
    attributes.iter().for_each(|attribute| in_attribute(attribute, found));
}

fn in_attribute(attribute: &Attribute, found: Sink<'_>) {
    match attribute {
        Attribute::Code(code) => in_code(code, found),
        Attribute::ConstantValue(constant) => in_constant(constant, found),
        Attribute::Signature(signature) => in_signature(signature, found),
        Attribute::AnnotationDefault(value) => in_element_value(value, found),
        Attribute::StackMapTable(frames) => {
            let types = frames.iter().flat_map(|frame| frame.locals.iter().chain(&frame.stack));
            types.for_each(|found_type| in_verification_type(found_type, found));
        }
        Attribute::LocalVariableTable(variables) => {
            variables.iter().for_each(|variable| in_descriptor(&variable.type_, found));
        }
        Attribute::LocalVariableTypeTable(variables) => {
            variables.iter().for_each(|variable| in_signature(&variable.type_, found));
        }
        Attribute::BootstrapMethods(methods) => {
            for method in methods {
                in_member(&method.handle.member, found);
                method.arguments.iter().for_each(|argument| in_constant(argument, found));
            }
        }
        Attribute::Record(components) => {
            for component in components {
                in_descriptor(&component.descriptor, found);
                in_attributes(component.attributes(), found);
            }
        }
        _ => in_list(attribute, found),
    }
}

/// Visits attributes that list other classes, and annotations.
fn in_list(attribute: &Attribute, found: Sink<'_>) {
    match attribute {
        Attribute::Exceptions(names) | Attribute::NestMembers(names) | Attribute::PermittedSubclasses(names) => {
            names.iter().for_each(|name| found(Name::Text(name)))
        }
        Attribute::NestHost(name) | Attribute::ModuleMainClass(name) => found(Name::Text(name)),
        Attribute::InnerClasses(entries) => {
            let named = entries.iter().flat_map(|entry| [Some(&entry.inner), entry.outer.as_ref()]);
            named.flatten().for_each(|name| found(Name::Text(name)));
        }
        Attribute::EnclosingMethod(enclosing) => {
            found(Name::Text(&enclosing.class));
            enclosing.method.iter().for_each(|method| in_descriptor(&method.descriptor, found));
        }
        Attribute::Module(module) => {
            module.uses.iter().for_each(|name| found(Name::Text(name)));
            let provided = module.provides.iter().flat_map(|provided| provided.with.iter().chain([&provided.service]));
            provided.for_each(|name| found(Name::Text(name)));
        }
        _ => super::each_annotation(attribute, &mut |annotation| in_annotation(annotation, found)),
    }
}

fn in_code(code: &Code, found: Sink<'_>) {
    code.instructions.iter().for_each(|instruction| in_instruction(instruction, found));
    code.handlers.iter().filter_map(|handler| handler.catch.as_ref()).for_each(|name| found(Name::Text(name)));
    in_attributes(&code.attributes, found);
}

fn in_instruction(instruction: &Instruction, found: Sink<'_>) {
    match instruction {
        Instruction::Ldc(constant) | Instruction::LdcW(constant) | Instruction::Ldc2W(constant) => {
            in_constant(constant, found);
        }
        Instruction::Field(_, member) | Instruction::Invoke(_, member) => in_member(member, found),
        Instruction::InvokeDynamic(dynamic) => in_descriptor(&dynamic.descriptor, found),
        Instruction::New(name)
        | Instruction::ANewArray(name)
        | Instruction::CheckCast(name)
        | Instruction::InstanceOf(name)
        | Instruction::MultiANewArray(name, _) => in_type(name, found),
        _ => {}
    }
}

fn in_verification_type(found_type: &VerificationType, found: Sink<'_>) {
    if let VerificationType::Object(name) = found_type {
        in_type(name, found);
    }
}
