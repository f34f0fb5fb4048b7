//! The declaration of a class.

use super::annotations;
use super::constants::escaped;
use super::paper::Paper;
use super::types::{class_name, class_type, type_parameters};
use crate::signature::ClassSignature;
use lapidary_classfile::{Attribute, Attributed, Class, access};

/// Everything up to the brace.
pub(super) fn write(class: &Class, paper: &mut Paper) {
    remarks(class, paper);
    annotations::write(class, "", paper);
    paper.word(&flags(class));
    let generic = class.signature().and_then(|signature| ClassSignature::parse(signature.as_bytes()).ok());
    paper.word(&class_name(&class.name));
    if let Some(generic) = &generic {
        paper.word(&type_parameters(&generic.type_parameters));
    }
    components(class, paper);
    supertypes(class, generic.as_ref(), paper);
    permitted(class, paper);
}

/// Lines about the file and about the class as a part of others.
fn remarks(class: &Class, paper: &mut Paper) {
    let (major, minor) = (class.version.major, class.version.minor);
    let java = if major >= 49 { format!(", Java {}", major - 44) } else { String::new() };
    let preview = if minor == u16::MAX { " with preview features" } else { "" };
    paper.word(&format!("// class file {major}.{minor}{java}{preview}"));
    for attribute in &class.attributes {
        if let Attribute::SourceFile(file) = attribute {
            paper.word(&format!(", of {}", escaped(file, None)));
        }
    }
    paper.line("");
    for attribute in &class.attributes {
        match attribute {
            Attribute::EnclosingMethod(around) => {
                let method = around.method.as_ref().map(|method| format!(".{}", escaped(&method.name, None)));
                paper.line(&format!("// inside {}{}", class_name(&around.class), method.unwrap_or_default()));
            }
            Attribute::NestHost(host) => paper.line(&format!("// a nestmate of {}", class_name(host))),
            _ => {}
        }
    }
}

/// Modifiers and the word for the sort of class. A nested class has its own modifiers elsewhere.
fn flags(class: &Class) -> String {
    let nested = class.inner_classes().iter().find(|entry| entry.inner == class.name);
    let bits = nested.map_or(class.access, |entry| entry.access);
    let is_record = class.record_components().is_some();
    let kind = match bits {
        _ if bits & access::ANNOTATION != 0 => "@interface",
        _ if bits & access::INTERFACE != 0 => "interface",
        _ if bits & access::ENUM != 0 => "enum",
        _ if is_record => "record",
        _ => "class",
    };
    let mut words: Vec<&str> = Vec::new();
    let all = [
        (access::PUBLIC, "public"),
        (access::PRIVATE, "private"),
        (access::PROTECTED, "protected"),
        (access::STATIC, "static"),
        (access::FINAL, "final"),
        (access::ABSTRACT, "abstract"),
        (access::SYNTHETIC, "synthetic"),
    ];
    let is_implied = |bit: u16| bit == access::ABSTRACT && bits & access::INTERFACE != 0;
    words.extend(all.iter().filter(|(bit, _)| bits & bit != 0 && !is_implied(*bit)).map(|(_, word)| *word));
    if class.permitted_subclasses().is_some() {
        words.push("sealed");
    }
    words.push(kind);
    words.join(" ") + " "
}

fn components(class: &Class, paper: &mut Paper) {
    let Some(components) = class.record_components() else { return };
    paper.word("(");
    let component = components.iter().map(|part| {
        let name = escaped(&part.name, None);
        format!("{} {name}", super::members::declared_type(part, &part.descriptor))
    });
    paper.list("", ", ", component);
    paper.word(")");
}

fn supertypes(class: &Class, generic: Option<&ClassSignature>, paper: &mut Paper) {
    let superclass = class.superclass.as_ref().map(class_name);
    let is_usual = superclass.as_deref().is_none_or(|name| match name {
        "java.lang.Object" => true,
        "java.lang.Enum" => class.access & access::ENUM != 0,
        "java.lang.Record" => class.record_components().is_some(),
        _ => false,
    });
    if let (false, Some(erased)) = (is_usual, superclass) {
        let shown = generic.map(|generic| &generic.superclass).filter(|super_| Some(super_.name()) == class.superclass);
        paper.word(&format!(" extends {}", shown.map_or(erased, class_type)));
    }
    let generic = generic.filter(|generic| generic.interfaces.len() == class.interfaces.len());
    let names: Vec<String> = match generic {
        Some(generic) => generic.interfaces.iter().map(class_type).collect(),
        None => class.interfaces.iter().map(class_name).collect(),
    };
    paper.list(if class.is_interface() { " extends " } else { " implements " }, ", ", names);
}

fn permitted(class: &Class, paper: &mut Paper) {
    paper.list(" permits ", ", ", class.permitted_subclasses().unwrap_or_default().iter().map(class_name));
}
