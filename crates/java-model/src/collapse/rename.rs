//! Replaces every mention of a collapsed class by the class it was collapsed into.

use super::candidates::enclosing;
use super::signatures::{self, SignatureOf};
use crate::program::Program;
use lapidary_classfile::{
    Annotation, Attribute, Attributed, Class, Code, Constant, ElementValue, Instruction, MemberRef, Text,
    VerificationType,
};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// New names for classes.
pub(super) struct Renaming {
    names: HashMap<Text, Text>,
    /// Classes that are no longer generic: collapsed ones, and those nested in collapsed generic
    /// ones.
    erased: HashSet<Text>,
    /// The access flags of merged classes, as listed in attributes of nested classes.
    access: HashMap<Text, u16>,
}

impl Renaming {
    /// Creates a renaming from the names of collapsed classes to those of the remaining ones, with
    /// the access flags of the latter.
    pub fn new(names: HashMap<Text, Text>, access: HashMap<Text, u16>, program: &Program) -> Self {
        let generic = |name: &Text| {
            let class = program.find(name).map(|class| program.class(class));
            class.and_then(|class| class.signature()).is_some_and(|text| text.as_bytes().first() == Some(&b'<'))
        };
        let mut erased: HashSet<Text> = names.keys().filter(|name| generic(name)).cloned().collect();
        while !erased.is_empty() {
            let inside = |class: &Class| enclosing(class).is_some_and(|outer| erased.contains(&outer));
            let classes = program.classes().filter(|class| !erased.contains(&class.name) && inside(class));
            let more: Vec<Text> = classes.map(|class| class.name.clone()).collect();
            if more.is_empty() {
                break;
            }
            erased.extend(more);
        }
        erased.extend(names.keys().cloned());
        Renaming { names, erased, access }
    }

    pub fn name(&self, name: &Text) -> Text {
        self.names.get(name).unwrap_or(name).clone()
    }

    pub fn is_erased(&self, name: &Text) -> bool {
        self.erased.contains(name)
    }

    /// Renames everything in a class, which keeps its own name.
    pub fn class(&self, class: &mut Class) {
        if self.is_erased(&class.name) {
            strip(class);
        }
        class.superclass.iter_mut().for_each(|name| *name = self.name(name));
        let own = class.name.clone();
        self.attributes(&mut class.attributes, SignatureOf::Class);
        class.attributes.retain_mut(|attribute| self.structure(attribute, &own));
        for field in &mut class.fields {
            self.descriptor(&mut field.descriptor);
            self.attributes(&mut field.attributes, SignatureOf::Field);
        }
        for method in &mut class.methods {
            self.descriptor(&mut method.descriptor);
            self.attributes(&mut method.attributes, SignatureOf::Method);
        }
    }

    /// Renames attributes that tie a class to others. Returns whether anything is left of the
    /// attribute.
    fn structure(&self, attribute: &mut Attribute, own: &Text) -> bool {
        match attribute {
            Attribute::NestMembers(names) => {
                self.distinct(names);
                names.retain(|name| name != own);
                !names.is_empty()
            }
            Attribute::NestHost(host) => {
                *host = self.name(host);
                host != own
            }
            Attribute::InnerClasses(entries) => {
                entries.retain(|entry| !self.names.contains_key(&entry.inner));
                for entry in entries.iter_mut() {
                    entry.outer = entry.outer.as_ref().map(|outer| self.name(outer));
                    entry.access = self.access.get(&entry.inner).copied().unwrap_or(entry.access);
                }
                !entries.is_empty()
            }
            Attribute::EnclosingMethod(enclosing) => {
                enclosing.class = self.name(&enclosing.class);
                enclosing.method.iter_mut().for_each(|method| self.descriptor(&mut method.descriptor));
                enclosing.class != *own
            }
            _ => true,
        }
    }

    fn attributes(&self, attributes: &mut Vec<Attribute>, sort: SignatureOf) {
        let mut erased = false;
        attributes.retain_mut(|attribute| {
            let Attribute::Signature(text) = attribute else {
                self.attribute(attribute);
                return true;
            };
            let renamed = signatures::renamed(self, text, sort);
            erased |= renamed.as_ref() != Some(text);
            renamed.map(|renamed| *text = renamed).is_some()
        });
        if erased {
            signatures::drop_deep_annotations(attributes);
        }
    }

    fn attribute(&self, attribute: &mut Attribute) {
        match attribute {
            Attribute::Code(code) => self.code(code),
            Attribute::ConstantValue(constant) => self.constant(constant),
            Attribute::Exceptions(names) => self.distinct(names),
            Attribute::AnnotationDefault(value) => self.element_value(value),
            Attribute::BootstrapMethods(methods) => {
                for method in methods {
                    self.member(&mut Arc::make_mut(&mut method.handle).member);
                    method.arguments.iter_mut().for_each(|argument| self.constant(argument));
                }
            }
            Attribute::Record(components) => {
                for component in components {
                    self.descriptor(&mut component.descriptor);
                    self.attributes(&mut component.attributes, SignatureOf::Field);
                }
            }
            _ => self.annotations(attribute),
        }
    }

    fn annotations(&self, attribute: &mut Attribute) {
        match attribute {
            Attribute::RuntimeVisibleAnnotations(list) | Attribute::RuntimeInvisibleAnnotations(list) => {
                list.iter_mut().for_each(|annotation| self.annotation(annotation));
            }
            Attribute::RuntimeVisibleParameterAnnotations(lists)
            | Attribute::RuntimeInvisibleParameterAnnotations(lists) => {
                lists.iter_mut().flatten().for_each(|annotation| self.annotation(annotation));
            }
            Attribute::RuntimeVisibleTypeAnnotations(list) | Attribute::RuntimeInvisibleTypeAnnotations(list) => {
                list.iter_mut().for_each(|annotation| self.annotation(&mut annotation.annotation));
            }
            _ => {}
        }
    }

    fn annotation(&self, annotation: &mut Annotation) {
        self.descriptor(&mut annotation.descriptor);
        annotation.elements.iter_mut().for_each(|element| self.element_value(&mut element.value));
    }

    fn element_value(&self, value: &mut ElementValue) {
        match value {
            ElementValue::Enum { descriptor, .. } | ElementValue::Class(descriptor) => self.descriptor(descriptor),
            ElementValue::Annotation(annotation) => self.annotation(annotation),
            ElementValue::Array(values) => values.iter_mut().for_each(|value| self.element_value(value)),
            _ => {}
        }
    }

    fn code(&self, code: &mut Code) {
        code.instructions.iter_mut().for_each(|instruction| self.instruction(instruction));
        code.handlers.iter_mut().flat_map(|handler| &mut handler.catch).for_each(|name| *name = self.name(name));
        code.attributes.retain_mut(|attribute| {
            match attribute {
                Attribute::StackMapTable(frames) => {
                    for frame in frames {
                        frame.locals = frame.locals.iter().map(|type_| self.verification_type(type_)).collect();
                        frame.stack = frame.stack.iter().map(|type_| self.verification_type(type_)).collect();
                    }
                }
                Attribute::LocalVariableTable(table) => {
                    table.iter_mut().for_each(|variable| self.descriptor(&mut variable.type_));
                }
                Attribute::LocalVariableTypeTable(table) => {
                    table.retain_mut(|variable| {
                        let renamed = signatures::renamed(self, &variable.type_, SignatureOf::Field);
                        renamed.map(|renamed| variable.type_ = renamed).is_some()
                    });
                    return !table.is_empty();
                }
                _ => self.annotations(attribute),
            }
            true
        });
    }

    fn instruction(&self, instruction: &mut Instruction) {
        match instruction {
            Instruction::Ldc(constant) | Instruction::LdcW(constant) | Instruction::Ldc2W(constant) => {
                self.constant(constant);
            }
            Instruction::Field(_, member) | Instruction::Invoke(_, member) => self.member(member),
            Instruction::InvokeDynamic(site) => self.descriptor(&mut Arc::make_mut(site).descriptor),
            Instruction::New(name)
            | Instruction::ANewArray(name)
            | Instruction::CheckCast(name)
            | Instruction::InstanceOf(name)
            | Instruction::MultiANewArray(name, _) => self.type_name(name),
            _ => {}
        }
    }

    fn constant(&self, constant: &mut Constant) {
        match constant {
            Constant::Class(name) => self.type_name(name),
            Constant::MethodType(descriptor) => self.descriptor(descriptor),
            Constant::MethodHandle(handle) => self.member(&mut Arc::make_mut(handle).member),
            Constant::Dynamic(dynamic) => self.descriptor(&mut Arc::make_mut(dynamic).descriptor),
            _ => {}
        }
    }

    fn member(&self, member: &mut Arc<MemberRef>) {
        let mut renamed = (**member).clone();
        self.type_name(&mut renamed.owner);
        self.descriptor(&mut renamed.descriptor);
        if renamed != **member {
            *member = Arc::new(renamed);
        }
    }

    fn verification_type(&self, type_: &VerificationType) -> VerificationType {
        match type_ {
            VerificationType::Object(name) => {
                let mut name = name.clone();
                self.type_name(&mut name);
                VerificationType::Object(name)
            }
            other => other.clone(),
        }
    }

    /// Renames an internal name or an array descriptor.
    fn type_name(&self, name: &mut Text) {
        match name.as_bytes().first() {
            Some(b'[') => self.descriptor(name),
            _ => *name = self.name(name),
        }
    }

    fn descriptor(&self, descriptor: &mut Text) {
        *descriptor = renamed_descriptor(descriptor, &self.names);
    }

    /// Renames the names of a list and removes duplicates.
    fn distinct(&self, names: &mut Vec<Text>) {
        let mut seen = HashSet::new();
        names.iter_mut().for_each(|name| *name = self.name(name));
        names.retain(|name| seen.insert(name.clone()));
    }
}

/// Renames the classes in a field or method descriptor.
pub(super) fn renamed_descriptor(descriptor: &Text, names: &HashMap<Text, Text>) -> Text {
    let mut rest = descriptor.as_bytes();
    let mut result = Vec::with_capacity(rest.len());
    while let Some(start) = rest.iter().position(|byte| *byte == b'L') {
        let Some(length) = rest[start..].iter().position(|byte| *byte == b';') else { break };
        let name = &rest[start + 1..start + length];
        result.extend_from_slice(&rest[..=start]);
        result.extend_from_slice(names.get(name).map_or(name, Text::as_bytes));
        rest = &rest[start + length..];
    }
    result.extend_from_slice(rest);
    if result == descriptor.as_bytes() { descriptor.clone() } else { Text::from_bytes(&result) }
}

/// Drops all generic signatures of a class.
fn strip(class: &mut Class) {
    fn plain(attributes: &mut Vec<Attribute>) {
        attributes
            .retain(|attribute| !matches!(attribute, Attribute::Signature(_) | Attribute::LocalVariableTypeTable(_)));
        signatures::drop_deep_annotations(attributes);
        for attribute in attributes {
            if let Attribute::Code(code) = attribute {
                plain(&mut code.attributes);
            }
        }
    }
    plain(&mut class.attributes);
    class.fields.iter_mut().for_each(|field| plain(&mut field.attributes));
    class.methods.iter_mut().for_each(|method| plain(&mut method.attributes));
}
