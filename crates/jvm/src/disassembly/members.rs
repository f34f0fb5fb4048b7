//! Fields and methods.

use super::annotations;
use super::code;
use super::constants::{constant, escaped};
use super::paper::Paper;
use super::types::{class_name, field_type, generic_type, of_descriptor, of_method, result, type_parameters};
use crate::descriptor::MethodType;
use crate::signature::{GenericType, MethodSignature};
use lapidary_classfile::{Attribute, Attributed, Class, Field, Method, Text, access};

/// All members, with an empty line before each method.
pub(super) fn write(class: &Class, paper: &mut Paper) {
    for found in &class.fields {
        if paper.is_full() {
            return;
        }
        field(found, paper);
    }
    let mut is_first = class.fields.is_empty();
    for found in &class.methods {
        if paper.is_full() {
            return;
        }
        if !std::mem::take(&mut is_first) {
            paper.line("");
        }
        method(class, found, paper);
    }
}

fn field(of: &Field, paper: &mut Paper) {
    annotations::write(of, "  ", paper);
    let words = [
        (access::PUBLIC, "public"),
        (access::PRIVATE, "private"),
        (access::PROTECTED, "protected"),
        (access::STATIC, "static"),
        (access::FINAL, "final"),
        (access::TRANSIENT, "transient"),
        (access::VOLATILE, "volatile"),
        (access::SYNTHETIC, "synthetic"),
    ];
    paper.word(&format!("  {}{} ", flags(of.access, &words), declared_type(of, &of.descriptor)));
    paper.word(&escaped(&of.name, None));
    for attribute in &of.attributes {
        if let Attribute::ConstantValue(value) = attribute {
            paper.word(&format!(" = {}", constant(value)));
        }
    }
    paper.line(";");
}

/// The generic type if the element has one, otherwise that of the descriptor.
pub(super) fn declared_type(of: &impl Attributed, descriptor: &Text) -> String {
    let generic = of.signature().and_then(|signature| GenericType::parse_field(signature.as_bytes()).ok());
    generic.map_or_else(|| of_descriptor(descriptor), |generic| generic_type(&generic))
}

fn flags(bits: u16, words: &[(u16, &str)]) -> String {
    words.iter().filter(|(bit, _)| bits & bit != 0).map(|(_, word)| format!("{word} ")).collect()
}

fn method(class: &Class, of: &Method, paper: &mut Paper) {
    annotations::write(of, "  ", paper);
    let words = [
        (access::PUBLIC, "public"),
        (access::PRIVATE, "private"),
        (access::PROTECTED, "protected"),
        (access::STATIC, "static"),
        (access::FINAL, "final"),
        (access::ABSTRACT, "abstract"),
        (access::SYNCHRONIZED, "synchronized"),
        (access::NATIVE, "native"),
        (access::STRICT, "strictfp"),
        (access::SYNTHETIC, "synthetic"),
        (access::BRIDGE, "bridge"),
    ];
    let is_default = class.is_interface() && of.access & (access::ABSTRACT | access::STATIC | access::PRIVATE) == 0;
    let is_implied = if class.is_interface() { access::ABSTRACT } else { 0 };
    paper.word("  ");
    paper.word(&flags(of.access & !is_implied, &words));
    paper.word(if is_default && of.name != "<clinit>" { "default " } else { "" });
    let thrown = declaration(class, of, paper);
    paper.list(" throws ", ", ", thrown);
    for attribute in &of.attributes {
        if let Attribute::AnnotationDefault(value) = attribute {
            paper.word(" default ");
            annotations::value(value, paper);
        }
    }
    body(class, of, paper);
}

/// Writes types, name and parameters; returns what the method throws.
fn declaration(class: &Class, of: &Method, paper: &mut Paper) -> Vec<String> {
    let erased = || of.exceptions().iter().map(class_name).collect();
    let Ok(found) = MethodType::parse(of.descriptor.as_bytes()) else {
        paper.word(&format!("{}{}", escaped(&of.name, None), of_method(&of.descriptor)));
        return erased();
    };
    if of.name == "<clinit>" {
        paper.word("{");
        return erased();
    }
    let generic = of.signature().and_then(|signature| MethodSignature::parse(signature.as_bytes()).ok());
    // Constructors of inner classes and enums have parameters that no signature mentions.
    let generic = generic.filter(|generic| generic.parameters.len() == found.parameters.len());
    let (parameters, returned) = match &generic {
        Some(generic) => (
            generic.parameters.iter().map(generic_type).collect(),
            generic.result.as_ref().map_or_else(|| "void".to_owned(), generic_type),
        ),
        None => (found.parameters.iter().map(field_type).collect::<Vec<_>>(), result(found.result.as_ref())),
    };
    if let Some(generic) = generic.as_ref().filter(|generic| !generic.type_parameters.is_empty()) {
        paper.word(&type_parameters(&generic.type_parameters));
        paper.word(" ");
    }
    match of.name == "<init>" {
        true => paper.word(&class_name(&class.name)),
        false => paper.word(&format!("{returned} {}", escaped(&of.name, None))),
    }
    paper.word(&format!("({})", named(of, parameters).join(", ")));
    match generic.filter(|generic| !generic.throws.is_empty()) {
        Some(generic) => generic.throws.iter().map(generic_type).collect(),
        None => erased(),
    }
}

/// The parameters with their names, if the class has them, and with `...` where callers may pass
/// any number.
fn named(of: &Method, mut parameters: Vec<String>) -> Vec<String> {
    if of.access & access::VARARGS != 0
        && let Some(last) = parameters.last_mut()
        && let Some(element) = last.strip_suffix("[]")
    {
        *last = format!("{element}...");
    }
    let names = of.attributes.iter().find_map(|attribute| match attribute {
        Attribute::MethodParameters(names) if names.len() == parameters.len() => Some(names),
        _ => None,
    });
    for (parameter, name) in parameters.iter_mut().zip(names.into_iter().flatten()) {
        if let Some(name) = &name.name {
            parameter.push(' ');
            parameter.push_str(&escaped(name, None));
        }
    }
    parameters
}

fn body(class: &Class, of: &Method, paper: &mut Paper) {
    match of.code() {
        Some(found) => {
            paper.line(if of.name == "<clinit>" { "" } else { " {" });
            code::write(class, of, found, paper);
            paper.line("  }");
        }
        None => {
            paper.line(";");
            for attribute in &of.attributes {
                if let Attribute::Unknown { name, bytes } = attribute
                    && *name == "Code"
                {
                    paper.line(&format!("      // {} bytes of code that cannot be read", bytes.len()));
                }
            }
        }
    }
}
